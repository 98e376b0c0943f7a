import { describe, expect, test } from 'bun:test'
import { type AccountContents, detectAccountState } from '../../../src/contracts/account-state.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { type Cell, LIBRARY, PRUNED_BRANCH } from '../../../src/ton/cell.ts'
import { makeCell } from '../../../src/ton/data-cell.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { variant } from '../../support/account-variants.ts'

const LABELS = [
  'wallet.v3.r2',
  'wallet.v4.r2',
  'wallet.highload.v1.r1',
  'wallet.highload.v2.r2',
  'dns.r1',
  'rwallet.started.past.after_transfer',
  'pchan.init.signedA.data',
]

const library = (hash: Buffer): Cell => beginCell().uint(LIBRARY, 8).bytes(hash).endCell(true)
const pruned = (): Cell => makeCell(new Uint8Array(36).fill(1, 0, 2).fill(PRUNED_BRANCH, 0, 1), 288, [], true)

const cut = (cell: Cell, bits: number, refs = cell.refCount): Cell => {
  const slice = beginParse(cell)
  const builder = beginCell().bits(slice.bits(bits))
  for (let i = 0; i < refs; i++) builder.ref(cell.ref(i))
  return builder.endCell()
}

const isRaw = (account: AccountContents): void => {
  const { code, data } = account
  expect(detectAccountState(account)).toEqual({
    state: { _: 'raw.accountState', code, data, frozen_hash: null },
    revision: 0,
  })
}

describe('an account without code', () => {
  const none: AccountContents = { balance: 5n, code: null, data: null, frozenHash: null, now: 1 }

  test('is uninited', () => {
    expect(detectAccountState(none)).toEqual({ state: { _: 'uninited.accountState', frozen_hash: null }, revision: 0 })
  })

  test('is uninited even when it has data', () => {
    expect(detectAccountState({ ...none, data: beginCell().endCell() }).state._).toBe('uninited.accountState')
  })

  test('keeps its frozen hash', () => {
    const frozenHash = Buffer.alloc(32, 7)
    expect(detectAccountState({ ...none, frozenHash }).state).toEqual({
      _: 'uninited.accountState',
      frozen_hash: frozenHash,
    })
  })
})

describe('code', () => {
  test('that nobody knows is raw', () => {
    isRaw({ ...variant('wallet.v3.r2'), code: beginCell().uint(1, 8).endCell() })
  })

  test('that is a library reference is raw, even when the library is a known contract', () => {
    const account = variant('wallet.v3.r2')
    isRaw({ ...account, code: library(account.code!.hash()) })
  })
})

describe('data that is none of the contract', () => {
  for (const label of LABELS) {
    const account = variant(label)
    const data = account.data!
    const known = detectAccountState(account).state._

    test(`${label}: absent`, () => isRaw({ ...account, data: null }))
    test(`${label}: empty`, () => isRaw({ ...account, data: beginCell().endCell() }))
    test(`${label}: an exotic cell`, () => {
      isRaw({ ...account, data: library(Buffer.alloc(32)) })
      isRaw({ ...account, data: pruned() })
    })
    test(`${label}: cut at any bit or reference ends in raw or in the same kind`, () => {
      for (let bits = 0; bits <= data.bits; bits++)
        for (let refs = 0; refs <= data.refCount; refs++) {
          const { state, revision } = detectAccountState({ ...account, data: cut(data, bits, refs) })
          expect(['raw.accountState', known]).toContain(state._)
          if (state._ === 'raw.accountState') expect(revision).toBe(0)
        }
    })
  }

  test('a wallet needs both its numbers', () => {
    const account = variant('wallet.v3.r2')
    isRaw({ ...account, data: cut(account.data!, 63) })
    expect(detectAccountState({ ...account, data: cut(account.data!, 64) }).state._).toBe('wallet.v3.accountState')
  })

  test('a dictionary that is an exotic cell is raw', () => {
    const account = variant('rwallet.started.past.after_transfer')
    for (const dict of [library(Buffer.alloc(32)), pruned()])
      isRaw({
        ...account,
        data: beginCell().bits(beginParse(account.data!).bits(account.data!.bits)).ref(dict).endCell(),
      })
  })
})
