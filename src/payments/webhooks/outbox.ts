import type { Clock } from '../../common/clock.ts'
import { isTonlithError } from '../../common/errors.ts'
import type { Logger } from '../../common/logger.ts'
import { dueDeliveries, dueMerchants } from '../../store/payments/deliveries.ts'
import type { PaymentStore } from '../../store/payments/environment.ts'
import { findMerchant } from '../../store/payments/merchants.ts'
import { type AttemptWrites, type DeliveryRules, type Sending, type Sent, writeAttempts } from './attempt-writes.ts'
import { createLanes } from './lanes.ts'
import { oldestWaiting } from './oldest-waiting.ts'
import { countWrites, type OutboxCounts } from './outbox-counts.ts'
import { longestDelay } from './retry-delay.ts'
import type { Send } from './send.ts'

/** How the delivery of events goes. */
export interface OutboxStatus extends OutboxCounts {
  /** Events that are being sent. */
  running: number
  /** Merchants with events that wait or are being sent. */
  merchants_waiting: number
  /** Seconds since the oldest event was made that is not delivered yet; 0 where there is none. */
  oldest_undelivered: number
  /** What was done cannot be written: nothing is sent meanwhile. */
  paused: boolean
}

/** Delivers the events in the store to the merchants of one network. */
export interface Outbox {
  /** Has the store looked at now; that is done once a second anyway. */
  wake(): void
  /** Works until it is ended; what is being sent then has a moment left. Rejects for mistakes of ours. */
  run(): Promise<void>
  status(): OutboxStatus
}

export interface OutboxOptions extends DeliveryRules {
  store: PaymentStore
  send: Send
  clock: Clock
  logger: Logger
  signal: AbortSignal
}

const LOOK_MS = 1_000
/** So many times longer than the last look took is none taken: one of very many merchants is long. */
const LOOK_FACTOR = 10
const OLDEST_MS = 10_000
/** What begins and ends within this time is written together. */
const GATHER_MS = 20
/** So many times longer than the last commit took is there none, so that a slow disk does not hold the event loop. */
const REST_FACTOR = 4
const MAX_REST_MS = 500
const MAX_BEGUN_AT_ONCE = 32
const MAX_ENDED_AT_ONCE = 64
/** An answer that comes later than this is a slow one. */
const QUICK_MS = 2_000
/** What is being sent when all ends has so long. */
const LAST_MS = 1_000

