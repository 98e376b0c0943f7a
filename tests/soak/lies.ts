import { silentLogger } from '../../src/common/logger.ts'
import { createAnswer } from '../../src/devnet/answer.ts'
import { createHead } from '../../src/devnet/head.ts'
import { lookupBlock } from '../../src/liteserver/client.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { type BlockIdExt, sameBlock } from '../../src/ton/block-id.ts'
import { encode } from '../../src/ton/tl/codec.ts'
import { decodeAnswer, encodeQuery, type LiteAnswer, type LiteRequest } from '../../src/ton/tl/lite-api.ts'
import type { LiteServerMethod } from '../../src/ton/tl/schema.ts'
import type { Reply } from '../support/fake-liteserver.ts'
import { LIES_ABOUT_ANYTHING } from '../support/lies/any-answer.ts'
import { LIES_ABOUT_BLOCK_PROOFS, LIES_ABOUT_HEADS } from '../support/lies/heads.ts'
import { flipped, withBags } from '../support/lies/pieces.ts'
import type { Lie, Tell, Told } from '../support/lying-liteserver.ts'
import { recordedChain } from '../support/recorded-chain.ts'

/** Makes something else of a true answer; gives it back as it is where there is nothing to lie about. */
export type Liar = (request: LiteRequest, honest: Buffer) => Promise<Reply>

/** What nobody can tell a lie about, as there is no proof of it. */
const isUnproven = ({ _ }: LiteRequest): boolean =>
  _ === 'liteServer.sendMessage' || _ === 'liteServer.getTime' || _ === 'liteServer.getVersion'

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)]!

const bytesOf = (told: Exclude<Told, undefined>): Reply =>
  typeof told === 'string' || Buffer.isBuffer(told) ? told : encode(told)

/** The lies about reads hold for any method: they know nothing of what the answer is about. */
const anything: readonly Tell<LiteServerMethod>[] = LIES_ABOUT_ANYTHING.map(
  ({ tells }) => Object.values(tells)[0] as Tell<LiteServerMethod>,
)

const tell = async (lie: Tell<LiteServerMethod>, request: LiteRequest, honest: Buffer, ask: Query): Promise<Reply> => {
  const { _, ...args } = request
  const told = await lie(decodeAnswer(_, honest), args as Parameters<typeof lie>[1], ask)
  return told === undefined ? honest : bytesOf(told)
}

/** Now and then a lie that holds for every kind of answer, or a flipped bit in one of its bags of cells. */
export const liesAboutAnything =
  (ask: Query, random: () => number): Liar =>
  async (request, honest) => {
    if (isUnproven(request) || random() < 0.5) return honest
    if (random() < 0.3) return await tell(pick(anything, random), request, honest, ask)
    const answer: LiteAnswer = decodeAnswer(request._, honest)
    return encode(withBags(answer, (bag) => flipped(bag, Math.floor(random() * bag.length * 8))))
  }

/** Lies about the newest block, its header, and the way to it by signatures. */
export const liesAboutHeads =
  (ask: Query, random: () => number): Liar =>
  async (request, honest) => {
    const all: readonly Lie[] = [...LIES_ABOUT_HEADS, ...LIES_ABOUT_BLOCK_PROOFS]
    const fitting = all.flatMap(({ tells }) => (tells[request._] as Tell<LiteServerMethod> | undefined) ?? [])
    if (fitting.length === 0 || random() < 0.3) return honest
    return await tell(pick(fitting, random), request, honest, ask)
  }

const isBlockId = (value: unknown): value is BlockIdExt =>
  typeof value === 'object' && value !== null && 'root_hash' in value && 'seqno' in value

/** The block of a question, if it has one. */
const blockOf = (request: LiteRequest): BlockIdExt | undefined =>
  'id' in request && isBlockId(request.id) ? request.id : undefined

/**
 * The true answer to a question about the block before, or about another account, and sometimes that of another question
 * of the same kind; under the name of the asked block where an answer has its name.
 */
export const answersToOthers = (ask: Query, random: () => number): Liar => {
  const earlier = new Map<LiteServerMethod, Buffer>()
  const asked = async (request: LiteRequest): Promise<LiteAnswer> => {
    const { _, ...args } = request
    return await ask(_, args as Parameters<Query>[1])
  }
  return async (request, honest) => {
    const stolen = earlier.get(request._)
    earlier.set(request._, honest)
    if (isUnproven(request) || random() < 0.4) return honest
    const id = blockOf(request)
    const dice = random()
    if ('account' in request && dice < 0.4) {
      const hash = flipped(request.account.id as Buffer, 1 + Math.floor(random() * 255))
      return encode(await asked({ ...request, account: { ...request.account, id: hash } } as LiteRequest))
    }
    if (id && dice < 0.8) {
      const { workchain, shard, seqno } = id
      const before = (await lookupBlock(ask, { workchain, shard, seqno: Math.max(1, seqno - 1) })).id
      if (sameBlock(before, id)) return honest
      const answer = await asked({ ...request, id: before } as LiteRequest)
      return encode('id' in answer && random() < 0.5 ? ({ ...answer, id } as LiteAnswer) : answer)
    }
    return stolen ?? honest
  }
}

/** A server of another chain, which has proofs and signatures for all that it says. */
export const anotherChain = (): Liar => {
  const chain = recordedChain()
  const answer = createAnswer(chain, createHead(chain.last), silentLogger)
  return async (request) => (await answer(encodeQuery(request))) ?? 'silence'
}
