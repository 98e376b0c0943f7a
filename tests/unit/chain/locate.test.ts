import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { locateResult, locateSource, type MessageKey } from '../../../src/chain/locate.ts'
import type { Transaction } from '../../../src/model/transaction.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { type Placed, type RecordedMessage, recordedMessages } from '../../support/recorded-messages.ts'
import { rejectionOf } from '../../support/rejection.ts'

const messages = recordedMessages()
const some = (fits: (message: RecordedMessage) => boolean, count: number): RecordedMessage[] => {
  const fitting = messages.filter(fits)
  const step = Math.max(1, Math.floor(fitting.length / count))
  return fitting.filter((_, i) => i % step === 0)
}
const delay = ({ receiver, created_lt }: RecordedMessage): bigint =>
  receiver ? receiver.transaction.id.lt - created_lt : 0n

/** The hash of what was found; of what is to be found, undefined where there is nothing. */
const found = async (search: Promise<Transaction>): Promise<string | undefined> => {
  const error = await rejectionOf(search)
  if (!error) return (await search).id.hash.toString('hex')
  expect(error).toMatchObject({ kind: 'notFound', message: 'transaction was not found' })
  return undefined
}
const hashOf = (placed: Placed | undefined): string | undefined => placed?.transaction.id.hash.toString('hex')

describe('transactions of a message', () => {
  let reader: ArchiveReader
  beforeAll(async () => {
    reader = await startArchiveReader()
  })
  afterAll(() => reader.stop())

  const source = (key: MessageKey, signal = new AbortController().signal) => locateSource(reader.chain, key, signal)
  const result = (key: MessageKey, signal = new AbortController().signal) => locateResult(reader.chain, key, signal)

  const kinds: [string, RecordedMessage[]][] = [
    ['of any kind', some(() => true, 40)],
    ['within the masterchain', some(({ destination }) => destination.workchain === -1, 10)],
    ['between masterchain and basechain', some((each) => each.source.workchain !== each.destination.workchain, 10)],
    ['that the masterchain itself made', some(({ sender }) => !sender, 5)],
    ['that came as the fortieth or later of its block', some(({ receiver }) => (receiver?.index ?? 0) >= 40, 10)],
    ['that left as the fortieth or later of its block', some(({ sender }) => (sender?.index ?? 0) >= 40, 10)],
    ['that came late', some((each) => delay(each) > 2_000_000n, 10)],
    ['that came last of all', [messages.toSorted((a, b) => Number(delay(b) - delay(a)))[0]!]],
  ]
  test.each(kinds)('are found for messages %s', async (_, chosen) => {
    expect(chosen.length).toBeGreaterThan(0)
    for (const message of chosen) {
      expect(await found(result(message))).toBe(hashOf(message.receiver)!)
      expect(await found(source(message))).toBe(hashOf(message.sender)!)
    }
  })

  test('are not found for messages that never were', async () => {
    for (const { source: from, destination, created_lt } of some(() => true, 12)) {
      const wrong = [
        { source: destination, destination: from, created_lt },
        { source: from, destination, created_lt: created_lt + 1n },
        { source: from, destination, created_lt: created_lt - 1n },
        { source: from, destination: { ...destination, workchain: ~destination.workchain }, created_lt },
        { source: from, destination: { workchain: 7, hash: destination.hash }, created_lt },
        { source: from, destination: { workchain: 0, hash: Buffer.alloc(32, 0xaa) }, created_lt },
      ]
      for (const key of wrong) {
        const sent = messages.some(
          (each) =>
            each.source.hash.equals(key.source.hash) &&
            each.destination.hash.equals(key.destination.hash) &&
            each.destination.workchain === key.destination.workchain &&
            each.created_lt === key.created_lt,
        )
        if (sent) continue
        expect(await found(result(key))).toBeUndefined()
        expect(await found(source(key))).toBeUndefined()
      }
    }
  })

  test('are not looked for at a time that no block has reached, nor before the first', async () => {
    const { source: from, destination } = messages[0]!
    const { end_lt } = recordedChain().masterchain(recordedChain().last)!.info
    for (const created_lt of [0n, end_lt + 1_000_000n, (1n << 63n) - 1n]) {
      expect(await found(result({ source: from, destination, created_lt }))).toBeUndefined()
      expect(await found(source({ source: from, destination, created_lt }))).toBeUndefined()
    }
  })

  test('what nobody sent takes a few questions, however far behind it is', async () => {
    const busy = some(({ destination }) => destination.workchain === -1, 1)[0]!
    const count = (): number => Object.values(reader.asked()).reduce((sum, n) => sum + n, 0)
    const before = count()
    expect(await found(result({ ...busy, created_lt: 2_000_001n }))).toBeUndefined()
    expect(count() - before).toBeLessThan(12)
  })

  test('a search ends with its caller', async () => {
    const late = some((each) => delay(each) > 10_000_000n, 1)[0]!
    expect((await rejectionOf(result(late, AbortSignal.abort())))?.kind).toBe('timeout')
  })

  test('a message is not received before it is', async () => {
    const late = messages.filter(
      ({ sender, receiver }) => sender && receiver && receiver.block.mc_seqno > sender.block.mc_seqno,
    )
    for (const message of late.filter((_, i) => i % 150 === 0)) {
      const { sender, receiver } = message
      const [sentAt, receivedAt] = [sender!.block.mc_seqno, receiver!.block.mc_seqno]
      for (const seqno of new Set([sentAt, receivedAt - 1, receivedAt])) {
        const then = await startArchiveReader({ head: seqno })
        const signal = new AbortController().signal
        const expected = seqno === receivedAt ? hashOf(receiver) : undefined
        expect(await found(locateResult(then.chain, message, signal))).toBe(expected!)
        expect(await found(locateSource(then.chain, message, signal))).toBe(hashOf(sender)!)
        await then.stop()
      }
    }
  })
})
