import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { isTonlithError } from '../../../../src/common/errors.ts'
import { readAccountsFile } from '../../../../src/devnet/genesis/accounts-file.ts'
import { createGenesis } from '../../../../src/devnet/genesis/genesis.ts'
import { importAccount } from '../../../../src/devnet/genesis/import-account.ts'
import { friendlyAddress, rawAddress } from '../../../../src/ton/address.ts'
import { MASTERCHAIN } from '../../../../src/ton/block-id.ts'
import { cellToBoc, serializeBoc } from '../../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { encode } from '../../../../src/ton/tl/codec.ts'
import { type Account, parseAccount, type ShardAccount, storeShardAccount } from '../../../../src/ton/tlb/account.ts'
import { extraCurrencies } from '../../../../src/ton/tlb/currency.ts'
import { parseMcStateExtra } from '../../../../src/ton/tlb/mc-state-extra.ts'
import { shardBlockId, shardEntries } from '../../../../src/ton/tlb/shard-hashes.ts'
import { parseShardStateUnsplit, shardAccounts } from '../../../../src/ton/tlb/shard-state.ts'
import { buildCell } from '../../../../src/ton/tlb/tag.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'

setDefaultTimeout(60_000)

const now = 1_800_000_000

/** Every account that the recorded network has at its end. */
const recorded: { workchain: number; id: Buffer; entry: ShardAccount }[] = (() => {
  const chain = recordedChain()
  const master = chain.masterchain(chain.last)!
  const { custom } = parseShardStateUnsplit(master.state)
  const ids = [...shardEntries(parseMcStateExtra(custom!).shard_hashes)].map(shardBlockId)
  return [master.id, ...ids].flatMap((id) =>
    [...shardAccounts(parseShardStateUnsplit(chain.block(id)!.state).accounts)].map(([account, entry]) => ({
      workchain: id.workchain,
      id: account,
      entry,
    })),
  )
})()

type Existing = Extract<Account, { _: 'account' }>

