import { join } from 'node:path'

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
/** How many times as long as its work something of low priority may take. */
const STRETCH = 4
const MEMORY_MS = 4_000

/** Watches by a question to the network's own gateway, which asks nobody else, by our own timer, and by a patient worker. */
export const watchMachine = (ask: () => Promise<unknown>): Machine => {
  const begun = performance.now()
  const worker = Bun.spawn([process.execPath, join(import.meta.dir, 'patient-worker.ts')], { stdout: 'pipe' })
  let heardAt = begun
  let busyUntil = Number.NEGATIVE_INFINITY
  let asked: number | undefined
  let busy = 0
  let stopped = false

  const note = (): void => {
    busyUntil = performance.now() + MEMORY_MS
  }
  const isBusy = (): boolean => {
    const now = performance.now()
    const isWaiting = asked !== undefined && now - asked > LATE_MS
    return now < busyUntil || isWaiting || now - heardAt > 1_000 + LATE_MS
  }

  const listen = async (): Promise<void> => {
    for await (const chunk of worker.stdout.pipeThrough(new TextDecoderStream())) {
      heardAt = performance.now()
      if (Math.max(...chunk.trim().split('\n').map(Number)) > STRETCH) note()
    }
  }
  const watch = async (): Promise<void> => {
    let last = performance.now()
    while (!stopped) {
      await Bun.sleep(LOOK_MS)
      asked = performance.now()
      const isLate = asked - last - LOOK_MS > LATE_MS
      await ask().catch(() => {})
      const now = performance.now()
      if (isLate || now - asked > LATE_MS) note()
      asked = undefined
      if (isBusy()) busy += now - last
      last = now
    }
  }
  void listen()
  void watch()

  return {
    isBusy,
    busySeconds: () => busy / 1000,
    stop: () => {
      stopped = true
      worker.kill()
    },
  }
}
