import { isTonlithError } from '../../src/common/errors.ts'
import { silentLogger } from '../../src/common/logger.ts'
import { createAnswer } from '../../src/devnet/answer.ts'
import { createHead } from '../../src/devnet/head.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { encode } from '../../src/ton/tl/codec.ts'
import {
  decodeAnswer,
  encodeQuery,
  isLiteRequest,
  type LiteAnswer,
  type LiteRequest,
} from '../../src/ton/tl/lite-api.ts'
import type { LiteServerMethod } from '../../src/ton/tl/schema.ts'
import type { Arguments } from '../../src/ton/tl/types.ts'
import { archiveAt } from './archive-client.ts'
import { type FakeLiteserver, type FakeOptions, type Reply, startFakeLiteserver } from './fake-liteserver.ts'
import { recordedChain } from './recorded-chain.ts'

/** What a liar says: another answer, of any type, or something that is none; undefined for the truth. */
export type Told = LiteAnswer | Reply | undefined

/** Turns the true answer to a question into a lie. `ask` asks the archive, at the head that the liar stands at. */
export type Tell<M extends LiteServerMethod> = (
  honest: LiteAnswer<M>,
  args: Arguments<M>,
  ask: Query,
) => Told | Promise<Told>

/**
 * What must become of a lie when nobody else can be asked. `refused`: an error. `harmless`: the right answer, since the
 * lie is about something that is not used. `either`: one of the two. `unseen`: nobody can tell that it is a lie.
 */
export type Fate = 'refused' | 'harmless' | 'either' | 'unseen'

/** A way to lie, by the methods that it is about. */
export interface Lie {
  name: string
  fate: Fate
  /** What becomes of it beside an honest server: `harmless` unless nobody can tell that it is a lie. */
  beside?: Fate
  tells: { readonly [M in LiteServerMethod]?: Tell<M> }
  /** What is said in the place of an error. */
  insteadOfError?: (request: LiteRequest, ask: Query) => Told | Promise<Told>
}

export interface LyingLiteserver {
  server: FakeLiteserver
  /** How often it has lied. */
  told(): number
}

/** Mode bit of getBlockHeader with which the pool asks about a new head. */
const WITH_STATE_UPDATE = 1

/** What keeps a server in the pool: lies about anything else leave it alone. */
const isHousekeeping = (request: LiteRequest): boolean =>
  request._ === 'liteServer.getMasterchainInfoExt' ||
  request._ === 'liteServer.getBlockProof' ||
  request._ === 'liteServer.lookupBlock' ||
  (request._ === 'liteServer.getBlockHeader' && request.mode === WITH_STATE_UPDATE)

export interface LyingOptions extends Pick<FakeOptions, 'onConnect'> {
  /** Masterchain block at which it stands. */
  head: number
  lie: Lie
  /** The lie is about the head itself, or what proves it. It does not wait for a new one then. */
  aboutHead?: boolean
}

/** A liteserver over the recorded chain that speaks ADNL, keeps up its head, and lies in one way. */
export const startLyingLiteserver = ({ head, lie, aboutHead = false, ...options }: LyingOptions): LyingLiteserver => {
  const truth = createAnswer(recordedChain(), createHead(head), silentLogger)
  const ask = archiveAt(head)
  let told = 0

  const lieTo = async (request: LiteRequest, bytes: Buffer): Promise<Told> => {
    if (isHousekeeping(request) !== aboutHead) return undefined
    let honest: LiteAnswer
    try {
      honest = decodeAnswer(request._, bytes)
    } catch (error) {
      if (!isTonlithError(error, 'liteserver')) throw error
      return await lie.insteadOfError?.(request, ask)
    }
    const tell = lie.tells[request._] as Tell<LiteServerMethod> | undefined
    const { _, ...args } = request
    return await tell?.(honest, args as Arguments<LiteServerMethod>, ask)
  }

  const server = startFakeLiteserver({
    reply: async (call, wait) => {
      if (!isLiteRequest(call)) return 'close'
      const bytes = (await truth(encodeQuery(call, aboutHead ? undefined : wait)))!
      const lied = await lieTo(call, bytes)
      if (lied === undefined) return bytes
      told++
      return typeof lied === 'string' || Buffer.isBuffer(lied) ? lied : encode(lied)
    },
    ...options,
  })
  return { server, told: () => told }
}
