import { afterEach, beforeEach, expect, test } from 'bun:test'
import { appendPayments, paymentsBehind, prunePayments } from '../../../src/store/payment-rows.ts'
import type { FoundPayment } from '../../../src/store/payments/paid.ts'
import { samplePayment, ulidNo } from '../../support/payment-samples.ts'
import { type TemporaryIndex, temporaryIndex } from '../../support/temporary-index.ts'

let one: TemporaryIndex
beforeEach(async () => {
  one = await temporaryIndex()
})
afterEach(() => one.remove())

const payments = (...numbers: number[]): FoundPayment[] =>
  numbers.map((n) => ({ reference: ulidNo(n), payment: samplePayment(n) }))

const append = ({ index }: TemporaryIndex, seqno: number, found: readonly FoundPayment[]): void =>
  index.environment.transaction(() => appendPayments(index.tables, seqno, found))

const numbersOf = (found: readonly FoundPayment[]): string[] => found.map(({ reference }) => reference.slice(-2))

test('payments come back as they were written, in their order, page by page', () => {
  const failed = samplePayment(3, {
    status: 'failed',
    raw_amount: (1n << 120n) - 1n,
    error_code: -14,
    error_message: 'the contract ran out of gas; größer',
  })
  const all = [...payments(1, 2), { reference: ulidNo(3), payment: failed }]
  append(one, 5, all.slice(0, 1))
  append(one, 4, all.slice(1))
  const { tables } = one.index
  expect(paymentsBehind(tables, undefined, 10).found).toEqual(all)
  const first = paymentsBehind(tables, undefined, 2)
  expect(first.found).toEqual(all.slice(0, 2))
  const second = paymentsBehind(tables, first.cursor, 2)
  expect(second.found).toEqual(all.slice(2))
  expect(paymentsBehind(tables, second.cursor, 2)).toEqual({ found: [], cursor: undefined })
})

test('an index without payments gives none, whatever the cursor', () => {
  expect(paymentsBehind(one.index.tables, undefined, 10)).toEqual({ found: [], cursor: undefined })
  const cursor = { index: 'ab', position: Buffer.alloc(16) }
  expect(paymentsBehind(one.index.tables, cursor, 10)).toEqual({ found: [], cursor: undefined })
})

test('a cursor of another index, or of a younger copy of this one, leads to the beginning', async () => {
  append(one, 1, payments(1, 2))
  const { cursor } = paymentsBehind(one.index.tables, undefined, 10)
  const other = await temporaryIndex()
  try {
    append(other, 1, payments(1, 2, 3))
    expect(numbersOf(paymentsBehind(other.index.tables, cursor, 10).found)).toEqual(['01', '02', '03'])
  } finally {
    await other.remove()
  }
  const ahead = Buffer.from(cursor!.position)
  ahead.writeBigUInt64BE(3n, 0)
  const changed = Buffer.from(cursor!.position)
  changed[15]! ^= 1
  for (const position of [ahead, changed])
    expect(numbersOf(paymentsBehind(one.index.tables, { index: cursor!.index, position }, 10).found)).toEqual([
      '01',
      '02',
    ])
})

test('old payments are pruned, and the count goes on from the newest', () => {
  const { index } = one
  append(one, 1, payments(1, 2))
  const { cursor } = paymentsBehind(index.tables, undefined, 1)
  append(one, 2, payments(3))
  index.environment.transaction(() => prunePayments(index.tables, 1))
  expect(numbersOf(paymentsBehind(index.tables, undefined, 10).found)).toEqual(['03'])
  expect(numbersOf(paymentsBehind(index.tables, cursor, 10).found)).toEqual(['03'])
  index.environment.transaction(() => prunePayments(index.tables, 2))
  expect(numbersOf(paymentsBehind(index.tables, undefined, 10).found)).toEqual(['03'])
  const last = paymentsBehind(index.tables, undefined, 10).cursor
  append(one, 3, payments(4))
  expect(numbersOf(paymentsBehind(index.tables, last, 10).found)).toEqual(['04'])
})
