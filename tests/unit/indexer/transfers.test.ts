import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  beginCell as beginCore,
  Address as CoreAddress,
  type Cell as CoreCell,
  Dictionary,
  storeTransaction,
} from '@ton/core'
import { batchTransfers } from '../../../src/indexer/transfers.ts'
import type { BatchAccount, BatchTransaction } from '../../../src/model/batch.ts'
import { readBatchMessages } from '../../../src/model/batch-message.ts'
import type { DetectedAccount, Entity } from '../../../src/model/entities.ts'
import { writeAccountStates } from '../../../src/store/write.ts'
import type { Address } from '../../../src/ton/address.ts'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import { account } from '../../support/fake-contracts.ts'
import { madeHash } from '../../support/made-batch.ts'
import { type TemporaryIndex, temporaryIndex } from '../../support/temporary-index.ts'

const [OWNER, OTHER, WALLET, MASTER, ITEM, COLLECTION] = [1, 2, 3, 4, 5, 6].map((n) => account(n)) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]

let temporary: TemporaryIndex
beforeEach(async () => {
  temporary = await temporaryIndex()
})
afterEach(() => temporary.remove())

const core = ({ workchain, hash }: Address): CoreAddress => new CoreAddress(workchain, hash)

const wallet: Entity = { _: 'jetton_wallet', balance: 5n, owner: OWNER, jetton: MASTER, mintless_is_claimed: null }
const item: Entity = {
  _: 'nft_item',
  init: true,
  index: 7n,
  collection_address: COLLECTION,
  owner_address: OWNER,
  content: { _: 'offchain', uri: '' },
}

const detectedAs = (address: Address, entities: Entity[], lt = 5n): DetectedAccount => ({
  address,
  last_transaction_lt: lt,
  code_hash: madeHash('code'),
  data_hash: madeHash(`data ${lt}`),
  entities,
})

/** Stores accounts as what they were before the batch. */
const storeAs = (address: Address, entities: Entity[]): void => {
  const state: BatchAccount = {
    address,
    state_hash: madeHash('state'),
    status: 'uninit',
    balance: 1n,
    extra_currencies: [],
    last_transaction: { lt: 5n, hash: madeHash('last') },
    frozen_hash: null,
    code_hash: null,
    data_hash: null,
    code: null,
    data: null,
  }
  writeAccountStates(temporary.index, [{ mc_seqno: 1, accounts: [state] }], [detectedAs(address, entities)])
  temporary.index.environment.renew()
}

interface Made {
  to: Address
  body: CoreCell
  from?: Address
  aborted?: boolean
  kind?: 'generic' | 'tick-tock'
}

const transactionOf = ({ to, body, from = OWNER, aborted = false, kind = 'generic' }: Made): BatchTransaction => {
  const bare = beginCore()
  const skipped = { type: 'skipped', reason: 'no-state' } as const
  const description =
    kind === 'generic'
      ? ({ type: 'generic', creditFirst: false, computePhase: skipped, aborted, destroyed: false } as const)
      : ({
          type: 'tick-tock',
          isTock: false,
          storagePhase: { storageFeesCollected: 0n, statusChange: 'unchanged' },
          computePhase: skipped,
          aborted,
          destroyed: false,
        } as const)
  bare.store(
    storeTransaction({
      address: BigInt(`0x${to.hash.toString('hex')}`),
      lt: 10n,
      prevTransactionHash: 0n,
      prevTransactionLt: 0n,
      now: 100,
      outMessagesCount: 0,
      oldStatus: 'active',
      endStatus: 'active',
      inMessage: {
        info: {
          type: 'internal',
          ihrDisabled: true,
          bounce: true,
          bounced: false,
          src: core(from),
          dest: core(to),
          value: { coins: 1n },
          ihrFee: 0n,
          forwardFee: 0n,
          createdLt: 9n,
          createdAt: 99,
        },
        body,
      },
      outMessages: Dictionary.empty(Dictionary.Keys.Uint(15)),
      totalFees: { coins: 0n },
      stateUpdate: { oldHash: Buffer.alloc(32), newHash: Buffer.alloc(32) },
      description,
      raw: beginCore().endCell(),
      hash: () => Buffer.alloc(32),
    }),
  )
  const cell = parseBocRoot(bare.endCell().toBoc())
  return {
    account: to,
    id: { lt: 10n, hash: cell.hash() },
    now: 100,
    orig_status: 'active',
    end_status: 'active',
    block: 0,
    index: 0,
    cell,
    ...readBatchMessages(cell),
  }
}

const PAYLOAD = beginCore().storeUint(0, 32).storeStringTail('hello').endCell()

