import { describe, expect, test } from 'bun:test'
import { stackAddress } from '../../../../src/contracts/get-methods.ts'
import { compareAccount } from '../../../../src/indexer/audit/compare-account.ts'
import type { HeldAccount } from '../../../../src/indexer/audit/held-account.ts'
import type { LiveBlock } from '../../../../src/indexer/audit/live-block.ts'
import type { Account } from '../../../../src/model/account.ts'
import type { Entity, JettonWalletEntity, NftItemEntity } from '../../../../src/model/entities.ts'
import { rawAddress } from '../../../../src/ton/address.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import { type StackValue, stackInt } from '../../../../src/ton/stack.ts'
import { account, type FakeContract } from '../../../support/fake-contracts.ts'
import { heldAs, liveAccount, liveBlock, noAccount } from '../../../support/held-accounts.ts'
import { offchainContent } from '../../../support/token-content.ts'

const [WALLET, OWNER, MASTER, ITEM, COLLECTION] = [account(1), account(2), account(3), account(4), account(5)]
const cell = (of = beginCell().endCell()): StackValue => ({ _: 'vm_stk_cell', cell: of })

const wallet: JettonWalletEntity = {
  _: 'jetton_wallet',
  balance: 12n,
  owner: OWNER,
  jetton: MASTER,
  mintless_is_claimed: null,
}
const walletContract = (balance = 12n): FakeContract => ({
  get_wallet_data: [stackInt(balance), stackAddress(OWNER), stackAddress(MASTER), cell()],
})
const masterContract: FakeContract = { get_wallet_address: [stackAddress(WALLET)] }

const item: NftItemEntity = {
  _: 'nft_item',
  init: true,
  index: 3n,
  collection_address: COLLECTION,
  owner_address: OWNER,
  content: { _: 'offchain', uri: 'https://old' },
}
const itemContracts = (uri: string): Record<string, FakeContract> => ({
  [rawAddress(ITEM)]: {
    get_nft_data: [stackInt(-1), stackInt(3), stackAddress(COLLECTION), stackAddress(OWNER), cell()],
  },
  [rawAddress(COLLECTION)]: {
    get_nft_address_by_index: [stackAddress(ITEM)],
    get_nft_content: [cell(offchainContent(uri))],
  },
})

const compare = (held: HeldAccount, now: LiveBlock, then: LiveBlock = now) =>
  compareAccount(held, async (seqno) => (seqno === 9 ? now : then))

/** Texts of the differences. */
const lines = async (...given: Parameters<typeof compare>): Promise<string[]> =>
  (await compare(...given)).differences.map(({ kind, field, ours, live }) => `${kind} ${field} ${ours} ${live}`)

const walletBlock = (balance?: bigint, live: Account = liveAccount(WALLET)): LiveBlock =>
  liveBlock([live], { [rawAddress(WALLET)]: walletContract(balance), [rawAddress(MASTER)]: masterContract })

