import { systemClock } from '../common/clock.ts'
import type { Logger } from '../common/logger.ts'
import type { Settings } from '../config.ts'
import { indexFolder } from '../store/index-store.ts'
import { metadataFolder } from '../store/metadata-store.ts'
import { cacheParts } from './cache-parts.ts'
import { devControl } from './dev-calls.ts'
import {
  COUNTS_FD,
  type FirstFunctions,
  type HttpOrder,
  type WorkerCounts,
  type WorkerReport,
} from './http-worker-messages.ts'
import type { IndexHost, IndexReport } from './index-host.ts'
import { networkOf } from './index-messages.ts'
import { createReading } from './live-index.ts'
import type { OwnSystem, PeersOfFurther } from './peers.ts'
import type { ProcessCalls } from './process-calls.ts'
import { openSharedCounts } from './shared-counts.ts'

/** The first process as a further one sees it, with what that one may be told and asked. */
export interface FirstProcess {
  peers: PeersOfFurther
  /** The first one tells of its index. */
  index(report: IndexReport): void
  /** What was told of it counts no more: it is made anew. */
  forgetIndex(): void
  /** Somebody sent an external message (a bag of cells). */
  sent(boc: Buffer): void
  /** What this process says of itself. Rejects before it says anything. */
  report(): Promise<WorkerReport>
  lasting(): Promise<WorkerCounts>
}

export interface FirstProcessOptions {
  order: HttpOrder
  settings: Settings
  first: ProcessCalls<FirstFunctions>
  logger: Logger
}

/** What all processes say takes the first one as long as the slowest of them. */
const ASK_MS = 6_000
const TELL_MS = 10_000
/** Making thousands of blocks takes minutes. */
const DEV_MS = 600_000

const NOTHING_KNOWN: IndexReport = {
  status: undefined,
  down: undefined,
  readOnly: false,
  damaged: undefined,
  restarts: 0,
}

/** Makes the view of the first process. */
export const createFirstProcess = ({ order, settings, first, logger }: FirstProcessOptions): FirstProcess => {
  const { home, servers, place } = order
  const changed = new Set<() => void>()
  const listeners = new Set<(boc: Buffer) => void>()
  let known = order.index ?? NOTHING_KNOWN
  let pending = order.pending.map((boc) => Buffer.from(boc))
  let own: OwnSystem | undefined
  /** What is told is lost with the first process, and so is this one. */
  const tell = <N extends 'webhooksDue' | 'damage' | 'wanted'>(name: N, args: Parameters<FirstFunctions[N]>): void => {
    first.ask(name, args, TELL_MS).catch((err) => logger.warn({ err }, 'the first process does not answer'))
  }

  const ownNow = (): OwnSystem => {
    if (!own) throw new Error(`the HTTP process ${place} is starting`)
    return own
  }

  const host: IndexHost = {
    report: () => known,
    onChange: (listener) => {
      changed.add(listener)
      return () => void changed.delete(listener)
    },
    noteDamage: (reason) => tell('damage', [reason]),
    want: (uris) => tell('wanted', [uris]),
    stop: () => Promise.resolve(),
  }

  const startIndex = () => {
    const metadata = {
      folder: metadataFolder(home),
      online: settings.metadata_fetch === 'on',
      gateway: settings.metadata_ipfs_gateway,
    }
    const cache = cacheParts(settings.cache_memory)
    const place = { folder: indexFolder(home), network: networkOf(servers.zeroState), metadata, cache }
    return { host, ...createReading(host, place, logger, { writesNever: true }) }
  }

  const unanswered = (): WorkerReport['readiness'] => ({ ready: false, reason: 'the first process does not answer' })
  return {
    peers: {
      kind: 'further',
      processes: settings.http_workers,
      counts: openSharedCounts(COUNTS_FD, systemClock),
      join: (mine) => {
        own = mine
        return {
          readiness: () => first.ask('readiness', [], ASK_MS).catch(unanswered),
          status: () => first.ask('status', [], ASK_MS),
          metrics: () => first.ask('metrics', [], ASK_MS),
        }
      },
      tellSent: async (boc) => {
        await first.ask('sent', [boc], ASK_MS).catch((err) => logger.warn({ err }, 'the first process does not answer'))
      },
      onSent: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      startIndex: settings.index === 'on' ? startIndex : undefined,
      takePending: () => {
        const taken = pending
        pending = []
        return taken
      },
      webhooksDue: () => tell('webhooksDue', []),
      dev: order.dev ? devControl((call) => first.ask('dev', [call], DEV_MS)) : undefined,
    },
    index: (report) => {
      known = report
      for (const listener of [...changed]) listener()
    },
    forgetIndex: () => {
      known = NOTHING_KNOWN
    },
    sent: (boc) => {
      for (const listener of listeners) listener(boc)
    },
    report: async () => {
      const { readiness, status, counted } = ownNow()
      return { readiness: readiness(), status: status(), ...(await counted()) }
    },
    lasting: () => ownNow().lasting(),
  }
}
