import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { outMsgs, parseHashUpdate, parseTransaction } from '../../../../src/ton/tlb/transaction.ts'
import { encodeDict } from '../../../support/dict-encoder.ts'
import { prunedCell } from '../../../support/exotic-cells.ts'
import { failureOf } from '../../../support/failure.ts'

const ID = Buffer.alloc(32, 5)
const PREV = Buffer.alloc(32, 6)
const CLOSED = prunedCell(1, [ID], [3])
const MESSAGES = [0, 1, 2, 3].map((n) => beginCell().uint(n, 8).endCell())
const OUT = encodeDict(
  MESSAGES.map((message, n) => ({
    key: n.toString(2).padStart(15, '0'),
    value: (builder: Builder) => builder.ref(message),
  })),
  15,
  { label: (fitting) => fitting[0]! },
)

const transaction = (tag = 7, tail = 0) =>
  beginCell()
    .uint(tag, 4)
    .bytes(ID)
    .uint(2n ** 64n - 1n, 64)
    .bytes(PREV)
    .uint(17, 64)
    .uint(18, 32)
    .uint(4, 15)
    .uint(0b1110, 4)
    .ref(beginCell().maybeRef(CLOSED).maybeRef(OUT).endCell())
    .coins(19n)
    .bit(false)
    .ref(CLOSED)
    .ref(CLOSED)
    .uint(0, tail)
    .endCell()

describe('Transaction', () => {
  const parsed = parseTransaction(transaction())

  test('is read without opening messages, state update or description', () => {
    expect(parsed).toEqual({
      account_addr: ID,
      lt: 2n ** 64n - 1n,
      prev_trans_hash: PREV,
      prev_trans_lt: 17n,
      now: 18,
      outmsg_cnt: 4,
      orig_status: 'acc_state_nonexist',
      end_status: 'acc_state_active',
      in_msg: CLOSED,
      out_msgs: OUT,
      total_fees: { grams: 19n, other: null },
      state_update: CLOSED,
      description: CLOSED,
    })
  })

  test('lists its messages in their order', () => {
    expect([...outMsgs(parsed)]).toEqual(MESSAGES)
    expect([...outMsgs({ out_msgs: null })]).toEqual([])
  })

  test('of another tag, or with more data, is refused', () => {
    expect(failureOf(() => parseTransaction(transaction(6)))).toBe('malformed')
    expect(failureOf(() => parseTransaction(transaction(7, 1)))).toBe('malformed')
  })
})

test('parseHashUpdate', () => {
  const cell = (tag: number) => beginCell().uint(tag, 8).bytes(ID).bytes(PREV).endCell()
  expect(parseHashUpdate(cell(0x72))).toEqual({ old_hash: ID, new_hash: PREV })
  expect(failureOf(() => parseHashUpdate(cell(0x73)))).toBe('malformed')
})
