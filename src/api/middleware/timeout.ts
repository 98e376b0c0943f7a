import { TonlithError } from '../../common/errors.ts'
import type { StopSignal } from '../../common/stop.ts'

/** How long somebody waits for work. */
export interface Patience {
  /** Milliseconds from now on. */
  readonly ms: number
  /** Aborted when who waits has gone. */
  readonly signal?: StopSignal
}

/** The status that servers log for a caller who did not wait for the answer. */
export const HUNG_UP = 499

const hungUp = (): TonlithError => new TonlithError('connection', 'the caller hung up', { code: HUNG_UP })

/**
 * Gives the outcome of `work`, or throws as soon as the patience is over, having called `onEnd`: `timeout`, or
 * `connection` with code 499 when who waits has gone. What `work` ends in later is ignored.
 */
export const within = <T>({ ms, signal }: Patience, work: Promise<T>, onEnd: () => void = () => {}): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const giveUp = (error: TonlithError): void => {
      forget()
      reject(error)
      onEnd()
    }
    const leave = (): void => giveUp(hungUp())
    const timer = setTimeout(() => giveUp(new TonlithError('timeout', `no answer within ${ms} ms`)), ms)
    const forget = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
    const settle =
      <V>(end: (value: V) => void) =>
      (value: V): void => {
        forget()
        end(value)
      }
    work.then(settle(resolve), settle(reject))
    if (signal?.aborted) leave()
    else signal?.addEventListener('abort', leave)
  })
