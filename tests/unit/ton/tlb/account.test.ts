import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import { loadAccountStatus, loadShardAccount, parseAccount } from '../../../../src/ton/tlb/account.ts'
import { prunedCell } from '../../../support/exotic-cells.ts'
import { failureOf } from '../../../support/failure.ts'

const ID = Buffer.alloc(32, 0x77)
const DICT_HASH = Buffer.alloc(32, 0xd1)
const CODE = beginCell().uint(1, 8).endCell()
const DATA = beginCell().uint(2, 8).endCell()
/** last_trans_lt 5, balance 1000 */
const storage = (builder: Builder): Builder => builder.uint(5, 64).coins(1000n).bit(false)
const head = (): Builder => beginCell().bit(true).uint(0b100, 3).int(0, 8).bytes(ID)
const uninit = (builder: Builder) => storage(builder).uint(0, 2).endCell()
const used = (builder: Builder): Builder => builder.varUint(22n, 7).varUint(5443n, 7)

const statOf = (cell: ReturnType<typeof uninit>) => {
  const account = parseAccount(cell)
  if (account._ !== 'account') throw new Error('no account')
  return account.storage_stat
}

const stateOf = (build: (builder: Builder) => Builder) => {
  const account = parseAccount(build(storage(used(head()).uint(0, 3).uint(100, 32).bit(false))).endCell())
  return account._ === 'account' ? account.storage.state : null
}

describe('parseAccount', () => {
  test('account_none', () => {
    expect(parseAccount(beginCell().bit(false).endCell())).toEqual({ _: 'account_none' })
    expect(failureOf(() => parseAccount(beginCell().uint(0, 2).endCell()))).toBe('malformed')
  })

  test('all states', () => {
    const hash = Buffer.alloc(32, 3)
    expect(stateOf((b) => b.uint(0, 2))).toEqual({ _: 'account_uninit' })
    expect(stateOf((b) => b.uint(1, 2).bytes(hash))).toEqual({ _: 'account_frozen', state_hash: hash })
    const active = { _: 'account_active', code: CODE, data: DATA, library: null } as const
    expect(stateOf((b) => b.uint(0b100, 3).maybeRef(CODE).maybeRef(DATA).bit(false))).toEqual({
      ...active,
      fixed_prefix_length: null,
      special: null,
    })
    const special = (b: Builder): Builder => b.uint(0b1, 1).uint(0b1_01000_1_10, 9).maybeRef(CODE).maybeRef(DATA)
    expect(stateOf((b) => special(b).bit(false))).toEqual({
      ...active,
      fixed_prefix_length: 8,
      special: { tick: true, tock: false },
    })
  })

  test('storage statistics of today', () => {
    const plain = uninit(used(head()).uint(0, 3).uint(100, 32).bit(true).coins(7n))
    expect(statOf(plain)).toEqual({
      used: { cells: 22n, bits: 5443n },
      public_cells: 0n,
      storage_extra: { _: 'storage_extra_none' },
      last_paid: 100,
      due_payment: 7n,
    })
    const extra = uninit(used(head()).uint(1, 3).bytes(DICT_HASH).uint(100, 32).bit(false))
    expect(statOf(extra).storage_extra).toEqual({ _: 'storage_extra_info', dict_hash: DICT_HASH })
  })

  test('storage statistics of old, with public cells of every width', () => {
    for (const public_cells of [0n, 1n, 255n, 256n, 70_000n, 2n ** 48n - 1n]) {
      const cell = uninit(used(head()).varUint(public_cells, 7).uint(100, 32).bit(true).coins(7n))
      expect(statOf(cell)).toMatchObject({ public_cells, last_paid: 100, due_payment: 7n })
    }
  })

  test('refuses cells that are too short, too long or pruned', () => {
    const cell = (tail: number) => uninit(used(head()).uint(0, 3).uint(100, 32).bit(false).uint(0, tail))
    expect(failureOf(() => parseAccount(cell(0)))).toBe('none')
    expect(failureOf(() => parseAccount(cell(1)))).toBe('malformed')
    expect(failureOf(() => parseAccount(head().endCell()))).toBe('malformed')
    expect(failureOf(() => parseAccount(prunedCell(1, [ID], [0])))).toBe('malformed')
  })
})

test('loadShardAccount leaves the account closed', () => {
  const account = prunedCell(1, [ID], [0])
  const cell = beginCell().ref(account).bytes(ID).uint(9, 64).endCell()
  expect(loadShardAccount(beginParse(cell))).toEqual({ account, last_trans_hash: ID, last_trans_lt: 9n })
})

test('loadAccountStatus', () => {
  const names = [0, 1, 2, 3].map((bits) => loadAccountStatus(beginParse(beginCell().uint(bits, 2).endCell())))
  expect(names).toEqual(['acc_state_uninit', 'acc_state_frozen', 'acc_state_active', 'acc_state_nonexist'])
})