/** TEP-74 transfer, its forward_payload in line or in a reference. */
const jettonTransfer = (inline: boolean, tag = 0x0f8a7ea5): CoreCell => {
  const head = beginCore().storeUint(tag, 32).storeUint(1, 64).storeCoins(77n).storeAddress(core(OTHER))
  head.storeAddress(core(OWNER)).storeBit(0).storeCoins(1n)
  return inline
    ? head.storeBit(0).storeSlice(PAYLOAD.beginParse()).endCell()
    : head.storeBit(1).storeRef(PAYLOAD).endCell()
}
const jettonBurn = beginCore()
  .storeUint(0x595f07bc, 32)
  .storeUint(1, 64)
  .storeCoins(3n)
  .storeAddress(core(OWNER))
  .endCell()
const nftTransfer = beginCore()
  .storeUint(0x5fcc3d14, 32)
  .storeUint(1, 64)
  .storeAddress(core(OTHER))
  .storeAddress(core(OWNER))
  .storeBit(0)
  .storeCoins(0n)
  .storeBit(0)
  .endCell()
const cutOff = beginCore().storeBits(jettonTransfer(true).bits.substring(0, 120)).endCell()

const found = (transactions: BatchTransaction[], detected: DetectedAccount[] = []) =>
  batchTransfers(temporary.index, { transactions, detected })

describe('of wallets', () => {
  test.each([true, false])('a transfer with its payload in line: %p', (inline) => {
    storeAs(WALLET, [wallet])
    expect(found([transactionOf({ to: WALLET, body: jettonTransfer(inline) })])).toEqual([
      {
        _: 'jetton_transfer',
        transaction: 0,
        aborted: false,
        jetton_wallet: WALLET,
        jetton_master: MASTER,
        source: OWNER,
        destination: OTHER,
      },
    ])
  })

  test('one that a stranger asks for is told with the stranger, and that it was aborted', () => {
    storeAs(WALLET, [wallet])
    const one = transactionOf({ to: WALLET, body: jettonTransfer(true), from: OTHER, aborted: true })
    expect(found([one])).toMatchObject([{ source: OTHER, aborted: true }])
  })

  test('a burn, also without custom_payload', () => {
    storeAs(WALLET, [wallet])
    expect(found([transactionOf({ to: WALLET, body: jettonBurn })])).toMatchObject([
      { _: 'jetton_burn', owner: OWNER, jetton_master: MASTER },
    ])
  })

  test('made in this block: as it was detected', () => {
    const one = transactionOf({ to: WALLET, body: jettonTransfer(true) })
    expect(found([one])).toEqual([])
    expect(found([one], [detectedAs(WALLET, [wallet])])).toMatchObject([{ jetton_master: MASTER }])
  })

  test('closed in this block: as it was known before', () => {
    storeAs(WALLET, [wallet])
    const one = transactionOf({ to: WALLET, body: jettonTransfer(true) })
    expect(found([one], [detectedAs(WALLET, [], 10n)])).toMatchObject([{ jetton_master: MASTER }])
  })

  test('places count all transactions, also those without a transfer', () => {
    storeAs(WALLET, [wallet])
    const other = transactionOf({ to: OTHER, body: jettonTransfer(true) })
    const own = transactionOf({ to: WALLET, body: jettonTransfer(true) })
    expect(found([other, own]).map(({ transaction }) => transaction)).toEqual([1])
  })
})

describe('no transfers', () => {
  test.each([
    ['a body that is cut off', cutOff],
    ['another opcode', jettonTransfer(true, 0x178d4519)],
    ['a comment', PAYLOAD],
    ['no body', beginCore().endCell()],
    ['what an item would be told', nftTransfer],
  ])('%s', (_, body) => {
    storeAs(WALLET, [wallet])
    expect(found([transactionOf({ to: WALLET, body })])).toEqual([])
  })

  test('what a tick-tock transaction holds', () => {
    storeAs(WALLET, [wallet])
    expect(found([transactionOf({ to: WALLET, body: jettonTransfer(true), kind: 'tick-tock' })])).toEqual([])
    storeAs(ITEM, [item])
    expect(found([transactionOf({ to: ITEM, body: nftTransfer, kind: 'tick-tock' })])).toEqual([])
  })
})

test('an item that is given on, with its collection', () => {
  storeAs(ITEM, [item])
  expect(found([transactionOf({ to: ITEM, body: nftTransfer })])).toEqual([
    {
      _: 'nft_transfer',
      transaction: 0,
      aborted: false,
      old_owner: OWNER,
      new_owner: OTHER,
      nft_item: ITEM,
      nft_collection: COLLECTION,
    },
  ])
})
