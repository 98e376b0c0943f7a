import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type PendingWatch, startPendingWatch } from '../../../src/chain/pending-watch.ts'
import { systemClock } from '../../../src/common/clock.ts'
import { normalizedMessageHash } from '../../../src/ton/message-hash.ts'
import { parseTransaction } from '../../../src/ton/tlb/transaction.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { type RecordedExternal, recordedExternals } from '../../support/recorded-externals.ts'
import { until } from '../../support/until.ts'

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
    await pending.ready
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
