import { seededRandom } from '../../src/common/seeded-random.ts'
import { CONNECTION_DEFAULTS, type Connection, connect, type Endpoint } from '../../src/liteserver/connection.ts'
import type { Query } from '../../src/liteserver/query.ts'
import {
  decodeAnswer,
  encodeError,
  encodeQuery,
  isLiteRequest,
  type LiteRequest,
  type Wait,
} from '../../src/ton/tl/lite-api.ts'
import { type BadWire, startBadWire } from '../support/bad-wire.ts'
import { type FakeLiteserver, type Reply, startFakeLiteserver } from '../support/fake-liteserver.ts'
import type { FaultName } from './faults.ts'
import { anotherChain, answersToOthers, type Liar, liesAboutAnything, liesAboutHeads } from './lies.ts'

/** A liteserver as the gateway sees it: a relay of bytes, behind it one that speaks ADNL, behind it the true one. */
export interface FaultyServer {
  endpoint: Endpoint
  /** Begins a fault; gives what ends it. Throws for one that strikes something else. */
  strike(fault: FaultName, seed: number): Promise<() => Promise<void>>
  /** Questions that were answered otherwise than truly. */
  spoilt(): number
  stop(): Promise<void>
}

const QUERY_MS = 15_000
const MAX_DELAY_MS = 900
const NOT_READY = 651
const FLICKER_MS = 150

/** What becomes of an answer. */
type Treatment = (request: LiteRequest, honest: () => Promise<Buffer>) => Promise<Reply>

const lied =
  (liar: Liar): Treatment =>
  async (request, honest) =>
    await liar(request, await honest())

/** Starts one before a true liteserver. */
export const startFaultyServer = async (truth: Endpoint): Promise<FaultyServer> => {
  let upstream: Connection | undefined
  let treatment: Treatment | undefined
  let greets = true
  let spoilt = 0

  const forward = async (request: LiteRequest, wait: Wait | undefined): Promise<Buffer> => {
    if (!upstream || upstream.closed) upstream = await connect(truth, CONNECTION_DEFAULTS)
    return await upstream.query(encodeQuery(request, wait), { timeoutMs: QUERY_MS })
  }
  const ask: Query = async (method, args, { wait } = {}) =>
    decodeAnswer(method, await forward({ _: method, ...args } as unknown as LiteRequest, wait))

  const inner: FakeLiteserver = startFakeLiteserver({
    onConnect: () => (greets ? 'accept' : 'silence'),
    reply: async (call, wait) => {
      if (!isLiteRequest(call)) return 'close'
      if (!treatment) return await forward(call, wait)
      try {
        const reply = await treatment(call, () => forward(call, wait))
        spoilt++
        return reply
      } catch (error) {
        return encodeError(0, String(error))
      }
    },
  })
  const wire: BadWire = await startBadWire(inner)

  const treat = (next: Treatment): (() => Promise<void>) => {
    treatment = next
    return async () => {
      treatment = undefined
    }
  }
  const spoilWire = (fault: Parameters<BadWire['setFault']>[0]): (() => Promise<void>) => {
    wire.setFault(fault)
    return async () => wire.setFault('none')
  }

  const flicker = (): (() => Promise<void>) => {
    let over = false
    const running = (async () => {
      while (!over) {
        await wire.kill()
        await Bun.sleep(FLICKER_MS)
        await wire.restart()
        await Bun.sleep(2 * FLICKER_MS)
      }
    })()
    return async () => {
      over = true
      await running
    }
  }

  const oldHead = (): (() => Promise<void>) => {
    let frozen: Promise<Buffer> | undefined
    return treat(async (request, honest) => {
      if (request._ !== 'liteServer.getMasterchainInfoExt' && request._ !== 'liteServer.getMasterchainInfo')
        return await honest()
      frozen ??= honest()
      return await frozen
    })
  }

  const strike = async (fault: FaultName, seed: number): Promise<() => Promise<void>> => {
    const random = seededRandom(seed)
    switch (fault) {
      case 'delay':
        return treat(async (_, honest) => {
          const bytes = await honest()
          await Bun.sleep(random() * MAX_DELAY_MS)
          return bytes
        })
      case 'drip':
      case 'cut':
      case 'garbage':
        return spoilWire(fault)
      case 'silence':
        return spoilWire('black hole')
      case 'gone':
        await wire.kill()
        return wire.restart
      case 'flicker':
        return flicker()
      case 'garbage packets':
        return treat(async (_, honest) =>
          random() < 0.5 ? await honest() : random() < 0.5 ? 'garbage' : 'garbage-packet',
        )
      case 'no handshake':
        greets = false
        inner.dropConnections()
        return async () => {
          greets = true
          inner.dropConnections()
        }
      case 'errors':
        return treat(async () => encodeError(0, 'internal error'))
      case 'not ready':
        return treat(async () => encodeError(NOT_READY, 'block is not applied'))
      case 'old head':
        return oldHead()
      case 'lies about anything':
        return treat(lied(liesAboutAnything(ask, random)))
      case 'lies about heads':
        return treat(lied(liesAboutHeads(ask, random)))
      case 'answers to others':
        return treat(lied(answersToOthers(ask, random)))
      case 'another chain':
        return treat(lied(anotherChain()))
      default:
        throw new Error(`${fault} is no fault of a liteserver`)
    }
  }

  return {
    endpoint: wire.endpoint,
    strike,
    spoilt: () => spoilt,
    stop: async () => {
      await wire.kill()
      inner.kill()
      upstream?.close()
    },
  }
}
