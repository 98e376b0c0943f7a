import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../../src/common/errors.ts'
import { silentLogger } from '../../../../src/common/logger.ts'
import type { Delivery, Merchant } from '../../../../src/model/payments.ts'
import { INTERRUPTED, sendAgain } from '../../../../src/payments/webhooks/delivery-steps.ts'
import { createOutbox, type Outbox } from '../../../../src/payments/webhooks/outbox.ts'
import { DEFAULT_RETRY_DELAYS } from '../../../../src/payments/webhooks/retry-delay.ts'
import type { Send, SendResult } from '../../../../src/payments/webhooks/send.ts'
import { changeDelivery } from '../../../../src/store/payments/deliveries.ts'
import { attemptsOf, findDelivery } from '../../../../src/store/payments/events.ts'
import { changeMerchant } from '../../../../src/store/payments/merchants.ts'
import {
  madeEvents,
  madeMerchant,
  type TemporaryPayments,
  temporaryPayments,
} from '../../../support/temporary-payments.ts'
import { createVirtualClock, settled, type VirtualClock } from '../../../support/virtual-clock.ts'

const OK: SendResult = { status: 200, failure: null, answer: 'ok' }
const BAD: SendResult = { status: 500, failure: 'the answer has status 500', answer: 'no' }

let payments: TemporaryPayments
beforeAll(async () => {
  payments = await temporaryPayments()
})
afterAll(() => payments.remove())

/** Where an outbox works, with what was sent: event, body and when, in milliseconds from its start. */
interface Bench {
  clock: VirtualClock
  outbox: Outbox
  sent: { id: string; body: string; url: string; at: number }[]
  now(): number
  delivery(id: string): Delivery
  running: Promise<void>
  /** As kill -9 does: nothing more is noted. */
  kill(): void
  /** What every transaction fails with from now on. */
  fail(error: Error | undefined): void
  stop(): Promise<void>
}

const bench = (send: (id: string, url: string) => Promise<SendResult>, clock = createVirtualClock()): Bench => {
  const sent: Bench['sent'] = []
  const ending = new AbortController()
  const start = clock.monotonic()
  let dead = false
  let failing: Error | undefined
  const sending: Send = ({ id, body }, { url }) => {
    sent.push({ id, body: body.toString(), url: url.href, at: clock.monotonic() - start })
    return send(id, url.href)
  }
  const store = {
    ...payments.store,
    transaction: <R>(work: () => R): R => {
      if (dead) throw new Error('it is dead')
      if (failing) throw failing
      return payments.store.transaction(work)
    },
  }
  const outbox = createOutbox({
    store,
    network: 'testnet',
    policy: { delays: DEFAULT_RETRY_DELAYS, random: () => 0.5 },
    send: sending,
    clock,
    logger: silentLogger,
    signal: ending.signal,
  })
  const running = outbox.run().catch((error) => {
    if (!dead) throw error
  })
  return {
    clock,
    outbox,
    sent,
    running,
    fail: (error) => {
      failing = error
    },
    now: clock.now,
    delivery: (id) => findDelivery(payments.store, id)!,
    kill: () => {
      dead = true
      ending.abort()
    },
    stop: async () => {
      ending.abort()
      for (let i = 0; i < 20; i++) await clock.advance(100)
      await running
    },
  }
}

const shop = (url = 'https://shop.example/'): Merchant => madeMerchant(payments.store, url)

