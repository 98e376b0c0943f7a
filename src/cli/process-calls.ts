import { TonlithError } from '../common/errors.ts'
import { errorOfWire, type Outcome, wireError } from './dev-messages.ts'
import { createPendingCalls } from './pending-calls.ts'

/** What one process can be asked by another, whose arguments and results are plain data. */
export type ProcessFunctions = { [name: string]: (...args: never[]) => Promise<unknown> }

type Result<F> = F extends (...args: never[]) => Promise<infer R> ? R : never

/** What goes between the two. */
export type ProcessMessage = { call: { name: string; args: unknown[] }; id: number } | { outcome: Outcome<unknown> }

/** One end of what goes between two processes. */
export interface ProcessCalls<Theirs extends ProcessFunctions> {
  /** Asks the other one, for so many milliseconds. Rejects as it says, and with `timeout` and `unavailable`. */
  ask<N extends keyof Theirs & string>(name: N, args: Parameters<Theirs[N]>, ms: number): Promise<Result<Theirs[N]>>
  heed(message: ProcessMessage): void
  /** The other one is gone: what waits for it, and all that comes, is given up. */
  close(): void
}

/**
 * Makes one end.
 * @param mine what the other process may ask of this one
 * @param post sends a message to it
 */
export const createProcessCalls = <Theirs extends ProcessFunctions>(
  mine: ProcessFunctions,
  post: (message: ProcessMessage) => void,
): ProcessCalls<Theirs> => {
  const calls = createPendingCalls()
  const functions = new Map(Object.entries(mine))

  const perform = async (id: number, name: string, args: unknown[]): Promise<void> => {
    try {
      const asked = functions.get(name)
      if (!asked) throw new TonlithError('internal', `another process asks for ${name}`)
      post({ outcome: { id, result: await asked(...(args as never[])) } })
    } catch (error) {
      post({ outcome: { id, error: wireError(error) } })
    }
  }

  return {
    ask: async <N extends keyof Theirs & string>(
      name: N,
      args: Parameters<Theirs[N]>,
      ms: number,
    ): Promise<Result<Theirs[N]>> => {
      let timer: ReturnType<typeof setTimeout> | undefined
      try {
        const result = await calls.call((id) => {
          const late = new TonlithError('timeout', `another process does not answer: ${name}`)
          timer = setTimeout(() => calls.reject(id, late), ms)
          post({ call: { name, args }, id })
        })
        return result as Result<Theirs[N]>
      } finally {
        clearTimeout(timer)
      }
    },
    heed: (message) => {
      if ('call' in message) void perform(message.id, message.call.name, message.call.args)
      else if ('error' in message.outcome) calls.reject(message.outcome.id, errorOfWire(message.outcome.error))
      else calls.resolve(message.outcome.id, message.outcome.result)
    },
    close: () => calls.close(new TonlithError('unavailable', 'another process has ended')),
  }
}