const existing = (cell: Cell): Existing => {
  const account = parseAccount(cell)
  if (account._ !== 'account') throw new Error('no account')
  return account
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const code = beginCell().uint(1, 8).endCell()
const data = beginCell().uint(2, 8).ref(code).endCell()
const hex = (cell: Cell): string => cellToBoc(cell).toString('hex')
const address = `0:${'ab'.repeat(32)}`

const messageOf = (bytes: Buffer): string => {
  try {
    readAccountsFile(bytes, now)
  } catch (error) {
    if (isTonlithError(error, 'invalid')) return error.message
    throw error
  }
  return ''
}

describe('accounts of the recorded network', () => {
  test('come in with their balance and state, and with the storage that the node counted', () => {
    for (const { workchain, id, entry } of recorded) {
      const { address, account } = importAccount(entry.account, now)
      expect(rawAddress(address)).toBe(rawAddress({ workchain, hash: id }))
      const [before, after] = [existing(entry.account), existing(account.ref(0))]
      expect(after.storage_stat.used).toEqual(before.storage_stat.used)
      expect(after.storage_stat).toMatchObject({ last_paid: now, due_payment: before.storage_stat.due_payment })
      expect(after.storage.balance.grams).toBe(before.storage.balance.grams)
      expect(extraCurrencies(after.storage.balance.other)).toEqual(extraCurrencies(before.storage.balance.other))
      expect(after.storage.state._).toBe(before.storage.state._)
      expect(after.storage.last_trans_lt).toBe(0n)
    }
    expect(recorded.length).toBeGreaterThan(400)
  })

  test('come in as a BoC of many roots, and stand in the zerostate', () => {
    const ours = createGenesis({ gen_utime: now, shards: 1 })
    const taken = new Set(
      [...shardAccounts(parseShardStateUnsplit(ours.masterchain.root).accounts)].map(([id]) => id.toString('hex')),
    )
    const fresh = recorded.filter(({ workchain, id }) => workchain !== MASTERCHAIN || !taken.has(id.toString('hex')))
    const roots = fresh.map(({ entry }, i) => (i % 2 === 0 ? entry.account : buildCell(storeShardAccount, entry)))
    const accounts = readAccountsFile(serializeBoc(roots), now)
    expect(accounts.length).toBe(fresh.length)
    const genesis = createGenesis({ gen_utime: now, shards: 1, accounts })
    const total = [genesis.masterchain, genesis.basechain].reduce(
      (sum, { root }) => sum + [...shardAccounts(parseShardStateUnsplit(root).accounts)].length,
      0,
    )
    expect(total).toBe(fresh.length + 14)
  })
})

describe('accounts to load', () => {
  test('are given by their parts', () => {
    const entries = [
      { address, code: hex(code), data: cellToBoc(data).toString('base64'), balance: '123456789012345678901' },
      { address: friendlyAddress({ workchain: MASTERCHAIN, hash: Buffer.alloc(32, 1) }), balance: 5 },
      { address: `0:${'cd'.repeat(32)}`, frozen_hash: 'ef'.repeat(32), balance: '7', extra_currencies: { '100': '9' } },
    ]
    for (const bytes of [json(entries), json({ accounts: entries })]) {
      const [active, uninit, frozen] = readAccountsFile(bytes, now).map(({ account }) => existing(account.ref(0)))
      expect(active!.storage.balance.grams).toBe(123456789012345678901n)
      const { state } = active!.storage
      if (state._ !== 'account_active') throw new Error(state._)
      expect([state.code!.hash(), state.data!.hash()]).toEqual([code.hash(), data.hash()])
      expect(active!.storage_stat.used.cells).toBe(3n)
      expect(uninit!.addr).toMatchObject({ workchain_id: -1 })
      expect(uninit!.storage).toMatchObject({ balance: { grams: 5n }, state: { _: 'account_uninit' } })
      expect(frozen!.storage.state).toMatchObject({ _: 'account_frozen', state_hash: Buffer.alloc(32, 0xef) })
      expect(extraCurrencies(frozen!.storage.balance.other)).toEqual([[100, 9n]])
    }
  })

  test('are given by their cells, in every form', () => {
    const { entry } = recorded[0]!
    const shardAccount = buildCell(storeShardAccount, entry)
    const expected = importAccount(entry.account, now).account.hash()
    const boc = cellToBoc(entry.account)
    const id = recordedChain().masterchain(1)!.id
    const none = Buffer.alloc(0)
    const answer = {
      _: 'liteServer.accountState',
      id,
      shardblk: id,
      shard_proof: none,
      proof: none,
      state: boc,
    } as const
    const forms = [
      boc,
      cellToBoc(shardAccount),
      Buffer.from(boc.toString('hex')),
      Buffer.from(`${boc.toString('base64').replace(/(.{76})/g, '$1\n')}\n`),
      encode(answer),
      json({
        ok: true,
        result: { '@type': 'tvm.cell', bytes: cellToBoc(shardAccount).toString('base64') },
        '@extra': '',
      }),
      json([{ account: boc.toString('base64') }]),
      json([
        {
          account: cellToBoc(shardAccount).toString('hex'),
          address: rawAddress(importAccount(entry.account, now).address),
        },
      ]),
    ]
    for (const bytes of forms)
      expect(readAccountsFile(bytes, now).map(({ account }) => account.hash())).toEqual([expected])
  })

  const account = hex(recorded[0]!.entry.account)
  const long = (n: number): Cell => {
    let cell = beginCell().endCell()
    for (let i = 0; i < n; i++) cell = beginCell().ref(cell).endCell()
    return cell
  }
  /** A tree of 4^n different cells. */
  const wide = (n: number, mark = 0n): Cell => {
    const builder = beginCell().uint(mark, 64)
    for (let i = 0n; n > 0 && i < 4n; i++) builder.ref(wide(n - 1, mark * 4n + i + 1n))
    return builder.endCell()
  }
  const refused: [what: string, bytes: Buffer, message: RegExp][] = [
    ['nothing', Buffer.alloc(0), /neither JSON nor a BoC/],
    ['no accounts', json([]), /there are none/],
    ['too many accounts', json(Array.from({ length: 10_001 }, () => 1)), /more than 10000/],
    ['other text', Buffer.from('hello'), /neither JSON nor a BoC/],
    ['other bytes', Buffer.from([0xff, 0xfe, 0]), /neither JSON nor a BoC/],
    ['broken JSON', Buffer.from('[{]'), /JSON: malformed JSON/],
    ['JSON of another form', json({ account }), /number 1|neither a list/],
    ['an unknown field', json([{ address, balence: 5 }]), /number 1: unknown field "balence"/],
    ['an entry that is none', json([{ address }, 5]), /number 2: not an object/],
    ['no address', json([{ balance: 5 }]), /neither address nor account/],
    ['a bad address', json([{ address: 'EQ' }]), /address is none/],
    ['another workchain', json([{ address: `1:${'ab'.repeat(32)}` }]), /no workchain 1/],
    ['a fraction', json([{ address, balance: 1.5 }]), /balance is no whole number/],
    ['a negative balance', json([{ address, balance: -1 }]), /no amount of nanotons/],
    ['too much', json([{ address, balance: (1n << 120n).toString() }]), /no amount of nanotons/],
    ['code that is no BoC', json([{ address, code: 'te6cc' }]), /code is no BoC with one root/],
    ['data of another type', json([{ address, data: 5 }]), /data is no BoC in hex or base64/],
    ['a frozen account with code', json([{ address, code: hex(code), frozen_hash: 'ab'.repeat(32) }]), /has no code/],
    ['parts beside cells', json([{ account, balance: 5 }]), /balance stands beside account/],
    ['an address that is not the account’s', json([{ account, address }]), /not the address that is given/],
    ['an account twice', json([{ address }, { address: address.toUpperCase() }]), /stands there twice/],
    ['cells that are no account', cellToBoc(data), /root 1: the cells are no account/],
    ['an account that is none', cellToBoc(beginCell().bit(false).endCell()), /does not exist/],
    ['deep data', json([{ address, data: hex(long(520)) }]), /deeper than 512/],
    ['a broken BoC', cellToBoc(data).subarray(0, 10), /BoC: /],
    ['many cells', json([{ address, data: hex(wide(8)) }]), /more than 65536 cells/],
  ]
  for (const [what, bytes, message] of refused)
    test(`are refused in one line: ${what}`, () => {
      const text = messageOf(bytes)
      expect(text).toMatch(message)
      expect(text).toStartWith('accounts to load: ')
      expect(text).not.toContain('\n')
      expect(text.length).toBeLessThan(200)
    })

  test('never fail in another way', () => {
    const texts = [
      account,
      json([{ address, code: hex(code), data: hex(data), balance: '5' }]).toString(),
      cellToBoc(recorded[1]!.entry.account).toString('latin1'),
    ].map((text) => Buffer.from(text, 'latin1'))
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), fc.integer({ min: 0, max: 255 }), (bytes, at, value) => {
        const changed = Buffer.from(bytes)
        changed[at % changed.length] = value
        messageOf(changed)
      }),
      { numRuns: 500 },
    )
  })
})
