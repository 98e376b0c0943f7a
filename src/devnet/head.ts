import { liteError, NOT_READY, TIMEOUT } from './lite-error.ts'

/** The masterchain block at which a liteserver stands: what comes after it is not known yet. */
export interface Head {
  /** Seqno of the last known masterchain block. */
  readonly seqno: number
  /** Moves the head and wakes everyone who waited for it. */
  set(seqno: number): void
  /**
   * Resolves when the head has reached `seqno` (uint32). Rejects with code 652 after `timeout_ms` milliseconds (at most
   * ten seconds count) and with 651 at once when `seqno` is far away, as the node does (liteServer.waitMasterchainSeqno).
   */
  wait(seqno: number, timeout_ms: number): Promise<void>
  /** Ends all waiting with code 652. */
  close(): void
}

const FARTHEST = 100
const LONGEST_MS = 10_000

interface Waiter {
  seqno: number
  timer: ReturnType<typeof setTimeout>
  resolve(): void
  reject(error: Error): void
}

/** Makes a head that stands at `start`. */
export const createHead = (start: number): Head => {
  let head = start
  const waiters = new Set<Waiter>()
  const release = (waiter: Waiter): void => {
    clearTimeout(waiter.timer)
    waiters.delete(waiter)
  }
  const expire = (waiter: Waiter): void => {
    release(waiter)
    waiter.reject(liteError(TIMEOUT, 'timeout'))
  }
  return {
    get seqno() {
      return head
    },
    set: (seqno) => {
      head = seqno
      for (const waiter of [...waiters]) {
        if (waiter.seqno > head) continue
        release(waiter)
        waiter.resolve()
      }
    },
    wait: (seqno, timeout_ms) => {
      if (seqno <= head) return Promise.resolve()
      if (timeout_ms <= 0) return Promise.reject(liteError(TIMEOUT, 'timeout'))
      if (seqno > head + FARTHEST) return Promise.reject(liteError(NOT_READY, 'too big masterchain block seqno'))
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => expire(waiter), Math.min(timeout_ms, LONGEST_MS))
        const waiter: Waiter = { seqno, timer, resolve, reject }
        waiters.add(waiter)
      })
    },
    close: () => {
      for (const waiter of [...waiters]) expire(waiter)
    },
  }
}
