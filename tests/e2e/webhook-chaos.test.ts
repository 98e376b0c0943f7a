import { afterAll, expect, test } from 'bun:test'
import { seededRandom } from '../../src/common/seeded-random.ts'
import type { Merchant, WebhookEvent } from '../../src/model/payments.ts'
import { dueMerchants } from '../../src/store/payments/deliveries.ts'
import { copyExecutable } from '../support/executable.ts'
import { gateways, type StartKilled, webhookSenders } from '../support/killed-process.ts'
import { madeEvents, madeMerchant, temporaryPayments } from '../support/temporary-payments.ts'
import { checkEvent, timeWithin } from '../support/webhook-check.ts'
import { RECEIVER_KINDS, type Receiver, type ReceiverKind, startReceiver } from '../support/webhook-receivers.ts'

/**
 * Events for receivers of every kind, while what sends them is killed with SIGKILL at random moments. WEBHOOK_EVENTS=N makes
 * so many events, WEBHOOK_KILLS=N kills so often, WEBHOOK_SEED=N at other moments. WEBHOOK_GATEWAY=1 kills the gateway
 * itself, with the delays and the deadline of spec.md, instead of a process that only sends, in less time.
 */

const EVENTS = Number(process.env.WEBHOOK_EVENTS ?? 160)
const KILLS = Number(process.env.WEBHOOK_KILLS ?? 5)
const SEED = Number(process.env.WEBHOOK_SEED ?? 1)
const OF_GATEWAY = process.env.WEBHOOK_GATEWAY === '1'

const DELAYS = OF_GATEWAY ? [1_000, 5_000, 15_000] : [100, 300, 600]
const DEADLINE_MS = OF_GATEWAY ? 10_000 : 1_000
const HANG_MS = 1.2 * DEADLINE_MS
const KILL_WITHIN_MS = OF_GATEWAY ? 4_000 : 800
const STARTING_MS = OF_GATEWAY ? 3_000 : 300
/** One kill in so many comes while the process starts. */
const EARLY = 5
const TRIAL_MS = 7_200_000

/** Merchants of each kind: those that hang are many, as they take the longest. */
const MERCHANTS: Record<ReceiverKind, number> = {
  '200': 4,
  '400': 1,
  '500': 1,
  hang: EVENTS > 1_000 ? 32 : 2,
  close: 1,
  redirect: 1,
  huge: 1,
  certificate: 1,
}

interface Shop {
  merchant: Merchant
  receiver: Receiver
  events: WebhookEvent[]
}

const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

const quantile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? 0

test(
  `${EVENTS} events and ${KILLS} kills: each is delivered or exhausted, in the same bytes, and nobody waits for others`,
  async () => {
    const { store, data, remove } = await temporaryPayments()
    stops.push(remove)
    const random = seededRandom(SEED)
    const shops: Shop[] = []
    for (const kind of RECEIVER_KINDS) {
      for (let n = 0; n < MERCHANTS[kind]; n++) {
        const receiver = await startReceiver(kind, HANG_MS)
        stops.push(receiver.stop)
        shops.push({ merchant: madeMerchant(store, receiver.url, 'dev', Date.now()), receiver, events: [] })
      }
    }
    let start: StartKilled = webhookSenders(data, DELAYS, DEADLINE_MS)
    if (OF_GATEWAY) {
      const alone = await copyExecutable()
      stops.push(alone.remove)
      start = gateways(alone, data)
    }

    const kinds = RECEIVER_KINDS.map((kind) => shops.filter(({ receiver }) => receiver.kind === kind))
    const make = (count: number): void => {
      const shares = new Map<Shop, number>()
      for (let n = 0; n < count; n++) {
        const ofKind = kinds[Math.floor(random() * kinds.length)]!
        const shop = ofKind[Math.floor(random() * ofKind.length)]!
        shares.set(shop, (shares.get(shop) ?? 0) + 1)
      }
      for (const [shop, share] of shares) shop.events.push(...madeEvents(store, shop.merchant, share, Date.now()))
    }

    const alive: { from: number; until: number }[] = []
    let made = 0
    for (let kill = 0; kill < KILLS; kill++) {
      if (random() * EARLY < 1) await start(random() * STARTING_MS)
      const running = await start()
      if (!running) throw new Error('it was not to be killed yet')
      const share = Math.round((EVENTS * (kill + 1)) / (KILLS + 1)) - made
      for (let part = 0; part < 4; part++) {
        make(Math.round((share * (part + 1)) / 4) - Math.round((share * part) / 4))
        await Bun.sleep((random() * KILL_WITHIN_MS) / 4)
      }
      made += share
      alive.push({ from: running.ready, until: await running.kill() })
    }
    const last = await start()
    if (!last) throw new Error('it was not to be killed')
    make(EVENTS - made)
    while (dueMerchants(store).length > 0) await Bun.sleep(100)
    alive.push({ from: last.ready, until: await last.kill() })

    const checked = shops.flatMap(({ merchant, receiver, events }) =>
      events.map((event) => ({ event, receiver, ...checkEvent(store, merchant, receiver, event, DELAYS) })),
    )
    expect(checked).toHaveLength(EVENTS)
    expect(checked.filter(({ faults }) => faults.length > 0).map(({ kind, faults }) => [kind, ...faults])).toEqual([])
    // An event whose attempt was interrupted waits for its own retry.
    const waits = checked
      .filter(({ kind, interrupted }) => kind === '200' && interrupted === 0)
      .map(({ event, receiver }) => {
        const first = receiver.received.find(({ id }) => id === event.id)!
        return timeWithin(alive, event.created, first.at)
      })
    const interrupted = checked.reduce((sum, one) => sum + one.interrupted, 0)
    console.log(
      `${EVENTS} events, ${KILLS} kills, seed ${SEED}: ${interrupted} attempts interrupted; good receivers waited`,
      `${quantile(waits, 0.5)} ms (median), ${quantile(waits, 0.99)} ms (99 %), ${quantile(waits, 1)} ms (most)`,
    )
    for (const kind of RECEIVER_KINDS) {
      const late = checked.filter((one) => one.kind === kind && one.interrupted === 0).flatMap((one) => one.late)
      if (late.length > 0) console.log(`  ${kind}: retries late by ${quantile(late, 0.5)} ms (median)`)
    }
    expect(quantile(waits, 1)).toBeLessThan(10_000)
  },
  TRIAL_MS,
)
