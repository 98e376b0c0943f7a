import { Registry } from 'prom-client'
import { buildApp } from '../../src/api/app.ts'
import { V2_METHODS } from '../../src/api/v2/method-table.ts'
import { V3_METHODS } from '../../src/api/v3/method-table.ts'
import { EMULATE_METHODS } from '../../src/api/v3/methods/emulate.ts'
import type { Chain } from '../../src/chain/chain.ts'
import type { PendingTraces } from '../../src/chain/pending-traces.ts'
import { systemClock } from '../../src/common/clock.ts'
import { silentLogger } from '../../src/common/logger.ts'
import { NO_PROXIES } from '../../src/common/proxies.ts'
import { actionNoter } from '../../src/indexer/note-actions.ts'
import { joinTraces } from '../../src/indexer/trace.ts'
import type { Batch } from '../../src/model/batch.ts'
import type { IndexStore } from '../../src/store/index-store.ts'
import type { IndexReader } from '../../src/store/queries/index-reader.ts'
import { openIndexReader } from '../../src/store/queries/open-index-reader.ts'
import { writeBatch } from '../../src/store/write.ts'
import { startArchiveReader } from './archive-gateway.ts'
import { recordedBatch } from './recorded-batches.ts'
import { recordedChain } from './recorded-chain.ts'
import { recordedDetection } from './recorded-detection.ts'
import { completedBatch } from './recorded-index.ts'
import { temporaryIndex } from './temporary-index.ts'

/** An answer of API v3 with its body read. */
export interface V3Answer {
  status: number
  headers: Headers
  text: string
  json: Record<string, unknown>
}

/** The gateway over an index of recorded blocks, and over the recorded network for live reads; it has no port. */
export interface V3Gateway {
  batches: readonly Batch[]
  reader: IndexReader
  /** Live reads of the recorded network. */
  chain: Chain
  /** GET of a path under /api/v3/. */
  get(path: string, headers?: Record<string, string>): Promise<V3Answer>
  /** POST of JSON. */
  post(path: string, body: unknown): Promise<V3Answer>
  /** Any request, by its whole path. */
  ask(path: string, init?: RequestInit): Promise<V3Answer>
  stop(): Promise<void>
}

export interface V3GatewayOptions {
  /** The masterchain blocks to index, in this order. */
  seqnos: readonly number[]
  requestMs?: number
  network?: string
  /** Whether the index finds out what accounts are. */
  detects?: boolean
  /** The messages that count as sent. */
  pending?: PendingTraces
}

const LIMITS = {
  keylessRps: 0,
  v3KeylessRps: 0,
  proxies: NO_PROXIES,
  requestMs: 60_000,
  maxCalls: 1_000,
  cacheBytes: 0,
}

export const startV3Gateway = async (options: V3GatewayOptions): Promise<V3Gateway> => {
  const chain = recordedChain()
  const [temporary, live] = await Promise.all([temporaryIndex(), startArchiveReader()])
  const detected = options.detects ? recordedDetection(chain) : async (_: IndexStore, batch: Batch) => batch
  const reader = openIndexReader(temporary.index)
  const note = actionNoter(reader)
  const batches: Batch[] = []
  for (const seqno of options.seqnos) {
    const completed = completedBatch(temporary.index, chain, recordedBatch(chain, seqno))
    const batch = await detected(temporary.index, completed)
    batches.push(batch)
    writeBatch(temporary.index, batch, joinTraces, 'range', note)
  }
  const readChain: Chain = { ...live.chain, pending: options.pending }
  const app = buildApp({
    methods: V2_METHODS,
    chain: readChain,
    v3: { methods: V3_METHODS, emulateMethods: EMULATE_METHODS, index: () => reader },
    dialect: 'spec',
    network: options.network ?? 'dev',
    privateChains: new Map(),
    keys: () => undefined,
    limits: { ...LIMITS, requestMs: options.requestMs ?? LIMITS.requestMs },
    corsOrigins: [],
    clock: systemClock,
    logger: silentLogger,
    registry: new Registry(),
    logRequests: false,
    readiness: () => ({ ready: true }),
    status: () => ({}),
  })
  const ask: V3Gateway['ask'] = async (path, init) => {
    const response = await app.handle(new Request(`http://localhost${path}`, init))
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: JSON.parse(text) as Record<string, unknown>,
    }
  }
  return {
    batches,
    reader,
    chain: readChain,
    ask,
    get: (path, headers = {}) => ask(`/api/v3/${path}`, { headers }),
    post: (path, body) => ask(`/api/v3/${path}`, { method: 'POST', body: JSON.stringify(body) }),
    stop: async () => {
      await live.stop()
      await temporary.remove()
    },
  }
}

/** All rows of a list, page by page, by cursor. */
export const everyRow = async <T>(gateway: V3Gateway, path: string, key: string): Promise<T[]> => {
  const rows: T[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`
    const answer = await gateway.get(`${path}&limit=1000${more}`)
    if (answer.status !== 200) throw new Error(answer.text)
    rows.push(...(answer.json[key] as T[]))
    cursor = answer.headers.get('x-next-cursor')
  }
  return rows
}

/** Every masterchain seqno of the recording. */
export const ALL_SEQNOS: readonly number[] = Array.from({ length: recordedChain().last }, (_, i) => i + 1)
