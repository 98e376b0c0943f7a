import type { Clock } from '../common/clock.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import { bestSeqno, chooseServer } from './choose.ts'
import { ConnectionError, queryTimeout } from './connection-error.ts'
import { isFault, isMaybePruned, isMomentary, isNotApplied, isNotReady } from './failures.ts'
import type { Hedge } from './hedge.ts'
import type { Query } from './query.ts'
import { type Attempt, race, type Verdict } from './race.ts'
import type { Server } from './server.ts'

export interface RunOptions {
  /** Milliseconds for the whole request, second tries included. */
  timeoutMs?: number | undefined
  /**
   * `auto` (default) takes any server, and an archive once more when the first one may have thrown the data away. `only`
   * takes none but archives; `any` takes any server, once.
   */
  archival?: 'auto' | 'only' | 'any' | undefined
  /** The request is about this masterchain block; a server that does not have it yet is made to wait for it. */
  minSeqno?: number | undefined
  /** Not to be repeated (sendMessage): a second try only when the first one provably did not leave. */
  once?: boolean | undefined
  /** That a server does not have something is not final: all others are asked, archives first. */
  everyServer?: boolean | undefined
  signal?: StopSignal | undefined
}

/** Which server an attempt talks to. */
export interface Asked {
  name: string
  archival: boolean
}

/** One attempt at a request, with questions to one server. */
export type Step<T> = (query: Query, asked: Asked) => Promise<T>

/** What a request needs of the pool. */
export interface RequestContext {
  servers: readonly Server[]
  hedge: Hedge
  clock: Clock
  timeoutMs: number
  /** Milliseconds that a request may wait for a server, when there is none now. */
  patienceMs(archival: boolean): number
  /** Resolves at the next change of a server, or when `signal` aborts. */
  changed(signal: StopSignal): Promise<void>
}

interface Candidate {
  server: Server
  /** One connection of the server: over the next one it may be asked again. */
  connection: string
}

const MAX_ATTEMPTS = 10
/** What a server may at most be made to wait for a block. */
const MAX_WAIT_MS = 8_000

const seqnoOf = (server: Server): number => server.head?.id.seqno ?? 0

/** Runs one request: chooses servers, judges failures, keeps the deadline. See `Pool.run`. */
export const runRequest = <T>(context: RequestContext, step: Step<T>, request: RunOptions): Promise<T> => {
  const { servers, clock, hedge } = context
  const timeoutMs = request.timeoutMs ?? context.timeoutMs
  const deadline = clock.monotonic() + timeoutMs
  const left = (): number => deadline - clock.monotonic()
  const usedConnections = new Set<string>()
  const usedServers = new Set<Server>()
  /** Servers whose answers were refused: it is their fault when another server's answer is not. */
  const accused = new Map<Server, unknown>()
  let archival = request.archival === 'only'
  let prunedError: unknown

  const connectionOf = (server: Server): string => `${server.index}/${server.generation}`

  const pick = (): Candidate | undefined => {
    const isExcluded = (each: Server): boolean => usedServers.has(each) || usedConnections.has(connectionOf(each))
    const choose = (onlyArchives: boolean): Server | undefined =>
      chooseServer(servers, { archival: onlyArchives, minSeqno: request.minSeqno, isExcluded })
    const server = choose(archival) ?? (request.everyServer ? choose(false) : undefined)
    if (!server) return undefined
    const connection = connectionOf(server)
    usedConnections.add(connection)
    return { server, connection }
  }

  const judge = (error: unknown, { server, connection }: Candidate): Verdict => {
    if (error instanceof ConnectionError) return request.once && error.written ? 'throw' : 'wait'
    if (isTonlithError(error, 'unavailable')) {
      usedConnections.delete(connection)
      return 'wait'
    }
    if (isFault(error)) {
      server.refuse()
      accused.set(server, error)
    }
    if (request.once) return 'throw'
    usedServers.add(server)
    if (isFault(error) || isTonlithError(error, 'timeout')) return 'next'
    if (!isTonlithError(error, 'liteserver')) return 'throw'
    if (isMomentary(error) || isNotApplied(error)) return 'next'
    if (isNotReady(error) && seqnoOf(server) < bestSeqno(servers)) return 'next'
    if (request.everyServer) {
      archival ||= isMaybePruned(error)
      return 'next'
    }
    const isOtherTryAllowed = (request.archival ?? 'auto') === 'auto' && !archival && !server.archival
    if (!isOtherTryAllowed || !isMaybePruned(error)) return 'throw'
    archival = true
    prunedError = error
    return 'next'
  }

  const waitAt = (server: Server) => {
    const { minSeqno } = request
    if (minSeqno === undefined || seqnoOf(server) >= minSeqno) return undefined
    return { seqno: minSeqno, timeout_ms: Math.max(1, Math.floor(Math.min(MAX_WAIT_MS, left()))) }
  }

  const attempt = async ({ server }: Candidate, { signal, slow }: Attempt): Promise<T> => {
    const query = server.query({
      timeoutMs: left,
      signal,
      slowMs: (method) => (servers.length > 1 ? hedge.delayMs(method) : undefined),
      slow: () => {
        if (!request.once) slow()
      },
    })
    const asked: Query = (method, args, options) =>
      query(method, args, { ...options, wait: options?.wait ?? waitAt(server) })
    const value = await step(asked, { name: server.name, archival: server.archival })
    for (const [liar, error] of accused) if (liar !== server) liar.blame(error)
    return value
  }

  return race<Candidate, T>({
    clock,
    timeoutMs,
    patienceMs: () => context.patienceMs(archival),
    maxAttempts: MAX_ATTEMPTS,
    signal: request.signal,
    pick,
    changed: context.changed,
    attempt,
    judge,
    timeout: queryTimeout,
    nobody: (cause) =>
      prunedError ??
      new TonlithError('unavailable', `no ${archival ? 'archive ' : ''}liteserver is available`, { cause }),
  })
}
