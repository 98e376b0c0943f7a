import { describe, expect, test } from 'bun:test'
import { Dictionary, beginCell as tonCoreCell } from '@ton/core'
import { readRestrictedWallet } from '../../../src/contracts/restricted-wallet.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { failureOf } from '../../support/failure.ts'
import { fromTonCore } from '../../support/ton-core.ts'

const START = 1_700_000_000
const BALANCE = 1_000n
const KEY = Buffer.alloc(32, 0xab)

type Limits = readonly (readonly [seconds: number, value: bigint])[]

const limitsDict = (limits: Limits): Cell | null => {
  const dict = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.BigVarUint(4))
  for (const [seconds, value] of limits) dict.set(seconds, value)
  return beginParse(fromTonCore(tonCoreCell().storeDict(dict).endCell())).maybeRef()
}

const head = (seqno: number) => beginCell().uint(seqno, 32).uint(0xfffffffe, 32).bytes(KEY)
const started = (dict: Cell | null, start = START, seqno = 3): Cell =>
  head(seqno).uint(start, 32).maybeRef(dict).endCell()
const notStarted = (seqno = 0): Cell => head(seqno).bytes(Buffer.alloc(32, 0x80)).endCell()

const unlocked = (limits: Limits, now: number, start = START): bigint =>
  readRestrictedWallet(beginParse(started(limitsDict(limits), start)), BALANCE, now).unlocked_balance

/** A dictionary of 2^32 keys in 33 cells: both branches of every fork are the same cell. */
const endlessDict = (): Cell => {
  let node = beginCell().uint(0, 2).coins(1n).endCell()
  for (let i = 0; i < 32; i++) node = beginCell().uint(0, 2).ref(node).ref(node).endCell()
  return node
}

describe('a started wallet', () => {
  const limits: Limits = [
    [200, 10n],
    [-5, 700n],
    [0, 600n],
    [100, 50n],
  ]

  test('shows its numbers and its limits in the order of their seconds', () => {
    const data = beginParse(started(limitsDict(limits)))
    expect(readRestrictedWallet(data, BALANCE, START)).toEqual({
      _: 'rwallet.accountState',
      wallet_id: 0xfffffffen,
      seqno: 3,
      unlocked_balance: 400n,
      config: {
        start_at: BigInt(START),
        limits: [
          { seconds: -5, value: 700n },
          { seconds: 0, value: 600n },
          { seconds: 100, value: 50n },
          { seconds: 200, value: 10n },
        ],
      },
    })
  })

  test('locks by the last limit whose seconds have passed', () => {
    const at = (passed: number): bigint => unlocked(limits, START + passed)
    expect([-6, -5, -1, 0, 99, 100, 199, 200, 1_000_000].map(at)).toEqual([
      1000n,
      300n,
      300n,
      400n,
      400n,
      950n,
      950n,
      990n,
      990n,
    ])
  })

  test('has everything unlocked without limits', () => {
    expect(unlocked([], START)).toBe(BALANCE)
  })

  test('has nothing unlocked when more than its balance is locked', () => {
    expect(unlocked([[0, BALANCE + 1n]], START)).toBe(0n)
  })

  test('without a start counts as one second before it', () => {
    const far = START * 2
    expect(unlocked([[0, 1n]], far, 0)).toBe(BALANCE)
    expect(unlocked([[-1, 1n]], far, 0)).toBe(BALANCE - 1n)
  })

  test('may start further away than an int32 reaches', () => {
    expect(unlocked([[-(2 ** 31), 1n]], START, 2 ** 32 - 1)).toBe(BALANCE)
    expect(unlocked([[2 ** 31 - 1, 1n]], 2 ** 32 - 1, 1)).toBe(BALANCE - 1n)
  })

  test('may have seqno 0 when its data has the started layout', () => {
    const data = beginParse(started(limitsDict([[0, 1n]]), START, 0))
    expect(readRestrictedWallet(data, BALANCE, START).unlocked_balance).toBe(BALANCE - 1n)
  })
})

describe('a wallet before its first message', () => {
  test('has no limits and everything unlocked', () => {
    expect(readRestrictedWallet(beginParse(notStarted()), BALANCE, START)).toEqual({
      _: 'rwallet.accountState',
      wallet_id: 0xfffffffen,
      seqno: 0,
      unlocked_balance: BALANCE,
      config: { start_at: 0n, limits: [] },
    })
  })

  test('cannot have a seqno', () => {
    expect(failureOf(() => readRestrictedWallet(beginParse(notStarted(1)), BALANCE, START))).toBe('malformed')
  })
})

describe('hostile data', () => {
  const failure = (data: Cell): string => failureOf(() => readRestrictedWallet(beginParse(data), BALANCE, START))

  test('with a limit beyond int64 is malformed', () => {
    expect(failure(started(limitsDict([[0, 1n << 63n]])))).toBe('malformed')
  })

  test('with more behind the configuration is malformed', () => {
    expect(failure(head(1).uint(START, 32).bit(false).bit(false).endCell())).toBe('malformed')
    expect(failure(head(1).uint(START, 32).bit(false).ref(beginCell().endCell()).endCell())).toBe('malformed')
  })

  test('with a dictionary that is none is malformed', () => {
    expect(failure(started(beginCell().endCell()))).toBe('malformed')
  })

  test('with a dictionary that repeats its branches ends soon', () => {
    expect(failure(started(endlessDict()))).toBe('limit')
  })
})