/** Makes what delivers events. At most one may run for a store and a network. */
export const createOutbox = (options: OutboxOptions): Outbox => {
  const { store, network, policy, send, clock, logger, signal } = options
  const rules: DeliveryRules = { network, policy }
  const lanes = createLanes()
  const counts: OutboxCounts = { delivered: 0, failed: 0, exhausted: 0, ignored: 0 }
  const latestDelay = longestDelay(policy.delays)
  const broken = Promise.withResolvers<never>()
  const sending = new AbortController()
  let sent: Sent[] = []
  let waking = new AbortController()
  const ours = new Map<string, boolean>()
  let lookedAt = Number.NEGATIVE_INFINITY
  let lookMs = LOOK_MS
  let oldestAt = Number.NEGATIVE_INFINITY
  let commitMs = 0
  let oldest: number | undefined
  let paused = false

  const wakeUp = (): void => waking.abort()
  const isOver = (): boolean => signal.aborted || sending.signal.aborted

  /** A mistake of ours: nothing more is done. What is under way counts as interrupted. */
  const breakDown = (error: unknown): void => {
    broken.reject(error)
    sending.abort()
    wakeUp()
  }

  /** Whether a merchant is one of this network, which it stays. */
  const isOurs = (merchant: string): boolean =>
    ours.getOrInsertComputed(merchant, () => findMerchant(store, merchant)?.network === network)

  /** Sees what others have written. */
  const look = (): void => {
    const began = clock.monotonic()
    lookedAt = began
    const due = dueMerchants(store).filter(({ merchant }) => isOurs(merchant))
    lanes.setAll(due)
    if (began - oldestAt >= OLDEST_MS || due.length === 0) {
      oldestAt = began
      oldest = oldestWaiting(
        store,
        due.map(({ merchant }) => merchant),
      )
    }
    lookMs = Math.max(LOOK_MS, LOOK_FACTOR * (clock.monotonic() - began))
  }

  /** What can begin now. One that is due too late was noted by a clock that was ahead. */
  const pick = (now: number): AttemptWrites['due'] => {
    const latest = now + latestDelay
    const picked: { merchant: string; event: string }[] = []
    for (const { merchant, running, free } of lanes.ready(now, latest)) {
      const room = Math.min(free, MAX_BEGUN_AT_ONCE - picked.length)
      const limit = running.size + room + 1
      const waiting = dueDeliveries(store, merchant, { until: Number.POSITIVE_INFINITY, limit }).filter(
        ({ event }) => !running.has(event),
      )
      const wanted = waiting.filter(({ due }) => due <= now || due > latest).slice(0, room)
      picked.push(...wanted.map(({ event }) => ({ merchant, event })))
      lanes.setDue(merchant, waiting.find((one) => !wanted.includes(one))?.due)
      if (picked.length === MAX_BEGUN_AT_ONCE) break
    }
    return picked
  }

  const attempt = async (one: Sending): Promise<void> => {
    const { event, merchant, url } = one
    const began = clock.monotonic()
    const result = await send(event, { url, webhook: merchant.webhook }, sending.signal)
    if (sending.signal.aborted) return
    lanes.answered(merchant.id, clock.monotonic() - began < QUICK_MS)
    sent.push({ ...one, result, ended: clock.now() })
    wakeUp()
  }

  /** Writes what has ended and what begins. @returns false where that is not possible */
  const write = (writes: AttemptWrites): boolean => {
    const began = clock.monotonic()
    try {
      const written = writeAttempts(store, rules, writes, clock.now())
      paused = false
      commitMs = clock.monotonic() - began
      for (const { event, merchant } of writes.ended) lanes.end(merchant.id, event.id)
      for (const { merchant, due, open } of written.deliveries)
        if (due !== null && open === null) lanes.noteDue(merchant, due)
      for (const one of written.begun) {
        lanes.begin(one.merchant.id, one.event.id)
        attempt(one).catch(breakDown)
      }
      countWrites(counts, written)
      return true
    } catch (error) {
      if (!isTonlithError(error)) throw error
      if (!paused)
        logger.warn({ reason: error.message }, 'webhooks cannot be sent for now: nothing can be noted of them')
      paused = true
      return false
    }
  }

  /** @returns whether something was written */
  const step = (): boolean => {
    if (clock.monotonic() - lookedAt >= lookMs) look()
    const ended = sent.slice(0, MAX_ENDED_AT_ONCE)
    const due = isOver() ? [] : pick(clock.now())
    if (ended.length + due.length === 0 || !write({ ended, due })) return false
    sent = sent.slice(ended.length)
    return true
  }

  const idleMs = (): number => {
    const untilLook = lookMs - (clock.monotonic() - lookedAt)
    if (paused) return untilLook
    return Math.max(1, Math.min(untilLook, (lanes.nextDue() ?? Number.POSITIVE_INFINITY) - clock.now()))
  }

  const work = async (): Promise<void> => {
    signal.addEventListener('abort', wakeUp)
    while (!isOver()) {
      if (waking.signal.aborted) waking = new AbortController()
      if (step()) await clock.sleep(Math.max(GATHER_MS, Math.min(MAX_REST_MS, REST_FACTOR * commitMs)))
      else await clock.sleep(idleMs(), waking.signal)
    }
    const end = clock.monotonic() + LAST_MS
    while (!sending.signal.aborted && lanes.running() > 0 && clock.monotonic() < end) {
      step()
      await clock.sleep(GATHER_MS)
    }
    sending.abort()
    while (sent.length > 0 && step());
  }

  return {
    wake: () => {
      lookedAt = Number.NEGATIVE_INFINITY
      wakeUp()
    },
    run: async () => {
      await Promise.race([work().catch(breakDown), broken.promise])
      if (!signal.aborted) await broken.promise
    },
    status: () => ({
      ...counts,
      running: lanes.running(),
      merchants_waiting: lanes.size(),
      oldest_undelivered: oldest === undefined ? 0 : Math.max(0, Math.floor((clock.now() - oldest) / 1000)),
      paused,
    }),
  }
}
