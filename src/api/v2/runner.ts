import { TonlithError } from '../../common/errors.ts'
import { createStop, type StopControl, type StopSignal } from '../../common/stop.ts'
import { type Patience, within } from '../middleware/timeout.ts'
import { type Dialect, type Result, resultText } from './dialect.ts'
import type { CallContext, PreparedCall } from './method.ts'

/** What running calls takes. */
export interface RunnerDeps<C> {
  readonly chain: C
  /** Calls that may be under way at once; more are refused with 503. */
  readonly maxCalls: number
}

/**
 * Runs a prepared call to the JSON text of its result, at once where the method needs nobody. What `patience` gives is
 * asked for when the method does need somebody; when it is over, the call is told to stop and its place is free. Throws
 * what the method throws, `timeout`, `connection` for a caller who has gone, and `unavailable` when too many calls are under
 * way.
 */
export type Runner<C> = (call: PreparedCall<C>, patience: () => Patience) => string | Promise<string>

const BUSY = 503

/** Makes its signal when it is asked for. A class, as an object literal with a getter takes several times as long to make. */
class Context<C> implements CallContext<C> {
  readonly chain: C
  #control: StopControl | undefined

  constructor(chain: C) {
    this.chain = chain
  }

  get signal(): StopSignal {
    this.#control ??= createStop()
    return this.#control.signal
  }

  stop(): void {
    this.#control?.abort()
  }
}

/** Makes the runner of one dialect. */
export const createRunner = <C>({ chain, maxCalls }: RunnerDeps<C>, dialect: Dialect): Runner<C> => {
  let underWay = 0
  const textOf = (result: Result): string => resultText(result, dialect)
  // A method that has its result at hand may give the same object again; its text is then written once.
  const texts = new WeakMap<object, string>()
  const knownTextOf = (result: Result): string => {
    if (typeof result !== 'object' || result === null) return textOf(result)
    const known = texts.get(result)
    if (known !== undefined) return known
    const text = textOf(result)
    texts.set(result, text)
    return text
  }
  const finish = async (result: Promise<Result>, patience: Patience, stop: () => void): Promise<string> => {
    underWay++
    try {
      return textOf(await within(patience, result, stop))
    } finally {
      underWay--
    }
  }
  return (call, patience) => {
    if (underWay >= maxCalls) throw new TonlithError('unavailable', 'too many calls under way', { code: BUSY })
    const context = new Context(chain)
    const result = call.run(context)
    return result instanceof Promise ? finish(result, patience(), () => context.stop()) : knownTextOf(result)
  }
}
