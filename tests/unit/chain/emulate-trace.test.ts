import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { emulateTrace } from '../../../src/chain/emulate-trace.ts'
import { messageCells } from '../../../src/model/batch-message.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { buildMessage, parseMessage } from '../../../src/ton/tlb/message.ts'
import { parseTransaction } from '../../../src/ton/tlb/transaction.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { type RecordedExternal, recordedExternals } from '../../support/recorded-externals.ts'
import { type Deed, emulatedDeed, recordedTraces } from '../../support/recorded-tree.ts'
import { rejectionOf } from '../../support/rejection.ts'

/** Of the recorded external messages, every so many-th is emulated. */
const EVERY = 9
/** Nano-units by which storage fees of other times change what messages carry. */
const FEES_OF_TIME = 1_000n

let reader: ArchiveReader
beforeAll(async () => {
  reader = await startArchiveReader()
})
afterAll(() => reader.stop())

const emulate = ({ message, block }: RecordedExternal, signal = AbortSignal.timeout(20_000)) =>
  emulateTrace(reader.chain, { message, ignore_chksig: false, seqno: block.mc_seqno - 1, signal })

const valuesOf = ({ sent, next }: Deed): bigint[] => [
  ...sent.map(({ value }) => value ?? 0n),
  ...next.flatMap(valuesOf),
]

/** Without values; of bodies, the hash or what they look like. */
const shapeOf = ({ sent, next, ...deed }: Deed, told: 'body' | 'head'): object => ({
  ...deed,
  sent: sent.map((message) => message[told]),
  next: next.map((each) => shapeOf(each, told)),
})

const sizeOf = ({ next }: Deed): number => next.reduce((size, each) => size + sizeOf(each), 1)

describe('emulateTrace', () => {
  test('does what the network did with the same messages', async () => {
    const recorded = recordedTraces()
    const bySize: number[] = []
    /** Traces with a body that tells the time. */
    let timed = 0
    for (const [i, external] of Array.from(recordedExternals()).entries()) {
      const { transaction, block } = external
      const seqno = block.mc_seqno - 1
      if (i % EVERY !== 0 || !recorded.isUndisturbed(transaction, seqno)) continue
      const done = recorded.deed(transaction)
      if (sizeOf(done) > 200) continue
      const trace = await emulate(external)
      expect(trace).toMatchObject({ refusal: undefined, is_incomplete: false, depth_limit_exceeded: false })
      const made = emulatedDeed(trace)
      expect(shapeOf(made, 'head')).toEqual(shapeOf(done, 'head'))
      if (!Bun.deepEquals(shapeOf(made, 'body'), shapeOf(done, 'body'))) timed++
      const values = valuesOf(done)
      valuesOf(made).forEach((value, at) => {
        const more = value - values[at]!
        expect(more < 0n ? -more : more).toBeLessThan(FEES_OF_TIME)
      })
      bySize.push(sizeOf(done))
    }
    expect(timed).toBeLessThan(3)
    expect(bySize.length).toBeGreaterThan(100)
    expect(Math.max(...bySize)).toBeGreaterThan(4)
  }, 60_000)

  test('goes on three masterchain blocks later with each hop, and stays in order', async () => {
    const traces = recordedTraces()
    const deep = Array.from(recordedExternals()).find(({ transaction }) => {
      const size = sizeOf(traces.deed(transaction))
      return size > 4 && size < 20
    })!
    const { block, transactions } = await emulate(deep)
    expect(block.seqno).toBe(deep.block.mc_seqno - 1)
    for (const { cell, depth, mc_seqno, emulated } of transactions) {
      expect(emulated).toBeTrue()
      expect(mc_seqno).toBe(block.seqno + 1 + 3 * depth)
      const parent = transactions.find(({ cell: other }) =>
        messageCells(other).out_msgs.some((message) => message.hash().equals(parseTransaction(cell).in_msg!.hash())),
      )
      if (depth === 0) expect(parent).toBeUndefined()
      else {
        expect(parent!.depth).toBe(depth - 1)
        expect(parseTransaction(cell).lt).toBeGreaterThan(parseTransaction(parent!.cell).lt)
        expect(parseTransaction(cell).now).toBeGreaterThan(parseTransaction(parent!.cell).now)
      }
    }
  })

  test('ends at 256 transactions', async () => {
    const traces = recordedTraces()
    const wide = Array.from(recordedExternals()).find(({ transaction }) => sizeOf(traces.deed(transaction)) > 256)!
    const { transactions, is_incomplete, depth_limit_exceeded } = await emulate(wide)
    expect(transactions.length).toBe(256)
    expect({ is_incomplete, depth_limit_exceeded }).toEqual({ is_incomplete: true, depth_limit_exceeded: false })
  }, 20_000)

  test('a message that was taken before is not accepted', async () => {
    const [external] = recordedExternals()
    const { message, block } = external!
    const signal = AbortSignal.timeout(20_000)
    const trace = await emulateTrace(reader.chain, { message, ignore_chksig: false, seqno: block.mc_seqno + 3, signal })
    expect(trace.transactions).toEqual([])
    expect(trace.refusal).toMatchObject({ reason: 'not_accepted' })
  })

  test('an internal message begins a trace, too', async () => {
    const traces = recordedTraces()
    const { transaction, block } = Array.from(recordedExternals()).find(
      ({ transaction }) => traces.deed(transaction).next.length === 1,
    )!
    const [message] = messageCells(transaction).out_msgs
    const signal = AbortSignal.timeout(20_000)
    const trace = await emulateTrace(reader.chain, {
      message: message!,
      ignore_chksig: false,
      seqno: block.mc_seqno,
      signal,
    })
    expect(trace.transactions[0]!.cell.hash()).toBeInstanceOf(Buffer)
    expect(parseTransaction(trace.transactions[0]!.cell).in_msg!.hash()).toEqual(message!.hash())
  })

  test('refuses a message that goes to no account', async () => {
    const [external] = recordedExternals()
    const parsed = parseMessage(external!.message)
    const src = parsed.info.dest
    if (src._ !== 'addr_std') throw new Error('no account')
    const message = buildMessage({
      ...parsed,
      init: null,
      body: beginCell().endCell(),
      body_in_ref: false,
      info: { _: 'ext_out_msg_info', src, dest: { _: 'addr_none' }, created_lt: 1n, created_at: 1 },
    })
    const signal = AbortSignal.timeout(1_000)
    expect(await rejectionOf(emulateTrace(reader.chain, { message, ignore_chksig: true, signal }))).toMatchObject({
      kind: 'invalid',
    })
  })
})
