/** Whether the machine itself lets programs run in time: without that no time that was measured says anything. */
export interface Machine {
  /** True while, and for some seconds after, it kept even what no fault strikes waiting. */
  isBusy(): boolean
  /** Seconds in which it was. */
  busySeconds(): number
  stop(): void
}

const LOOK_MS = 200
/** A question that takes a few milliseconds, and our own timer, may be late by so much. */
const LATE_MS = 400
const MEMORY_MS = 4_000

/** Watches by a question to the network's own gateway, which asks nobody else, and by our own timer. */
export const watchMachine = (ask: () => Promise<unknown>): Machine => {
  let busyUntil = Number.NEGATIVE_INFINITY
  let asked: number | undefined
  let busy = 0
  let stopped = false
  const watch = async (): Promise<void> => {
    let last = performance.now()
    while (!stopped) {
      await Bun.sleep(LOOK_MS)
      const woken = performance.now()
      asked = woken
      await ask().catch(() => {})
      asked = undefined
      const now = performance.now()
      if (woken - last - LOOK_MS > LATE_MS || now - woken > LATE_MS) busyUntil = now + MEMORY_MS
      if (now < busyUntil) busy += now - last
      last = now
    }
  }
  void watch()
  return {
    isBusy: () => {
      const now = performance.now()
      return now < busyUntil || (asked !== undefined && now - asked > LATE_MS)
    },
    busySeconds: () => busy / 1000,
    stop: () => {
      stopped = true
    },
  }
}
