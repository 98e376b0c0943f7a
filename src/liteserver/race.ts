import type { Clock } from '../common/clock.ts'
import type { TonlithError } from '../common/errors.ts'
import { createStop, type StopSignal } from '../common/stop.ts'

/** What follows from a failed attempt: tell the caller, try another candidate, or wait for one if there is none. */
export type Verdict = 'throw' | 'next' | 'wait'

export interface Attempt {
  /** Aborts when the race is over; the reason is the error of the deadline when that ended it. */
  signal: StopSignal
  /** To be called when the attempt takes longer than usual: another one is started beside it. */
  slow(): void
}

export interface RaceOptions<C, T> {
  clock: Clock
  /** Milliseconds for everything together. */
  timeoutMs: number
  /** Milliseconds to wait for a candidate when there is none. */
  patienceMs(): number
  maxAttempts: number
  signal?: StopSignal | undefined
  /** The best candidate that may be tried now, or undefined. */
  pick(): C | undefined
  /** Resolves when `pick` may give something new, or when `signal` aborts. */
  changed(signal: StopSignal): Promise<void>
  attempt(candidate: C, attempt: Attempt): Promise<T>
  judge(error: unknown, candidate: C): Verdict
  /** The error for the deadline, and for nobody to ask; `cause` is the last attempt's. */
  timeout(): TonlithError
  nobody(cause: unknown): unknown
}

/**
 * Runs attempts at the same thing within one deadline until one succeeds: one after the other when they fail, side by
 * side when one is slow. The first success, or the first failure that is final, decides; the others are aborted.
 */
export const race = <C, T>(options: RaceOptions<C, T>): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const end = createStop()
    let started = 0
    let running = 0
    let over = false
    let lastError: unknown

    const finish = (settle: () => void, reason?: TonlithError): void => {
      if (over) return
      over = true
      settle()
      end.abort(reason)
      options.signal?.removeEventListener('abort', onAbort)
    }
    const onAbort = (): void => finish(() => reject(options.timeout()))
    const onDeadline = (): void => {
      if (over) return
      const error = options.timeout()
      finish(() => reject(error), error)
    }

    const run = async (candidate: C): Promise<void> => {
      try {
        const value = await options.attempt(candidate, { signal: end.signal, slow: () => void launch() })
        finish(() => resolve(value))
      } catch (error) {
        running--
        if (!over) failed(error, candidate)
      }
    }

    const launch = (): boolean => {
      if (over || started >= options.maxAttempts) return false
      const candidate = options.pick()
      if (candidate === undefined) return false
      started++
      running++
      void run(candidate)
      return true
    }

    const failed = (error: unknown, candidate: C): void => {
      lastError = error
      const verdict = options.judge(error, candidate)
      if (verdict === 'throw') finish(() => reject(error))
      else if (launch() || running > 0) return
      else if (verdict === 'next' || started >= options.maxAttempts) finish(() => reject(error))
      else void park()
    }

    const park = async (): Promise<void> => {
      const patienceMs = options.patienceMs()
      if (patienceMs <= 0) return finish(() => reject(options.nobody(lastError)))
      const patience = createStop()
      const stop = (): void => patience.abort()
      end.signal.addEventListener('abort', stop)
      void options.clock.sleep(patienceMs, patience.signal).then(stop)
      let launched = false
      while (!over && !launched && !patience.signal.aborted) {
        await options.changed(patience.signal)
        launched = launch()
      }
      stop()
      end.signal.removeEventListener('abort', stop)
      if (!launched) finish(() => reject(options.nobody(lastError)))
    }

    if (options.signal?.aborted) {
      onAbort()
      return
    }
    options.signal?.addEventListener('abort', onAbort)
    void options.clock.sleep(options.timeoutMs, end.signal).then(onDeadline)
    if (!launch()) void park()
  })
