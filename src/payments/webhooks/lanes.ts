/** A merchant whose deliveries are due, and how many of them may be sent now. */
export interface ReadyLane {
  merchant: string
  /** Events that are being sent, at most MAX_PER_MERCHANT. */
  running: ReadonlySet<string>
  free: number
}

/** Who may send how much at a time, so that a merchant that does not answer keeps no other waiting. */
export interface Lanes {
  /** The next delivery of a merchant is due at this time (unix milliseconds); undefined where none waits. */
  setDue(merchant: string, due: number | undefined): void
  /** One more delivery of a merchant waits. */
  noteDue(merchant: string, due: number): void
  /** These merchants and no others have deliveries that wait. */
  setAll(due: readonly { merchant: string; due: number }[]): void
  /** Merchants with something due by `now`, or later than `latest`, and with room for it; those that sent last come last. */
  ready(now: number, latest: number): Iterable<ReadyLane>
  begin(merchant: string, event: string): void
  /** Tells whether a merchant's endpoint answers soon, be it with an error. */
  answered(merchant: string, quick: boolean): void
  end(merchant: string, event: string): void
  /** When the next delivery is due that there is room for. */
  nextDue(): number | undefined
  /** Events that are being sent. */
  running(): number
  /** Merchants with events that wait or are being sent. */
  size(): number
}

/** At the same time: of one merchant that answers soon, and of any other. */
export const MAX_PER_MERCHANT = 16
const MAX_PER_UNKNOWN_MERCHANT = 8
/** At the same time: of all, and of those together that did not answer soon the last time. */
const MAX_RUNNING = 512
const MAX_SLOW_RUNNING = MAX_RUNNING / 2
/** Merchants of which it is remembered how they answered. */
const MAX_REMEMBERED = 10_000

interface Lane {
  running: Set<string>
  due: number | undefined
}

/** Makes the lanes of all merchants, empty. */
export const createLanes = (): Lanes => {
  const lanes = new Map<string, Lane>()
  const quickness = new Map<string, boolean>()
  let running = 0
  let slowRunning = 0

  const laneOf = (merchant: string): Lane => {
    const found = lanes.get(merchant)
    if (found) return found
    const lane: Lane = { running: new Set(), due: undefined }
    lanes.set(merchant, lane)
    return lane
  }

  const isSlow = (merchant: string): boolean => quickness.get(merchant) === false

  const roomOf = (merchant: string, lane: Lane): number => {
    const allowed = quickness.get(merchant) ? MAX_PER_MERCHANT : MAX_PER_UNKNOWN_MERCHANT
    const all = MAX_RUNNING - running
    const room = isSlow(merchant) ? Math.min(all, MAX_SLOW_RUNNING - slowRunning) : all
    return Math.max(0, Math.min(allowed - lane.running.size, room))
  }

  const tidy = (merchant: string, lane: Lane): void => {
    if (lane.due === undefined && lane.running.size === 0) lanes.delete(merchant)
  }

  const setDue = (merchant: string, due: number | undefined): void => {
    const lane = laneOf(merchant)
    lane.due = due
    tidy(merchant, lane)
  }

  return {
    setDue,
    noteDue: (merchant, due) => setDue(merchant, Math.min(due, lanes.get(merchant)?.due ?? due)),
    setAll: (due) => {
      const waiting = new Set(due.map(({ merchant }) => merchant))
      for (const merchant of [...lanes.keys()]) if (!waiting.has(merchant)) setDue(merchant, undefined)
      for (const one of due) setDue(one.merchant, one.due)
    },
    *ready(now, latest) {
      for (const [merchant, lane] of [...lanes]) {
        const free = roomOf(merchant, lane)
        if (lane.due === undefined || free === 0 || (lane.due > now && lane.due <= latest)) continue
        lanes.delete(merchant)
        lanes.set(merchant, lane)
        yield { merchant, running: lane.running, free }
      }
    },
    begin: (merchant, event) => {
      laneOf(merchant).running.add(event)
      running++
      if (isSlow(merchant)) slowRunning++
    },
    answered: (merchant, quick) => {
      const count = lanes.get(merchant)?.running.size ?? 0
      if (isSlow(merchant) === quick) slowRunning += quick ? -count : count
      quickness.delete(merchant)
      quickness.set(merchant, quick)
      if (quickness.size <= MAX_REMEMBERED) return
      for (const oldest of quickness.keys()) if (!lanes.has(oldest)) return void quickness.delete(oldest)
    },
    end: (merchant, event) => {
      const lane = laneOf(merchant)
      if (!lane.running.delete(event)) return
      running--
      if (isSlow(merchant)) slowRunning--
      tidy(merchant, lane)
    },
    nextDue: () => {
      let next: number | undefined
      for (const [merchant, lane] of lanes)
        if (lane.due !== undefined && (next === undefined || lane.due < next) && roomOf(merchant, lane) > 0)
          next = lane.due
      return next
    },
    running: () => running,
    size: () => lanes.size,
  }
}
