import { describe, expect, test } from 'bun:test'
import { createSentMessages } from '../../../src/chain/sent-messages.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

const HASH = Buffer.alloc(32, 1)
const OTHER = Buffer.alloc(32, 2)

const setUp = async () => {
  const clock = createVirtualClock()
  await clock.advance(1)
  const sent = createSentMessages(clock)
  let deliveries = 0
  const deliver = async (): Promise<void> => void deliveries++
  return { clock, sent, deliver, deliveries: () => deliveries }
}

describe('a message', () => {
  test('that was accepted is not delivered again for a minute', async () => {
    const { clock, sent, deliver, deliveries } = await setUp()
    await sent.once(HASH, deliver)
    await clock.advance(59_000)
    await sent.once(HASH, deliver)
    expect(deliveries()).toBe(1)
    await sent.once(OTHER, deliver)
    expect(deliveries()).toBe(2)
    await clock.advance(2_000)
    await sent.once(HASH, deliver)
    expect(deliveries()).toBe(3)
  })

  test('that failed is tried again', async () => {
    const { sent, deliver, deliveries } = await setUp()
    const fail = (): Promise<void> => Promise.reject(new Error('no'))
    expect(sent.once(HASH, fail)).rejects.toThrow('no')
    await sent.once(HASH, fail).catch(() => {})
    await sent.once(HASH, deliver)
    await sent.once(HASH, deliver)
    expect(deliveries()).toBe(1)
  })

  test('that is on its way is not delivered twice; all that sent it hear how it went', async () => {
    const { sent, deliveries } = await setUp()
    const gate = Promise.withResolvers<void>()
    let started = 0
    const slow = (): Promise<void> => {
      started++
      return gate.promise
    }
    const all = [1, 2, 3].map(() => sent.once(HASH, slow))
    gate.reject(new Error('refused'))
    for (const each of await Promise.allSettled(all)) expect(each.status).toBe('rejected')
    expect([started, deliveries()]).toEqual([1, 0])
  })

  test('is forgotten when very many others came after it', async () => {
    const { sent, deliver, deliveries } = await setUp()
    const hash = Buffer.alloc(32)
    for (let i = 0; i <= 65_536; i++) {
      hash.writeUInt32BE(i, 0)
      await sent.once(hash, deliver)
    }
    hash.writeUInt32BE(65_536, 0)
    await sent.once(hash, deliver)
    expect(deliveries()).toBe(65_537)
    hash.writeUInt32BE(0, 0)
    await sent.once(hash, deliver)
    expect(deliveries()).toBe(65_538)
  })
})