describe('an event', () => {
  test('is sent at once, noted before and after, and not again once it is delivered', async () => {
    const answer = Promise.withResolvers<SendResult>()
    const it = bench(() => answer.promise)
    const [event] = madeEvents(payments.store, shop(), 1, it.now())
    it.outbox.wake()
    await settled()
    expect(it.sent).toEqual([{ id: event!.id, body: event!.body.toString(), url: 'https://shop.example/', at: 0 }])
    expect(it.delivery(event!.id)).toMatchObject({ state: 'waiting', attempts: 1, open: 1 })
    expect(attemptsOf(payments.store, event!.id)).toMatchObject([{ n: 1, ended: null, status: null, failure: null }])
    answer.resolve(OK)
    await it.clock.advance(100)
    expect(it.delivery(event!.id)).toMatchObject({ state: 'delivered', attempts: 1, open: null, due: null })
    expect(attemptsOf(payments.store, event!.id)).toMatchObject([
      { n: 1, url: 'https://shop.example/', ended: expect.any(Number), status: 200, failure: null, answer: 'ok' },
    ])
    await it.clock.advance(60_000)
    expect(it.sent).toHaveLength(1)
    expect(it.outbox.status()).toMatchObject({
      delivered: 1,
      failed: 0,
      exhausted: 0,
      running: 0,
      oldest_undelivered: 0,
    })
    await it.stop()
  })

  test('is tried four times, 1 s, 5 s and 15 s after each failure, then exhausted', async () => {
    const it = bench(async () => BAD)
    const [event] = madeEvents(payments.store, shop(), 1, it.now())
    await it.clock.advance(60_000)
    const first = it.sent[0]!.at
    expect(it.sent.map(({ at }) => at - first)).toEqual([0, 1_000, 6_000, 21_000])
    expect(new Set(it.sent.map(({ id, body }) => id + body)).size).toBe(1)
    expect(it.delivery(event!.id)).toMatchObject({ state: 'exhausted', attempts: 4, due: null, open: null })
    expect(attemptsOf(payments.store, event!.id).map(({ n, status }) => [n, status])).toEqual([
      [1, 500],
      [2, 500],
      [3, 500],
      [4, 500],
    ])
    expect(it.outbox.status()).toMatchObject({ delivered: 0, failed: 4, exhausted: 1 })
    await it.stop()
  })

  test('waits from the end of an attempt, not from its beginning', async () => {
    const clock = createVirtualClock()
    const it = bench(async () => {
      await clock.sleep(10_000)
      return { status: null, failure: 'no answer within 10 s', answer: null }
    }, clock)
    const [event] = madeEvents(payments.store, shop(), 1, it.now())
    await it.clock.advance(120_000)
    const first = it.sent[0]!.at
    expect(it.sent.map(({ at }) => at - first)).toEqual([0, 11_000, 26_000, 51_000])
    expect(it.delivery(event!.id).state).toBe('exhausted')
    await it.stop()
  })

  test('for the test of a merchant is tried once', async () => {
    const it = bench(async () => BAD)
    const [event] = madeEvents(payments.store, shop(), 1, it.now(), true)
    await it.clock.advance(60_000)
    expect(it.sent).toHaveLength(1)
    expect(it.delivery(event!.id)).toMatchObject({ state: 'exhausted', attempts: 1 })
    await it.stop()
  })

  test('goes to the URL of the moment, and nowhere where there is none', async () => {
    const it = bench(async () => BAD)
    const merchant = shop()
    const [event] = madeEvents(payments.store, merchant, 1, it.now())
    it.outbox.wake()
    await it.clock.advance(500)
    changeMerchant(payments.store, merchant.id, (found) => ({
      ...found,
      webhook: { ...found.webhook, url: 'https://new.example/' },
    }))
    await it.clock.advance(2_000)
    expect(it.sent.map(({ url }) => url)).toEqual(['https://shop.example/', 'https://new.example/'])
    changeMerchant(payments.store, merchant.id, (found) => ({ ...found, webhook: { ...found.webhook, url: null } }))
    await it.clock.advance(60_000)
    expect(it.sent).toHaveLength(2)
    expect(it.delivery(event!.id)).toMatchObject({ state: 'ignored', reason: 'no URL is set', attempts: 2, due: null })
    await it.stop()
  })

  test('that is sent again by hand has all its retries', async () => {
    let answer = BAD
    const it = bench(async () => answer)
    const [event] = madeEvents(payments.store, shop(), 1, it.now())
    await it.clock.advance(60_000)
    changeDelivery(payments.store, event!.id, (delivery) => sendAgain(delivery, it.now()))
    it.outbox.wake()
    await it.clock.advance(5_500)
    answer = OK
    await it.clock.advance(60_000)
    expect(it.delivery(event!.id)).toMatchObject({ state: 'delivered', attempts: 7 })
    expect(attemptsOf(payments.store, event!.id).map(({ manual }) => manual)).toEqual([
      ...[false, false, false, false],
      ...[true, false, false],
    ])
    await it.stop()
  })

  test('that somebody else writes is seen within a second', async () => {
    const it = bench(async () => OK)
    await it.clock.advance(5_300)
    madeEvents(payments.store, shop(), 1, it.now())
    await it.clock.advance(1_000)
    expect(it.sent).toHaveLength(1)
    await it.stop()
  })

  test('of a merchant of another network is left alone', async () => {
    const it = bench(async () => OK)
    const merchant = madeMerchant(payments.store, 'https://shop.example/', 'mainnet')
    const [event] = madeEvents(payments.store, merchant, 1, it.now())
    await it.clock.advance(60_000)
    expect(it.sent).toEqual([])
    expect(it.delivery(event!.id)).toMatchObject({ state: 'waiting', attempts: 0 })
    await it.stop()
  })

  test('is not late because the clock was set back', async () => {
    const it = bench(async () => OK)
    const [event] = madeEvents(payments.store, shop(), 1, it.now() + 3_600_000)
    await it.clock.advance(2_000)
    expect(it.delivery(event!.id).state).toBe('delivered')
    await it.stop()
  })
})