describe('an account', () => {
  test('that is held as it is', async () => {
    expect(await lines(heldAs(liveAccount(OWNER)), liveBlock([liveAccount(OWNER)]))).toEqual([])
    expect(await lines(heldAs(noAccount(OWNER)), liveBlock([]))).toEqual([])
  })

  const changes: [Partial<Account>, string][] = [
    [{ balance: 1n }, 'account balance 1000000000 1'],
    [{ extra_currencies: [] }, 'account extra_currencies [[-1, 5]] []'],
    [{ frozen_hash: Buffer.alloc(1) }, 'account frozen_hash none 0x00'],
    [{ last_transaction: { lt: 71n, hash: Buffer.alloc(32, 7) } }, 'account last_transaction_lt 70 71'],
  ]
  for (const [change, line] of changes)
    test(line, async () => {
      expect(await lines(heldAs(liveAccount(OWNER)), liveBlock([liveAccount(OWNER, change)]))).toEqual([line])
    })

  test('with another code and other data', async () => {
    const live = liveAccount(OWNER, { code: beginCell().uint(9, 8).endCell(), data: null })
    const found = await compare(heldAs(liveAccount(OWNER)), liveBlock([live]))
    expect(found.differences.map(({ field }) => field)).toEqual(['code_hash', 'data_hash'])
  })

  test('that was destroyed keeps its last transaction here only', async () => {
    const held = heldAs(noAccount(OWNER))
    const destroyed = { ...held.account!, last_transaction: { lt: 70n, hash: Buffer.alloc(32, 1) } }
    expect(await lines({ ...held, account: destroyed }, liveBlock([]))).toEqual([])
    expect(await lines({ ...held, account: { ...destroyed, balance: 1n } }, liveBlock([]))).toEqual([
      'account balance 1 0',
    ])
  })

  test('that is held as existing and does not, or the other way round', async () => {
    expect(await lines(heldAs(liveAccount(OWNER)), liveBlock([]))).toContain('account status "active" "nonexist"')
    const live = liveAccount(OWNER, { code: null, data: null, status: 'uninit' })
    expect(await lines(heldAs(noAccount(OWNER)), liveBlock([live]))).toContain('account status "nonexist" "uninit"')
  })

  test('of which there is a row and no state', async () => {
    const held = { ...heldAs(liveAccount(WALLET), wallet), account: undefined }
    expect(await lines(held, walletBlock())).toEqual(['account state none "active"'])
  })
})

describe('what an account is', () => {
  const held = (...entities: Entity[]) => heldAs(liveAccount(WALLET), ...entities)

  test('as it is held', async () => {
    expect(await compare(held(wallet), walletBlock())).toEqual({ differences: [], isOfItsBlock: false })
  })

  test('with another value, also at the block at which it changed last', async () => {
    expect(await lines(held(wallet), walletBlock(13n))).toEqual(['jetton_wallet balance 12 13'])
  })

  test('that is not held, or that it is not', async () => {
    expect(await lines(held(), walletBlock())).toEqual(['jetton_wallet interface no yes'])
    expect(await lines(held(wallet), liveBlock([liveAccount(WALLET)]))).toEqual(['jetton_wallet interface yes no'])
  })

  test('that its parent does not know', async () => {
    const block = liveBlock([liveAccount(WALLET)], { [rawAddress(WALLET)]: walletContract() })
    expect(await lines(held(wallet), block)).toEqual(['jetton_wallet parent yes no'])
  })

  test('that was read from another state', async () => {
    const rows = held(wallet).rows.map((row) => ({ ...row, last_transaction_lt: 60n }))
    expect(await lines({ ...held(wallet), rows }, walletBlock())).toEqual(['jetton_wallet last_transaction_lt 60 70'])
  })

  test('of an account that has no code now', async () => {
    const live = liveAccount(WALLET, { status: 'uninit', code: null, data: null })
    expect(await lines(heldAs(live, wallet), walletBlock(12n, live))).toEqual(['jetton_wallet interface yes no'])
  })
})

describe('what depends on other contracts', () => {
  const held = heldAs(liveAccount(ITEM), item)
  const block = (uri: string, live = liveAccount(ITEM)) => liveBlock([live], itemContracts(uri))

  test('is no difference where it was so when the account changed last', async () => {
    expect(await compare(held, block('https://new'), block('https://old'))).toEqual({
      differences: [],
      isOfItsBlock: true,
    })
  })

  test('is one where it was not', async () => {
    expect(await lines(held, block('https://new'), block('https://other'))).toEqual([
      'nft_item content {"_": "offchain", "uri": "https://old"} {"_": "offchain", "uri": "https://other"}',
    ])
  })

  test('is one where the account itself differs, or changed in that very block', async () => {
    const live = liveAccount(ITEM, { balance: 1n })
    expect(await lines(held, block('https://new', live), block('https://old'))).toHaveLength(2)
    const fresh = { ...held, account: { ...held.account!, mc_seqno: 9 } }
    expect(await lines(fresh, block('https://new'), block('https://old'))).toHaveLength(1)
  })
})
