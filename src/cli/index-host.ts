import type { Clock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { MetadataStatus } from '../indexer/metadata/status.ts'
import { progressText } from '../indexer/progress.ts'
import type { IndexStatus } from '../indexer/status.ts'
import type { WriterClaim } from '../store/single-writer.ts'
import type { FromIndexWorker, IndexOrder, IndexWorker, ReaderWorker, SpawnIndexWorkers } from './index-messages.ts'

/** What the HTTP thread knows of the index. */
export interface IndexReport {
  /** The newest word of its Worker; undefined before the first one. */
  status: IndexStatus | undefined
  /** The same of the fetching of metadata; undefined too where that cannot be kept. */
  metadata?: MetadataStatus | undefined
  /** Why its Worker does not run now; undefined while it does. */
  down: string | undefined
  /** True while nothing can be written, so that no Worker runs: what is there can be read. */
  readOnly: boolean
  /** Why what it holds cannot be read; undefined while it can. */
  damaged: string | undefined
  /** How often it was started anew after it broke. */
  restarts: number
}

/** The index in its Worker, as the other threads see it. */
export interface IndexHost {
  report(): IndexReport
  /** Calls back whenever something was committed or the state changed, until the returned function is called. */
  onChange(listener: () => void): () => void
  /** Notes that something in it cannot be read, for good: it is told until the end. */
  noteDamage(reason: string): void
  /** Has what URIs of tokens lead to fetched before other things. */
  want(uris: string[]): void
  /** Ends it: what is being written is finished first. */
  stop(): Promise<void>
}

export interface IndexHostOptions {
  spawn: SpawnIndexWorkers
  /** Gets the right to write before the first Worker starts; held until the end. Throws TonlithError while it cannot be had. */
  claim: () => WriterClaim
  order: IndexOrder
  clock: Clock
  logger: Logger
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** A Worker that ran for so long starts with the first pause again when it breaks. */
const GOOD_RUN_MS = 60_000
const STOP_MS = 8_000
/** How often somebody who may not write looks whether they may. */
const CLAIM_MS = 5_000
const TELL_MS = 5_000
const MAX_REASON = 300

/** What a Worker's error says, without the source text around it. */
const brief = (message: string): string => {
  const line = /^(?:error|[A-Z]\w*Error): .*$/m.exec(message)?.[0] ?? message.split('\n', 1)[0] ?? ''
  return line.slice(0, MAX_REASON)
}

/** Reasons without the machine's paths and the servers' addresses: callers read them too. */
const withoutPlaces = (order: IndexOrder) => (text: string) => {
  const { folder, servers } = order
  const places = servers.liteservers.map(({ host, port }, i) => [`${host}:${port}`, String(i)] as const)
  return [[folder, 'its folder'] as const, ...places].reduce(
    (left, [place, word]) => left.replaceAll(place, word),
    text,
  )
}

/** Keeps the index's Worker running: one that breaks is started anew, after ever longer pauses. */
export const startIndexHost = ({ spawn, claim, order, clock, logger }: IndexHostOptions): IndexHost => {
  const told = withoutPlaces(order)
  const listeners = new Set<() => void>()
  const report: IndexReport = { status: undefined, down: undefined, readOnly: false, damaged: undefined, restarts: 0 }
  const ending = new AbortController()
  let worker: IndexWorker | undefined
  let reader: ReaderWorker | undefined
  let startedAt = Number.NEGATIVE_INFINITY
  let pause = FIRST_PAUSE_MS
  /** When its progress was told last, or when it began to catch up; undefined while it does not. */
  let toldAt: number | undefined
  let ended: (() => void) | undefined
  let claimed: WriterClaim | undefined

  const toldStatus = ({ reason, histories, ...rest }: IndexStatus): IndexStatus => {
    const toldOrNull = (text: string | null): string | null => (text === null ? null : told(text))
    const accounts = histories?.accounts.map((one) => ({ ...one, waits: toldOrNull(one.waits) }))
    return { ...rest, reason: toldOrNull(reason), histories: histories && { ...histories, accounts: accounts ?? [] } }
  }

  const notify = (): void => {
    for (const listener of [...listeners]) listener()
  }

  /** A line every few seconds while there is much to catch up with (the first once there is a rate), and one at its end. */
  const tellProgress = (before: IndexStatus | undefined, now: IndexStatus): void => {
    const { state, seqno, head, seconds_left } = now
    if (state === 'following' && before?.state !== 'following') logger.info({ seqno }, 'the index has caught up')
    if (state !== 'catching_up') toldAt = undefined
    if (state !== 'catching_up' || seqno === null || head === null) return
    toldAt ??= clock.monotonic()
    if (clock.monotonic() - toldAt < TELL_MS) return
    toldAt = clock.monotonic()
    const rates = { blocks: now.blocks_per_second, transactions: now.transactions_per_second }
    logger.info({}, `indexing: ${progressText(seqno, head, rates, seconds_left ?? undefined)}`)
  }

  const endReader = (): void => {
    reader?.terminate()
    reader = undefined
  }

  /** Starts the Worker that reads blocks for the one that keeps the index, in place of an earlier one. */
  const startReader = (port: MessagePort): void => {
    endReader()
    const mine = spawn.reader()
    reader = mine
    const ended = (reason: string): void => {
      if (reader !== mine) return
      endReader()
      logger.error({ reason }, 'the Worker that read blocks for the index broke; it goes on without one')
      worker?.postMessage({ readerEnded: true })
    }
    mine.addEventListener('error', ({ message }) => ended(brief(message)))
    mine.addEventListener('close', () => ended('its Worker ended'))
    mine.postMessage({ order, port }, [port])
  }

  const end = (mine: IndexWorker): void => {
    if (worker !== mine) return
    endReader()
    worker = undefined
    mine.terminate()
    ended?.()
  }

  const heed = (mine: IndexWorker, message: FromIndexWorker): void => {
    if (worker !== mine) return
    if ('status' in message) {
      tellProgress(report.status, message.status)
      report.status = toldStatus(message.status)
      report.metadata = message.metadata
      report.down = undefined
      notify()
    } else if ('refused' in message) {
      report.down = told(message.refused)
      logger.error({ reason: message.refused }, 'the index cannot be kept')
      end(mine)
      notify()
    } else if ('reader' in message) {
      if (message.reader) startReader(message.reader)
      else endReader()
    } else if ('failed' in message) broke(mine, message.failed)
    else end(mine)
  }

  const broke = (mine: IndexWorker, reason: string): void => {
    if (worker !== mine) return
    end(mine)
    if (ending.signal.aborted) return
    if (clock.monotonic() - startedAt > GOOD_RUN_MS) pause = FIRST_PAUSE_MS
    report.down = told(reason)
    report.restarts++
    logger.error({ reason, restarts: report.restarts }, `the index broke; it is started again in ${pause / 1000} s`)
    notify()
    const wait = pause
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    void clock.sleep(wait, ending.signal).then(() => {
      if (!ending.signal.aborted) start()
    })
  }

  const start = (): void => {
    const mine = spawn.index()
    startedAt = clock.monotonic()
    toldAt = undefined
    worker = mine
    mine.addEventListener('message', ({ data }) => heed(mine, data))
    mine.addEventListener('error', ({ message }) => broke(mine, brief(message)))
    mine.addEventListener('close', () => broke(mine, 'its Worker ended'))
    mine.postMessage({ start: order })
  }

  /** Starts once the index is ours to write; until then its state tells why it is not. */
  const begin = (): void => {
    try {
      claimed = claim()
    } catch (error) {
      if (!isTonlithError(error)) throw error
      const reason = told(error.message)
      if (report.down !== reason) logger.error({ reason: error.message }, 'the index is not kept here for now')
      report.down = reason
      report.readOnly = error.kind === 'unavailable'
      notify()
      void clock.sleep(CLAIM_MS, ending.signal).then(() => {
        if (!ending.signal.aborted) begin()
      })
      return
    }
    report.down = undefined
    report.readOnly = false
    notify()
    start()
  }

  begin()
  return {
    report: () => report,
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    noteDamage: (reason) => {
      if (report.damaged !== undefined) return
      report.damaged = told(reason)
      logger.error({ reason }, 'the index cannot be read')
      notify()
    },
    want: (uris) => worker?.postMessage({ wanted: uris }),
    stop: async () => {
      ending.abort()
      const mine = worker
      if (!mine) return claimed?.release()
      await new Promise<void>((resolve) => {
        const giveUp = setTimeout(resolve, STOP_MS)
        ended = () => {
          clearTimeout(giveUp)
          resolve()
        }
        mine.postMessage({ stop: true })
      })
      end(mine)
      claimed?.release()
    },
  }
}
