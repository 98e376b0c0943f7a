import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type PendingWatch, startPendingWatch } from '../../../src/chain/pending-watch.ts'
import { systemClock } from '../../../src/common/clock.ts'
import { normalizedMessageHash } from '../../../src/ton/message-hash.ts'
import { parseTransaction } from '../../../src/ton/tlb/transaction.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { type RecordedExternal, recordedExternals } from '../../support/recorded-externals.ts'
import { until } from '../../support/until.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

let reader: ArchiveReader
let watch: PendingWatch
const mistakes: unknown[] = []
/** Two messages that one wallet took, one after the other. */
let first: RecordedExternal
let second: RecordedExternal

const isNext = (a: RecordedExternal, b: RecordedExternal): boolean =>
  a.address.hash.equals(b.address.hash) &&
  a.address.workchain === b.address.workchain &&
  parseTransaction(b.transaction).lt > parseTransaction(a.transaction).lt &&
  b.block.mc_seqno > a.block.mc_seqno + 3

beforeAll(async () => {
  const sent = [...recordedExternals()].filter(({ block }) => block.mc_seqno > 60)
  const counts = Map.groupBy(sent, ({ message }) => normalizedMessageHash(message).toString('hex'))
  /** Some contracts take the same message again and again. */
  const all = sent.filter(({ message }) => counts.get(normalizedMessageHash(message).toString('hex'))!.length === 1)
  first = all.find((each) => all.some((other) => isNext(each, other)))!
  second = all.find((other) => isNext(first, other))!
  reader = await startArchiveReader({ head: first.block.mc_seqno - 1 })
  watch = startPendingWatch({ clock: systemClock, chain: () => reader.chain, failed: (error) => mistakes.push(error) })
})
afterAll(async () => {
  watch.stop()
  await reader.stop()
})

describe('a message that was sent', () => {
  test('is emulated, then has its real transaction', async () => {
    const { traces } = watch
    traces.add(first.message)
    const pending = traces.byHash(first.message.hash())!
    // On a busy machine the first emulation does not end in time, and is made again.
    await until(async () => (pending.root ? true : undefined), 'its emulation')
    expect(pending.root?.emulated).toBeTrue()
    expect(pending.view.trace.root_hash).toBeNull()
    reader.setHead(first.block.mc_seqno + 1)
    await until(async () => (pending.included ? true : undefined), 'its transaction')
    expect(pending.included!.cell.hash()).toEqual(first.transaction.hash())
    await until(async () => (pending.root?.emulated === false ? true : undefined), 'its trace')
    expect(pending.view.trace.root_hash).toEqual(first.transaction.hash())
    expect(pending.view.transactions.filter(({ emulated }) => !emulated).length).toBe(1)
    expect(mistakes).toEqual([])
  }, 60_000)

  test('that its account has taken before is found', async () => {
    const { traces } = watch
    reader.setHead(second.block.mc_seqno + 1)
    await until(
      async () => ((reader.chain.pool.head()?.id.seqno ?? 0) > second.block.mc_seqno ? true : undefined),
      'the head',
    )
    traces.add(second.message)
    const pending = traces.byHash(second.message.hash())!
    await until(async () => (pending.included ? true : undefined), 'its transaction')
    expect(pending.included!.cell.hash()).toEqual(second.transaction.hash())
    expect(mistakes).toEqual([])
  }, 60_000)
})

describe('a message that waits', () => {
  const clock = createVirtualClock()
  let slow: ArchiveReader
  let late: PendingWatch
  let indexed = false
  beforeAll(async () => {
    slow = await startArchiveReader({ head: first.block.mc_seqno - 1 })
    late = startPendingWatch({
      clock,
      chain: () => slow.chain,
      isIndexed: () => indexed,
      failed: (error) => mistakes.push(error),
    })
  })
  afterAll(async () => {
    late.stop()
    await slow.stop()
  })

  const sent = async () => {
    late.traces.add(first.message)
    const pending = late.traces.byHash(first.message.hash())!
    await pending.ready
    return pending
  }
  /** Lets the watch look, again and again. */
  const looking = <T>(find: () => T | undefined, what: string): Promise<T> =>
    until(async () => {
      await clock.advance(300)
      return find()
    }, what)

  test('is late after a minute, and given up after ten', async () => {
    const { traces } = late
    const pending = await sent()
    expect([traces.isLate(pending), traces.isOver(pending)]).toEqual([false, false])
    clock.skip(61_000)
    expect([traces.isLate(pending), traces.isOver(pending)]).toEqual([true, true])
    await clock.advance(1_000)
    expect(traces.byHash(pending.hash)).toBe(pending)
    expect(traces.ended(pending.hash)).toBeUndefined()
    clock.skip(600_000)
    const ended = await looking(() => traces.ended(pending.hash), 'its end')
    expect(ended.failure).toMatchObject({ phase: 'delivery', code: null })
  }, 60_000)

  test('can be sent again when it is late, be taken later still, and go once it was shown and is in the index', async () => {
    const { traces } = late
    const pending = await sent()
    clock.skip(61_000)
    const again = await sent()
    expect(again).not.toBe(pending)
    expect(traces.isLate(again)).toBeFalse()
    clock.skip(61_000)
    slow.setHead(first.block.mc_seqno + 1)
    await looking(() => (again.included ? true : undefined), 'its transaction')
    expect([traces.isLate(again), traces.isOver(again)]).toEqual([false, false])

    indexed = true
    await clock.advance(5_000)
    expect(traces.byHash(again.hash)).toBe(again)
    indexed = false
    clock.skip(31_000)
    await clock.advance(15_000)
    expect(traces.byHash(again.hash)).toBe(again)
    indexed = true
    await looking(() => (traces.byHash(again.hash) ? undefined : true), 'that the index takes over')
    expect(traces.ended(again.hash)).toBeUndefined()
    expect(mistakes).toEqual([])
  }, 60_000)
})
