import { TonlithError } from '../../common/errors.ts'

/**
 * Gives the outcome of `work`, or throws `timeout` after `ms` milliseconds, having called `onLate`. What `work` ends in
 * later is ignored.
 */
export const within = <T>(ms: number, work: Promise<T>, onLate: () => void = () => {}): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new TonlithError('timeout', `no answer within ${ms} ms`))
      onLate()
    }, ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
