import type { Chain } from '../../src/chain/chain.ts'
import { connect, type Endpoint } from '../../src/liteserver/connection.ts'
import { createPool, type Pool, type PoolOptions } from '../../src/liteserver/pool.ts'
import { createTrust, type TrustLevel } from '../../src/liteserver/trust.ts'
import type { LiteServerMethod } from '../../src/ton/tl/schema.ts'
import type { TvmPool } from '../../src/tvm/pool.ts'
import { gatewayOver, recordedReads } from './archive-gateway.ts'
import { recordedChain } from './recorded-chain.ts'

/** What a caller gets: the status and the body, without what is different each time. */
export interface Got {
  status: number
  body: { ok: boolean; result?: unknown; error?: string }
}

export interface Asked {
  got: Got
  /** The methods with which liteservers were asked. */
  methods: ReadonlySet<LiteServerMethod>
  /** What became of each server, in their order. */
  servers: readonly Treated[]
}

/** How the pool took what a server said. */
export interface Treated {
  /** Answers that were refused. */
  refusals: number
  /** It was left alone for a while. */
  isBanned: boolean
}

/** A gateway that forgets everything between two questions: what it heard, whom it believes. */
export interface ForgetfulGateway {
  /**
   * Asks over the servers, of which each is known as slower than those before it. A question is the path of a GET, or that
   * of a POST and, behind a space, its JSON.
   */
  ask(question: string, servers: readonly Endpoint[]): Promise<Asked>
}

const TIMEOUT_MS = 3_000
const PATIENCE_MS = 30
const READY_MS = 400
/** Told to the pool as the time that a connection takes: it asks the nearest server first. */
const FURTHER_MS = 10

const bodyOf = async (response: Response): Promise<Got['body']> => {
  const { '@extra': _, ...body } = (await response.json()) as Got['body'] & { '@extra'?: string }
  return body
}

/** Live reads of the recorded network, with trust from its zerostate on, through a pool that is to be stopped. */
export const readsOver = (
  level: TrustLevel,
  liteservers: readonly Endpoint[],
  options: Partial<PoolOptions> = {},
  tvm?: TvmPool,
): { chain: Chain; pool: Pool } => {
  const zeroState = recordedChain().zerostate(-1)!.id
  const trust = createTrust({ level, zeroState, initBlock: zeroState })
  const pool = createPool({ liteservers, zeroState, verifyHead: trust.verifyHead, timeoutMs: TIMEOUT_MS, ...options })
  pool.start()
  return { chain: recordedReads(pool, trust, tvm), pool }
}

const requestOf = (question: string): Request => {
  const [path, ...body] = question.split(' ')
  const url = `http://localhost${path}`
  return new Request(url, body.length > 0 ? { method: 'POST', body: body.join(' ') } : {})
}

/** The whole gateway, with a pool and a memory of its own for each question. Without a TVM it refuses get-methods. */
export const createForgetfulGateway = (level: TrustLevel, tvm?: TvmPool): ForgetfulGateway => {
  let chain: Chain | undefined
  const fetch = gatewayOver(new Proxy({} as Chain, { get: (_, name) => Reflect.get(chain!, name) }))

  return {
    ask: async (question, servers) => {
      const methods = new Set<LiteServerMethod>()
      const refusals = servers.map(() => 0)
      const bans = servers.map(() => 0)
      const options: Partial<PoolOptions> = {
        patienceMs: PATIENCE_MS,
        observe: ({ method }) => methods.add(method),
        observeFault: ({ index, banned }) => {
          if (banned) bans[index]!++
          else refusals[index]!++
        },
        connect: async (endpoint, options) => {
          const connection = await connect(endpoint, options)
          await Bun.sleep(FURTHER_MS * servers.findIndex(({ port }) => port === endpoint.port))
          return connection
        },
      }
      const reads = readsOver(level, servers, options, tvm)
      try {
        const settled = () =>
          reads.pool.status().every(({ state, lastError }) => state !== 'offline' || lastError !== undefined)
        for (let left = READY_MS; left > 0 && !settled(); left--) await Bun.sleep(1)
        chain = reads.chain
        const response = await fetch(requestOf(question))
        const got = { status: response.status, body: await bodyOf(response) }
        const isBanned = reads.pool.status().map(({ breaker }, i) => breaker === 'open' && bans[i]! > 0)
        return { got, methods, servers: refusals.map((count, i) => ({ refusals: count, isBanned: isBanned[i]! })) }
      } finally {
        reads.pool.stop()
      }
    },
  }
}
