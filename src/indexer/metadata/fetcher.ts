import type { Clock } from '../../common/clock.ts'
import { isTonlithError } from '../../common/errors.ts'
import type { Logger } from '../../common/logger.ts'
import {
  type DocumentRow,
  dueDocuments,
  readDocument,
  removeDocuments,
  writeDocuments,
} from '../../store/metadata-rows.ts'
import type { MetadataStore } from '../../store/metadata-store.ts'
import type { FetchFailure } from './failures.ts'
import { targetOf } from './fetch-target.ts'
import type { FetchResult, FetchUri } from './fetch-uri.ts'
import { createHostQueue, type Urgency } from './host-queue.ts'
import { FURTHEST_NEXT_S, isDue, rowAfter } from './next-row.ts'
import type { MetadataStatus } from './status.ts'

/** Keeps what the URIs of tokens lead to. */
export interface MetadataFetcher {
  /** Has a URI fetched, unless what is known of it is new enough. */
  want(uri: string, urgency: Urgency): void
  /** Whether there is room for what is not urgent. */
  hasRoom(): boolean
  /** Works until it is ended; rejects for mistakes of ours. */
  run(): Promise<void>
  status(): MetadataStatus
}

export interface MetadataFetcherOptions {
  store: MetadataStore
  fetchUri: FetchUri
  gateway: URL
  /** False: only what needs no network is read. */
  online: boolean
  clock: Clock
  logger: Logger
  signal: AbortSignal
}

const MAX_RUNNING = 32
const TICK_MS = 1_000
/** Results that are written at once, at the latest. */
const MAX_UNWRITTEN = 128
const DUE_AT_ONCE = 500
/** One that was due is looked at again after so long, unless it was tried by then. */
const POSTPONED_S = 60
/** A document that nobody wanted any more for so long is removed. */
const UNWANTED_S = 30 * 86_400
const REMOVED_AT_ONCE = 1_000
const MAX_BYTES = 4 * 2 ** 30
const FOREVER = 0xffffffff

/** Failures after which a host is taken to be away. */
const SILENT: readonly FetchFailure[] = ['connection', 'timeout', 'tls', 'name']

const isLocal = (uri: string): boolean => /^data:/i.test(uri)

/** Makes what fetches the documents of tokens and keeps them. */
export const createMetadataFetcher = (options: MetadataFetcherOptions): MetadataFetcher => {
  const { store, fetchUri, gateway, online, clock, logger, signal } = options
  const queue = createHostQueue()
  const running = new Set<string>()
  const unwritten = new Map<string, DocumentRow>()
  const broken = Promise.withResolvers<never>()
  const failures: MetadataStatus['failures'] = {}
  let fetched = 0
  let paused = false
  let full = false

  const seconds = (): number => Math.floor(clock.now() / 1000)
  const hostOf = (uri: string): string => targetOf(uri, gateway)?.url.host ?? ''
  const rowOf = (uri: string): DocumentRow | undefined => unwritten.get(uri) ?? readDocument(store, uri)

  /** Runs what writes; while the disk takes nothing, all waits. */
  const written = (work: () => void): void => {
    try {
      work()
      paused = false
    } catch (error) {
      if (!isTonlithError(error)) throw error
      if (!paused) logger.warn({ reason: error.message }, 'metadata cannot be kept for now')
      paused = true
    }
  }

  const flush = (): void =>
    written(() => {
      if (unwritten.size === 0) return
      writeDocuments(store, [...unwritten.values()])
      unwritten.clear()
    })

  const count = (result: FetchResult): void => {
    if (result._ === 'ready') fetched++
    else failures[result.failure] = (failures[result.failure] ?? 0) + 1
  }

  const fetch = async (uri: string, host: string): Promise<void> => {
    running.add(uri)
    const result = await fetchUri(uri, signal)
    running.delete(uri)
    queue.done(host, result._ === 'ready' || !SILENT.includes(result.failure))
    if (signal.aborted) return
    count(result)
    unwritten.set(uri, rowAfter(uri, rowOf(uri), result, seconds()))
    if (unwritten.size >= MAX_UNWRITTEN) flush()
    pump()
  }

  const pump = (): void => {
    while (running.size < MAX_RUNNING && !paused && !signal.aborted) {
      const taken = queue.take()
      if (!taken) return
      fetch(taken.uri, taken.host).catch(broken.reject)
    }
  }

  const offer = (uri: string, urgency: Urgency): void => {
    if (running.has(uri)) return
    queue.push({ uri, host: hostOf(uri) }, urgency)
    pump()
  }

  /** Queues what is to be tried again. Its next time is put off until it was, so that it is in nobody's way. */
  const retry = (): void => {
    const now = seconds()
    for (const uri of dueDocuments(store, now, DUE_AT_ONCE, FURTHEST_NEXT_S)) {
      const row = rowOf(uri)
      if (!row || row.failures === 0 || !isDue(row, now)) continue
      unwritten.set(uri, { ...row, next: now + POSTPONED_S })
      offer(uri, 'known')
    }
  }

  const tidy = (): void => {
    const bytes = store.usedBytes()
    full = bytes > MAX_BYTES * 0.9
    const before = bytes > MAX_BYTES ? FOREVER : seconds() - UNWANTED_S
    written(() => void removeDocuments(store, before, REMOVED_AT_ONCE))
  }

  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      if (online && !paused) retry()
      tidy()
      flush()
      pump()
      await clock.sleep(TICK_MS, signal)
    }
    flush()
  }

  return {
    want: (uri, urgency) => {
      if (!online && !isLocal(uri)) return
      const row = rowOf(uri)
      if (!row || row.next <= seconds()) offer(uri, urgency)
    },
    hasRoom: () => !full && !paused && queue.hasRoom(),
    run: () => Promise.race([work(), broken.promise]),
    status: () => ({
      online,
      waiting: queue.size(),
      running: running.size,
      fetched,
      failures: { ...failures },
      bytes: store.usedBytes(),
      paused,
    }),
  }
}
