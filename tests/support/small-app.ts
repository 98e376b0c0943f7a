import { Registry } from 'prom-client'
import { buildApp } from '../../src/api/app.ts'
import type { ApiDeps, ApiLimits } from '../../src/api/deps.ts'
import { blockIdExt } from '../../src/api/v2/dialect.ts'
import { type CallContext, GET_POST, type Method, method } from '../../src/api/v2/method.ts'
import { textFormsMethods } from '../../src/api/v2/methods/text-forms.ts'
import { address, int32, int64 } from '../../src/api/v2/param.ts'
import { systemClock } from '../../src/common/clock.ts'
import { silentLogger } from '../../src/common/logger.ts'
import { NO_PROXIES } from '../../src/common/proxies.ts'
import type { StopSignal } from '../../src/common/stop.ts'

/** What the methods of a small app ask: a test decides what it does. */
export interface SmallChain {
  answer(signal: StopSignal): Promise<bigint>
}

const described = { group: 'utils', summary: 'For tests', verbs: GET_POST, result: {} } as const

const BLOCK = {
  workchain: -1,
  shard: -(2n ** 63n),
  seqno: 360,
  root_hash: Buffer.alloc(32, 1),
  file_hash: Buffer.alloc(32, 2),
}

const smallMethods: readonly Method<SmallChain>[] = [
  ...textFormsMethods,
  method({ ...described, name: 'block', aliases: ['blocks'], params: {}, call: () => blockIdExt(BLOCK) }),
  method({
    ...described,
    name: 'echo',
    params: { lt: int64({}), seqno: int32({ optional: true, positive: true }) },
    call: ({ lt, seqno }) => ({ lt, seqno }),
  }),
  method({
    ...described,
    name: 'ask',
    params: { address: address({ optional: true }) },
    call: (_, { chain, signal }: CallContext<SmallChain>) => chain.answer(signal),
  }),
  method({
    ...described,
    name: 'stored',
    params: { address: address({ optional: true }) },
    cacheSeconds: () => 1,
    call: (_, { chain, signal }: CallContext<SmallChain>) => chain.answer(signal),
  }),
  method({ ...described, name: 'send', verbs: ['post'], params: {}, call: () => ({ '@type': 'ok' }) }),
]

const LIMITS: ApiLimits = {
  keylessRps: 0,
  v3KeylessRps: 0,
  proxies: NO_PROXIES,
  requestMs: 10_000,
  maxCalls: 100,
  cacheBytes: 1 << 20,
}

export type SmallAppOptions = Partial<Omit<ApiDeps<SmallChain>, 'limits'>> & { limits?: Partial<ApiLimits> }

/** An app over a handful of methods, with a part of its dependencies replaced. */
export const smallApp = (options: SmallAppOptions = {}) =>
  buildApp<SmallChain>({
    methods: smallMethods,
    chain: { answer: async () => 1n },
    dialect: 'spec',
    network: 'dev',
    privateChains: new Map(),
    keys: () => undefined,
    corsOrigins: ['*'],
    clock: systemClock,
    logger: silentLogger,
    registry: new Registry(),
    logRequests: false,
    readiness: () => ({ ready: true }),
    status: () => ({}),
    ...options,
    limits: { ...LIMITS, ...options.limits },
  })

export type SmallApp = ReturnType<typeof smallApp>

/** An answer with its body read as text and as JSON. */
export interface Seen {
  status: number
  headers: Headers
  text: string
  json: unknown
}

/** Sends a request to the app without a socket. */
export const ask = async (app: SmallApp, path: string, init?: RequestInit): Promise<Seen> => {
  const response = await app.handle(new Request(`http://localhost${path}`, init))
  const text = await response.text()
  const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
}

/** Sends a POST with a JSON body. */
export const post = (app: SmallApp, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Seen> =>
  ask(app, path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers })
