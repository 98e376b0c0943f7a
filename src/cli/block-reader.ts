import { decodeBundle } from '../indexer/bundle-wire.ts'
import type { Bundle, FetchBundle } from '../indexer/fetch.ts'
import type { FromBlockReader, ToBlockReader } from './index-messages.ts'

/** Fetches bundles in a Worker of its own, which runs while there is much to fetch. */
export interface BlockReader {
  /** The bundle with its batch, as long as the Worker can be had; else what `here` gives. */
  fetch: FetchBundle
  /** BlockSource.troubles of the Worker. */
  troubles(): readonly string[]
  /** Ends the Worker; the next fetch starts another one. */
  rest(): void
  /** True from the first fetch to the next rest. */
  runs(): boolean
  /** True while something is on its way. */
  busy(): boolean
}

/** Starts and ends the Worker, from a thread that may not do it itself. */
export interface BlockReaders {
  /** Has one started at the other end of the port; null: has it ended. */
  start(port: MessagePort | null): void
  /** Calls back when it has ended by itself. */
  onEnd(listener: () => void): void
}

export interface BlockReaderOptions {
  readers: BlockReaders
  /** Fetches in this thread. */
  here: FetchBundle
  /** Whether all transactions of a bundle will be written. */
  whole(): boolean
}

/**
 * A Worker that reads blocks, as the thread that writes them sees it. What it cannot bring is fetched here; once it ended by
 * itself there is no other one.
 */
export const createBlockReader = ({ readers, here, whole }: BlockReaderOptions): BlockReader => {
  const waiting = new Map<number, PromiseWithResolvers<Bundle | undefined>>()
  let port: MessagePort | undefined
  let troubles: readonly string[] = []
  let isBroken = false

  const heed = (message: FromBlockReader): void => {
    if ('troubles' in message) {
      troubles = message.troubles
      return
    }
    const seqno = 'failed' in message ? message.failed : message.bundle.seqno
    const waiter = waiting.get(seqno)
    waiting.delete(seqno)
    waiter?.resolve('failed' in message ? undefined : decodeBundle(message.bundle))
  }

  const opened = (): MessagePort => {
    if (port) return port
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: { data: FromBlockReader }) => {
      if (port === port1) heed(data)
    }
    port = port1
    readers.start(port2)
    return port1
  }

  const leave = (): void => {
    port?.close()
    port = undefined
    troubles = []
    for (const waiter of waiting.values()) waiter.resolve(undefined)
    waiting.clear()
  }

  const ask = (seqno: number): Promise<Bundle | undefined> => {
    const known = waiting.get(seqno)
    if (known) return known.promise
    const waiter = Promise.withResolvers<Bundle | undefined>()
    waiting.set(seqno, waiter)
    opened().postMessage({ fetch: seqno, whole: whole() } satisfies ToBlockReader)
    return waiter.promise
  }

  readers.onEnd(() => {
    isBroken = true
    leave()
  })
  return {
    fetch: async (seqno) => (isBroken ? undefined : await ask(seqno)) ?? here(seqno),
    troubles: () => troubles,
    runs: () => port !== undefined,
    busy: () => waiting.size > 0,
    rest: () => {
      if (!port) return
      leave()
      readers.start(null)
    },
  }
}
