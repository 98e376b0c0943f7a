import { systemClock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import { silentLogger } from '../common/logger.ts'
import { yieldToOtherThreads } from '../common/thread-priority.ts'
import { encodeBundle } from '../indexer/bundle-wire.ts'
import { createFetch } from '../indexer/fetch.ts'
import {
  AHEAD,
  BLOCK_READER_STEPS,
  type FromBlockReader,
  type IndexOrder,
  type ReaderStart,
  revivedServers,
  type ToBlockReader,
} from './index-messages.ts'
import { createIndexPool } from './index-pool.ts'
import { createTrustStore } from './trust-store.ts'

/**
 * The entry of the Worker that reads blocks for the index while it catches up: it fetches, checks and parses them. It runs
 * until it is ended.
 */

declare const self: Worker

const TELL_MS = 1_000

const read = (order: IndexOrder, port: MessagePort): void => {
  const say = (message: FromBlockReader, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)
  const servers = revivedServers(order.servers)
  const pool = createIndexPool(
    { ...order, servers },
    createTrustStore(order.data, silentLogger),
    systemClock,
    silentLogger,
  )
  const source = pool.source()
  const { signal } = new AbortController()
  const fetch = createFetch({ source, remembered: AHEAD.maxThings + 2, signal })

  const bring = async ({ fetch: seqno, whole }: ToBlockReader): Promise<void> => {
    try {
      const { wire, transfer } = encodeBundle(await fetch(seqno), whole)
      say({ bundle: wire }, transfer)
    } catch (error) {
      if (!isTonlithError(error)) throw error
      say({ failed: seqno })
    }
  }

  let told = ''
  setInterval(() => {
    const troubles = source.troubles()
    if (troubles.join() === told) return
    told = troubles.join()
    say({ troubles })
  }, TELL_MS)
  port.onmessage = ({ data }: { data: ToBlockReader }) => void bring(data)
}

yieldToOtherThreads(BLOCK_READER_STEPS)
self.onmessage = ({ data: { order, port } }: MessageEvent<ReaderStart>) => read(order, port)
