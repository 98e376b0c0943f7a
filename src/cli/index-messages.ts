import type { LogFormat, LogLevel } from '../common/logger.ts'
import type { Retain } from '../config/kinds.ts'
import type { BundleWire } from '../indexer/bundle-wire.ts'
import type { IndexFrom } from '../indexer/follow.ts'
import type { MetadataStatus } from '../indexer/metadata/status.ts'
import type { IndexStatus } from '../indexer/status.ts'
import type { GlobalConfig } from '../liteserver/global-config.ts'
import type { TrustLevel } from '../liteserver/trust.ts'
import type { KeyNetwork } from '../model/api-key.ts'
import { ownBlockId } from '../model/block.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { CacheParts } from './cache-parts.ts'

/** What the Worker of the index is told once, at its start. Plain data, as it crosses to another thread. */
export interface IndexOrder {
  /** The data folder, and the folder of the index. */
  data: string
  folder: string
  /** Whose chain the index is of: networkOf. */
  network: string
  /** The name of the network, as merchants are bound to it. */
  named: KeyNetwork
  servers: GlobalConfig
  trust: TrustLevel
  timeoutMs: number
  cache: CacheParts
  from: IndexFrom
  backfillTo: number | undefined
  /** Raw addresses of the file in the settings. */
  accounts: string[] | undefined
  /** The folder whose operator's store has the list of accounts that were chosen beside them. */
  chosenIn: string
  retain: Retain
  /** Where what tokens refer to is kept, whether it is fetched, and the URL that the CID of an `ipfs://` URI is appended to. */
  metadata: { folder: string; online: boolean; gateway: string }
  /** False where the chain may stand still for good. */
  moves: boolean
  /** True where an index that does not fit, or is ahead of the chain, is removed and made anew. */
  replaceable: boolean
  logLevel: LogLevel
  log: LogFormat
}

export type ToIndexWorker =
  | { start: IndexOrder }
  /** URIs of tokens that somebody asks for. */
  | { wanted: string[] }
  /** The Worker that read blocks for it ended by itself. */
  | { readerEnded: true }
  | { stop: true }

export type FromIndexWorker =
  /** Also a wake: what was committed until now can be read. */
  | { status: IndexStatus; metadata?: MetadataStatus | undefined }
  /** It cannot run as it is: nothing that a restart would change. */
  | { refused: string }
  /** It could not go on, and may after a while. */
  | { failed: string }
  /** It wants a Worker that reads blocks for it, at the other end of this port; null: it needs it no more. */
  | { reader: MessagePort | null }
  | { stopped: true }

/** How much of what is still to be stored may be fetched before. */
export const AHEAD = { maxBytes: 32 << 20, maxThings: 16 }

/** Steps by which the Worker of the index stands back behind the threads that answer requests (yieldToOtherThreads). */
export const INDEX_WORKER_STEPS = 10
/** The same of the Worker that reads blocks for it: also behind that one, which has more to do for each block. */
export const BLOCK_READER_STEPS = 15

/** What the Worker that reads blocks is told at its start. */
export interface ReaderStart {
  order: IndexOrder
  port: MessagePort
}

export type ToBlockReader = {
  /** The bundle of this masterchain block is wanted. */
  fetch: number
  /** Whether all of its transactions will be written: then they are packed. */
  whole: boolean
}

export type FromBlockReader =
  | { bundle: BundleWire }
  /** The bundle of this masterchain block cannot be had from it. */
  | { failed: number }
  /** BlockSource.troubles */
  | { troubles: readonly string[] }

/** The part of the Worker that reads blocks that is used here. */
export interface ReaderWorker {
  postMessage(message: ReaderStart, transfer: MessagePort[]): void
  terminate(): void
  addEventListener(type: 'error', listener: (event: ErrorEvent) => void): void
  addEventListener(type: 'close', listener: () => void): void
}

/** The part of a Worker that is used here. */
export interface IndexWorker {
  postMessage(message: ToIndexWorker): void
  terminate(): void
  addEventListener(type: 'message', listener: (event: MessageEvent<FromIndexWorker>) => void): void
  addEventListener(type: 'error', listener: (event: ErrorEvent) => void): void
  addEventListener(type: 'close', listener: () => void): void
}

/** Starts the Workers of an index. */
export interface SpawnIndexWorkers {
  /** Its entry is cli/index-worker.ts. */
  index(): IndexWorker
  /** Its entry is cli/block-reader-worker.ts. */
  reader(): ReaderWorker
}

/** The chain that an index is of: its zero state names it. */
export const networkOf = (zeroState: BlockIdExt): string => zeroState.file_hash.toString('hex')

/** On their way to another thread Buffers become plain byte arrays: this makes them Buffers again. */
export const revivedServers = ({ liteservers, zeroState, initBlock, ...rest }: GlobalConfig): GlobalConfig => ({
  ...rest,
  liteservers: liteservers.map((server) => ({ ...server, key: Buffer.from(server.key) })),
  zeroState: ownBlockId(zeroState),
  initBlock: ownBlockId(initBlock),
})
