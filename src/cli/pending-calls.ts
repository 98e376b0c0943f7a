import type { TonlithError } from '../common/errors.ts'

/** Calls to another thread that wait for their outcome. */
export interface PendingCalls {
  /** Sends a call under a number of its own. Rejects as the other thread says, or when all calls are given up. */
  call(send: (id: number) => void): Promise<unknown>
  resolve(id: number, result: unknown): void
  reject(id: number, error: TonlithError): void
  /** Gives up what waits, and all that comes. */
  close(error: TonlithError): void
}

/** Makes an empty book of calls. */
export const createPendingCalls = (): PendingCalls => {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: TonlithError): void }>()
  let last = 0
  let closed: TonlithError | undefined
  const take = (id: number) => {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }
  return {
    call: (send) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(closed)
        const id = ++last
        waiting.set(id, { resolve, reject })
        send(id)
      }),
    resolve: (id, result) => take(id)?.resolve(result),
    reject: (id, error) => take(id)?.reject(error),
    close: (error) => {
      closed = error
      for (const id of [...waiting.keys()]) take(id)?.reject(error)
    },
  }
}
