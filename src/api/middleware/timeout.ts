import { TonlithError } from '../../common/errors.ts'

/**
 * Runs `work` and gives its outcome, or throws `timeout` after `ms` milliseconds; the signal is aborted at that moment.
 * What `work` does later is ignored.
 */
export const withDeadline = <T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController()
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new TonlithError('timeout', `no answer within ${ms} ms`))
      controller.abort()
    }, ms)
    work(controller.signal)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
