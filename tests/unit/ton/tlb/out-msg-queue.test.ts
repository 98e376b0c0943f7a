import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import {
  dispatchedMessages,
  dispatchQueues,
  outMsgQueue,
  parseOutMsgQueueInfo,
  processedInfo,
} from '../../../../src/ton/tlb/out-msg-queue.ts'
import { type DictEntry, encodeDict } from '../../../support/dict-encoder.ts'
import { prunedCell } from '../../../support/exotic-cells.ts'
import { failureOf } from '../../../support/failure.ts'

const MSG = prunedCell(1, [Buffer.alloc(32, 1)], [1])
const label = <T>(fitting: readonly T[]): T => fitting[0]!
const bits = (value: bigint, width: number): string => BigInt.asUintN(width, value).toString(2).padStart(width, '0')
const bytes = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const withLt = (entries: readonly DictEntry[], width: number): Cell =>
  encodeDict(entries, width, { label, extra: (builder) => builder.uint(5, 64) })

const QUEUE = withLt(
  [{ key: bits(-1n, 32) + bits(1n << 63n, 64) + bits(7n, 256), value: (builder) => builder.uint(6, 64).ref(MSG) }],
  352,
)
const PROCESSED = encodeDict(
  [{ key: bits(-(1n << 63n), 64) + bits(77n, 32), value: (builder) => builder.uint(8, 64).bytes(bytes(9n)) }],
  96,
  { label },
)
const messages = (lts: readonly bigint[]): Cell =>
  encodeDict(
    lts.map((lt) => ({ key: bits(lt, 64), value: (builder) => builder.uint(lt + 1n, 64).ref(MSG) })),
    64,
    { label },
  )
const DISPATCH = withLt(
  [10n, 20n].map((sender) => ({
    key: bits(sender, 256),
    value: (builder: Builder) => builder.maybeRef(messages([sender, sender + 1n, 2n ** 63n])).uint(3, 48),
  })),
  256,
)

const info = (tail: (builder: Builder) => Builder): Cell =>
  tail(beginCell().maybeRef(QUEUE).uint(5, 64).maybeRef(PROCESSED)).endCell()
const withExtra = (size: number | null): Cell =>
  info((builder) => {
    const extra = builder.bit(true).uint(0, 4).maybeRef(DISPATCH).uint(5, 64)
    return size === null ? extra.bit(false) : extra.bit(true).uint(size, 48)
  })

describe('OutMsgQueueInfo', () => {
  test('with dispatch queue and size', () => {
    expect(parseOutMsgQueueInfo(withExtra(2 ** 47))).toEqual({
      out_queue: { root: QUEUE, extra: 5n },
      proc_info: PROCESSED,
      extra: { dispatch_queue: { root: DISPATCH, extra: 5n }, out_queue_size: 2 ** 47 },
    })
    expect(parseOutMsgQueueInfo(withExtra(null)).extra?.out_queue_size).toBeNull()
  })

  test('of old, with an empty IHR dictionary', () => {
    expect(parseOutMsgQueueInfo(info((builder) => builder.bit(false))).extra).toBeNull()
    expect(failureOf(() => parseOutMsgQueueInfo(info((builder) => builder.bit(true).uint(1, 4))))).toBe('malformed')
  })

  test('lists what waits and what was processed', () => {
    const { out_queue, proc_info } = parseOutMsgQueueInfo(withExtra(null))
    expect([...outMsgQueue(out_queue)]).toEqual([
      [
        { workchain: -1, prefix: 1n << 63n, hash: bytes(7n) },
        { enqueued_lt: 6n, out_msg: MSG },
      ],
    ])
    expect([...processedInfo(proc_info)]).toEqual([
      { shard: -(1n << 63n), mc_seqno: 77, last_msg_lt: 8n, last_msg_hash: bytes(9n) },
    ])
  })
})

describe('DispatchQueue', () => {
  const { dispatch_queue } = parseOutMsgQueueInfo(withExtra(null)).extra!

  test('is walked by sender', () => {
    const found = Array.from(dispatchQueues(dispatch_queue), ([sender, { count, min_lt }]) => [sender, count, min_lt])
    expect(found).toEqual([
      [bytes(10n), 3, 5n],
      [bytes(20n), 3, 5n],
    ])
    expect(Array.from(dispatchQueues(dispatch_queue, { after: bytes(10n) }), ([sender]) => sender)).toEqual([
      bytes(20n),
    ])
  })

  test('gives the messages of one sender by lt', () => {
    const queue = new Map(dispatchQueues(dispatch_queue)).values().toArray()[1]!
    const lts = (after?: bigint) =>
      Array.from(dispatchedMessages(queue, after === undefined ? {} : { after }), ([lt, { enqueued_lt }]) => {
        expect(enqueued_lt).toBe(lt + 1n)
        return lt
      })
    expect(lts()).toEqual([20n, 21n, 2n ** 63n])
    expect(lts(20n)).toEqual([21n, 2n ** 63n])
  })
})
