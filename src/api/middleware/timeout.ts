import { TonlithError } from '../../common/errors.ts'
import type { StopSignal } from '../../common/stop.ts'

/** How long somebody waits for work. */
export interface Patience {
  /** Milliseconds from now on. */
  readonly ms: number
  /** Gives what is aborted when who waits has gone; asked for where the work takes longer than MOMENT_MS. */
  readonly signal?: () => StopSignal
}

/** Most work ends sooner. To make and to hear the signal of a request takes a twentieth of what a get-method takes. */
const MOMENT_MS = 20

/** The status that servers log for a caller who did not wait for the answer. */
export const HUNG_UP = 499

const hungUp = (): TonlithError => new TonlithError('connection', 'the caller hung up', { code: HUNG_UP })

/**
 * Gives the outcome of `work`, or throws as soon as the patience is over, having called `onEnd`: `timeout`, or
 * `connection` with code 499 when who waits has gone. What `work` ends in later is ignored.
 */
export const within = <T>({ ms, signal }: Patience, work: Promise<T>, onEnd: () => void = () => {}): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    let heard: StopSignal | undefined
    const giveUp = (error: TonlithError): void => {
      forget()
      reject(error)
      onEnd()
    }
    const leave = (): void => giveUp(hungUp())
    const late = (): void => giveUp(new TonlithError('timeout', `no answer within ${ms} ms`))
    const hear = (): void => {
      timer = setTimeout(late, ms - MOMENT_MS)
      heard = signal?.()
      if (heard?.aborted) leave()
      else heard?.addEventListener('abort', leave)
    }
    let timer = signal && ms > MOMENT_MS ? setTimeout(hear, MOMENT_MS) : setTimeout(late, ms)
    const forget = (): void => {
      clearTimeout(timer)
      heard?.removeEventListener('abort', leave)
    }
    const settle =
      <V>(end: (value: V) => void) =>
      (value: V): void => {
        forget()
        end(value)
      }
    work.then(settle(resolve), settle(reject))
  })
