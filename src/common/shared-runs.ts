import { createStop, type StopControl, type StopSignal } from './stop.ts'

/** Work for all who wait for it; its signal is aborted when the last of them has gone. */
export type SharedWork<T> = (signal: StopSignal) => Promise<T>

/** A run, as one of those who wait for it sees it. */
export interface JoinedRun<T> {
  readonly result: Promise<T>
  /** Stops waiting. Once nobody waits any more the run is aborted, and joined by nobody. */
  leave(): void
}

/** Runs under way, by what they are about. */
export interface SharedRuns<T> {
  /** Joins the run for this key that is under way, or starts `work`. */
  join(key: string, work: SharedWork<T>): JoinedRun<T>
}

interface Run<T> {
  readonly result: Promise<T>
  readonly control: StopControl
  waiting: number
}

/** Lets equal questions share one run. */
export const createSharedRuns = <T>(): SharedRuns<T> => {
  const underWay = new Map<string, Run<T>>()
  const forget = (key: string, run: Run<T>): boolean => underWay.get(key) === run && underWay.delete(key)

  const start = (key: string, work: SharedWork<T>): Run<T> => {
    const control = createStop()
    const result = work(control.signal).finally(() => forget(key, run))
    const run: Run<T> = { result, control, waiting: 0 }
    underWay.set(key, run)
    return run
  }

  return {
    join: (key, work) => {
      const run = underWay.get(key) ?? start(key, work)
      run.waiting++
      return {
        result: run.result,
        leave: () => {
          if (--run.waiting === 0 && forget(key, run)) run.control.abort()
        },
      }
    },
  }
}