describe('an attempt that the process died over', () => {
  test('counts, and the event goes on where it was', async () => {
    const dying = bench(() => new Promise(() => {}))
    const [event] = madeEvents(payments.store, shop(), 1, dying.now())
    await dying.clock.advance(1_000)
    dying.kill()
    const it = bench(async () => BAD, dying.clock)
    await it.clock.advance(60_000)
    expect(attemptsOf(payments.store, event!.id).map(({ n, ended, failure }) => [n, ended !== null, failure])).toEqual([
      [1, false, INTERRUPTED],
      [2, true, BAD.failure],
      [3, true, BAD.failure],
      [4, true, BAD.failure],
    ])
    const times = attemptsOf(payments.store, event!.id).map(({ begun }) => begun)
    expect(times.map((time) => time - times[0]!)).toEqual([
      0,
      expect.any(Number),
      expect.any(Number),
      expect.any(Number),
    ])
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(1_000)
    expect(times[2]! - times[1]!).toBe(5_000)
    expect(times[3]! - times[2]!).toBe(15_000)
    expect(it.delivery(event!.id)).toMatchObject({ state: 'exhausted', attempts: 4 })
    await it.stop()
  })

  test('that was the last one exhausts the event', async () => {
    const dying = bench(async (): Promise<SendResult> => (dying.sent.length < 4 ? BAD : new Promise(() => {})))
    const [event] = madeEvents(payments.store, shop(), 1, dying.now())
    await dying.clock.advance(60_000)
    dying.kill()
    const it = bench(async () => OK, dying.clock)
    await it.clock.advance(60_000)
    expect(it.sent).toEqual([])
    expect(it.delivery(event!.id)).toMatchObject({ state: 'exhausted', attempts: 4, open: null })
    await it.stop()
  })

  test('in good order has a moment to end', async () => {
    const clock = createVirtualClock()
    const it = bench(async () => {
      await clock.sleep(700)
      return OK
    }, clock)
    const [event] = madeEvents(payments.store, shop(), 1, it.now())
    await it.clock.advance(1_000)
    const [late] = madeEvents(payments.store, shop(), 1, it.now())
    await it.clock.advance(1_000)
    await it.stop()
    expect(it.delivery(event!.id).state).toBe('delivered')
    expect(['delivered', 'waiting']).toContain(it.delivery(late!.id).state)
  })
})

describe('where nothing can be written', () => {
  test('nothing is sent; what was under way is noted once it can', async () => {
    const full = new TonlithError('unavailable', 'the disk is full')
    const answer = Promise.withResolvers<SendResult>()
    const it = bench(() => answer.promise)
    const [event] = madeEvents(payments.store, shop(), 1, it.now())
    await it.clock.advance(1_000)
    it.fail(full)
    answer.resolve(OK)
    const [late] = madeEvents(payments.store, shop(), 1, it.now())
    await it.clock.advance(5_000)
    expect(it.outbox.status()).toMatchObject({ paused: true, delivered: 0, oldest_undelivered: expect.any(Number) })
    expect(it.sent.map(({ id }) => id)).toEqual([event!.id])
    it.fail(undefined)
    await it.clock.advance(3_000)
    expect(it.outbox.status()).toMatchObject({ paused: false, delivered: 2 })
    expect(it.delivery(event!.id)).toMatchObject({ state: 'delivered', attempts: 1 })
    expect(it.delivery(late!.id)).toMatchObject({ state: 'delivered', attempts: 1 })
    await it.stop()
  })

  test('a mistake of ours ends it, with what is under way', async () => {
    const it = bench(() => Promise.reject(new Error('a mistake')))
    const [event] = madeEvents(payments.store, shop(), 1, it.now())
    const ended = it.running.catch((error: Error) => error.message)
    await it.clock.advance(3_000)
    expect(await ended).toBe('a mistake')
    expect(it.sent).toHaveLength(1)
    expect(it.delivery(event!.id)).toMatchObject({ state: 'waiting', open: 1 })
    await bench(async () => OK, it.clock).clock.advance(3_000)
    expect(it.delivery(event!.id)).toMatchObject({ state: 'delivered', attempts: 2 })
  })
})

describe('merchants', () => {
  test('do not wait for those that do not answer', async () => {
    const clock = createVirtualClock()
    const it = bench(async (_, url) => {
      if (!url.includes('bad')) return OK
      await clock.sleep(10_000)
      return { status: null, failure: 'no answer within 10 s', answer: null }
    }, clock)
    const bad = Array.from({ length: 30 }, (_, n) => shop(`https://bad-${n}.example/`))
    for (const merchant of bad) madeEvents(payments.store, merchant, 6, it.now())
    await it.clock.advance(15_000)
    const good = shop('https://good.example/')
    const start = it.clock.monotonic()
    madeEvents(payments.store, good, 50, it.now())
    await it.clock.advance(3_000)
    const delivered = it.sent.filter(({ url }) => url === 'https://good.example/')
    expect(delivered).toHaveLength(50)
    expect(Math.max(...delivered.map(({ at }) => at)) - start).toBeLessThan(2_000)
    expect(it.outbox.status().running).toBeLessThanOrEqual(512)
    expect(it.outbox.status().oldest_undelivered).toBe(18)
    for (const merchant of bad)
      changeMerchant(payments.store, merchant.id, (found) => ({ ...found, webhook: { ...found.webhook, url: null } }))
    await it.clock.advance(60_000)
    await it.stop()
  })
})
