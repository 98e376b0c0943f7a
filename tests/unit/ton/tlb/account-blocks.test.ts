import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { recordProof } from '../../../../src/ton/merkle.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import {
  accountBlock,
  accountBlocks,
  blockTransactions,
  transactionAt,
  transactionsOf,
} from '../../../../src/ton/tlb/account-blocks.ts'
import { encodeDict } from '../../../support/dict-encoder.ts'
import { failureOf } from '../../../support/failure.ts'

interface Row {
  account: number
  lt: bigint
}

const idOf = (account: number): Buffer => {
  const id = Buffer.alloc(32)
  id.writeUInt16BE(account, 0)
  return id
}
const bits = (value: bigint, width: number): string => value.toString(2).padStart(width, '0')
const cellOf = ({ account, lt }: Row): Cell =>
  beginCell().uint(account, 16).uint(lt, 64).ref(beginCell().uint(lt, 64).endCell()).endCell()
const fees = (builder: Builder, n: number): Builder => builder.coins(BigInt(n)).bit(false)
const label = <T>(fitting: readonly T[]): T => fitting[fitting.length - 1]!

/** ShardAccountBlocks with the given transactions. */
const encode = (rows: readonly Row[]): Cell => {
  const accounts = Map.groupBy(rows, ({ account }) => account)
  const root = encodeDict(
    Array.from(accounts, ([account, own]) => {
      const transactions = encodeDict(
        own.map((row) => ({ key: bits(row.lt, 64), value: (builder: Builder) => builder.ref(cellOf(row)) })),
        64,
        { label, extra: (builder, entries) => fees(builder, entries.length) },
      )
      return {
        key: bits(BigInt(`0x${idOf(account).toString('hex')}`), 256),
        value: (builder: Builder) =>
          builder.uint(5, 4).bytes(idOf(account)).slice(beginParse(transactions)).ref(beginCell().endCell()),
      }
    }),
    256,
    { label, extra: (builder, entries) => fees(builder, entries.length) },
  )
  return fees(beginCell().maybeRef(root), rows.length).endCell()
}

const row = fc.record({ account: fc.nat(12).map((n) => n * 5000), lt: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) })
const near = fc.record({ account: fc.nat(5), lt: fc.bigInt({ min: 0n, max: 20n }) })
const rows = fc.uniqueArray(fc.oneof(row, near), {
  selector: ({ account, lt }) => `${account}:${lt}`,
  minLength: 1,
  maxLength: 30,
})
const inOrder = (all: readonly Row[]): Row[] =>
  all.toSorted((a, b) => a.account - b.account || (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0))

const list = (cell: Cell, walk: Parameters<typeof blockTransactions>[1] = {}): Row[] =>
  Array.from(blockTransactions(cell, walk), ({ account_addr, lt }) => ({ account: account_addr.readUInt16BE(0), lt }))

describe('blockTransactions', () => {
  test('lists by account, then lt, in both directions', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const cell = encode(all)
        expect(list(cell)).toEqual(inOrder(all))
        expect(list(cell, { reverse: true })).toEqual(inOrder(all).reverse())
        for (const { account_addr, lt, cell: transaction } of blockTransactions(cell))
          expect(transaction.hash()).toEqual(cellOf({ account: account_addr.readUInt16BE(0), lt }).hash())
      }),
    )
  })

  test('goes on behind any place, present or not', () => {
    fc.assert(
      fc.property(rows, fc.oneof(row, near), fc.boolean(), (all, place, reverse) => {
        const cell = encode(all)
        const sorted = reverse ? inOrder(all).reverse() : inOrder(all)
        const behind = ({ account, lt }: Row): boolean => {
          const order = account - place.account || (lt < place.lt ? -1 : lt > place.lt ? 1 : 0)
          return reverse ? order < 0 : order > 0
        }
        const after = { account_addr: idOf(place.account), lt: place.lt }
        expect(list(cell, { after, reverse })).toEqual(sorted.filter(behind))
      }),
    )
  })

  test('opens no transaction, and only what lies on the way to what is taken', () => {
    const all = Array.from({ length: 64 }, (_, n) => ({ account: (n >> 2) * 4096, lt: BigInt(n) }))
    const cell = encode(all)
    const recorded = recordProof(cell)
    const walk = blockTransactions(recorded.root, { after: { account_addr: idOf(5 * 4096), lt: 20n } })
    const first = walk.next().value!
    expect({ account: first.account_addr.readUInt16BE(0), lt: first.lt }).toEqual({ account: 5 * 4096, lt: 21n })
    const shown = recorded.proof().ref(0)
    expect(transactionAt(shown, idOf(5 * 4096), 21n)?.hash(0)).toEqual(cellOf(all[21]!).hash())
    expect(failureOf(() => beginParse(transactionAt(shown, idOf(5 * 4096), 21n)!))).toBe('malformed')
    expect(failureOf(() => accountBlock(shown, idOf(9 * 4096)))).toBe('malformed')
    expect(list(shown, { skipPruned: true })).toContainEqual(all[21]!)
  })
})

describe('one account', () => {
  const all = [
    { account: 1, lt: 5n },
    { account: 1, lt: 9n },
    { account: 2, lt: 6n },
  ]
  const cell = encode(all)

  test('has its block, and its transactions', () => {
    expect(Array.from(transactionsOf(accountBlock(cell, idOf(1))!), ({ lt }) => lt)).toEqual([5n, 9n])
    expect(Array.from(transactionsOf(accountBlock(cell, idOf(1))!, { afterLt: 5n }), ({ lt }) => lt)).toEqual([9n])
    expect(accountBlock(cell, idOf(3))).toBeNull()
    expect(Array.from(accountBlocks(cell), ({ account_addr }) => account_addr)).toEqual([idOf(1), idOf(2)])
  })

  test('has a transaction of an lt, or none', () => {
    expect(transactionAt(cell, idOf(1), 9n)?.hash()).toEqual(cellOf(all[1]!).hash())
    expect(transactionAt(cell, idOf(1), 6n)).toBeNull()
    expect(transactionAt(cell, idOf(7), 6n)).toBeNull()
  })

  test('of another tag is refused', () => {
    const broken = encodeDict([{ key: '0'.repeat(256), value: (b) => b.uint(4, 4).uint(0, 256) }], 256, {
      label,
      extra: (builder) => fees(builder, 0),
    })
    expect(failureOf(() => [...accountBlocks(fees(beginCell().maybeRef(broken), 0).endCell())])).toBe('malformed')
  })
})
