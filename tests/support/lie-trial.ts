import { expect } from 'bun:test'
import type { Endpoint } from '../../src/liteserver/connection.ts'
import type { TrustLevel } from '../../src/liteserver/trust.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { startArchive } from './archive-client.ts'
import { inLanes } from './lanes.ts'
import { type Asked, createForgetfulGateway, type Got, type Treated } from './lied-to-gateway.ts'
import { type Fate, type Lie, type LyingLiteserver, startLyingLiteserver } from './lying-liteserver.ts'
import { readQuestions } from './read-questions.ts'
import { recordedChain } from './recorded-chain.ts'
import { startTvm } from './tvm.ts'

/** A lie about some methods is told in the answers to so many questions, unless TONLITH_ALL_LIES is set. */
const QUESTIONS_PER_LIE = process.env['TONLITH_ALL_LIES'] ? Number.POSITIVE_INFINITY : 8

/** Some of many, from the first to the last. */
const spread = <T>(all: readonly T[]): readonly T[] => {
  const step = Math.max(1, all.length / QUESTIONS_PER_LIE)
  return all.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
}

/** Questions that are under way at the same time; so many `tell`s with one question each may be, too. */
export const LANES = 8

export interface LieTrialOptions {
  questions?: readonly string[]
  level?: TrustLevel
  /** Masterchain block at which the servers stand. At the level `full` one of which the recording has the signatures. */
  head?: number
}

/** What became of a lie. */
export interface Outcome {
  /** How many questions were answered with it. */
  lies: number
  /** What should not have happened, with the question. */
  wrong: object[]
}

/** Tells lies to the whole gateway, at the level `proofs` unless told otherwise, in the answers to questions of API v2. */
export interface LieTrial {
  /** Every question. */
  questions(): string[]
  /** What an honest server's answers make of each question, and how it is asked. */
  truth: ReadonlyMap<string, Asked>
  /** The first question for each method of API v2. */
  oneOfEach(): Iterable<string>
  /**
   * Looks whether a lie meets its fate: alone it must not get a wrong answer out, beside an honest server it must not even
   * keep the right one away, and what was refused bans the liar. Each question meets a gateway that has heard nothing
   * before, so that the liar is asked first.
   */
  tell(lie: Lie, questions: Iterable<string>, aboutHead?: boolean): Promise<Outcome>
  /** The same; expects that it does, and that the lie was told. */
  expectFate(lie: Lie, questions: Iterable<string>): Promise<void>
  stop(): Promise<void>
}

const PROOFS = new Set(['proof', 'dest_proof', 'state_proof'])

/** An answer with what its proofs are about in their place: one that shows less, but enough, is no other proof. */
const withoutProofs = (got: Got): unknown =>
  JSON.parse(JSON.stringify(got), (name, value) =>
    PROOFS.has(name) && value ? parseBocRoot(Buffer.from(value, 'base64')).ref(0).hash(0).toString('hex') : value,
  )

/** What became of an answer in the words of the lies' fates, or the wrong answer itself. */
const fateOf = (got: Got, right: Got): Fate | Got => {
  if (Bun.deepEquals(got, right) || Bun.deepEquals(withoutProofs(got), withoutProofs(right))) return 'harmless'
  return got.status >= 500 && !got.body.ok ? 'refused' : got
}

const isFated = (fate: Fate | Got, expected: Fate): boolean =>
  expected === 'either' ? fate === 'refused' || fate === 'harmless' : fate === expected

/** True when no server was banned but those whose answers were refused, and these were, where another's was not. */
const isFair = (servers: readonly Treated[], isProvenWrong: boolean): boolean =>
  servers.every(({ refusals, isBanned }) => (isProvenWrong ? refusals > 0 === isBanned : refusals > 0 || !isBanned))

/** Starts the honest server and learns the right answers from it. */
export const startLieTrial = async (options: LieTrialOptions = {}): Promise<LieTrial> => {
  const { level = 'proofs', head = recordedChain().last } = options
  const tvm = startTvm()
  const idle = Array.from({ length: LANES }, () => createForgetfulGateway(level, tvm))
  const honest = await startArchive({ head })
  const honestEndpoint: Endpoint = { ...honest.address, key: honest.publicKey }
  const truth = new Map<string, Asked>()

  const ask = async (question: string, servers: readonly Endpoint[]): Promise<Asked> => {
    const gateway = idle.pop()!
    try {
      return await gateway.ask(question, servers)
    } finally {
      idle.push(gateway)
    }
  }
  await inLanes(LANES, options.questions ?? readQuestions(head), async (question) => {
    truth.set(question, await ask(question, [honestEndpoint]))
  })

  const tell: LieTrial['tell'] = async (lie, questions, aboutHead = false) => {
    const liars = new Map<number, LyingLiteserver>()
    const wrong: object[] = []
    let lies = 0
    const isAbout = (question: string): boolean =>
      aboutHead ||
      lie.insteadOfError !== undefined ||
      [...truth.get(question)!.methods].some((method) => method in lie.tells)
    const all = [...questions].filter(isAbout)
    await inLanes(LANES, lie.insteadOfError ? all : spread(all), async (question, lane) => {
      const { server, told } = liars.getOrInsertComputed(lane, () => startLyingLiteserver({ head, lie, aboutHead }))
      const right = truth.get(question)!.got
      const before = told()
      const alone = fateOf((await ask(question, [server])).got, right)
      const isLiedTo = told() > before
      const expected = !isLiedTo ? 'harmless' : right.body.ok ? lie.fate : 'either'
      if (!isFated(alone, expected)) wrong.push({ question, alone })
      if (!isLiedTo) return
      lies++
      const beside = await ask(question, [server, honestEndpoint])
      const both = fateOf(beside.got, right)
      if (!isFated(both, lie.beside ?? 'harmless')) wrong.push({ question, both })
      if (both === 'harmless' && !isFair(beside.servers, right.body.ok))
        wrong.push({ question, treated: beside.servers })
    })
    for (const { server } of liars.values()) server.kill()
    return { lies, wrong }
  }

  return {
    truth,
    questions: () => [...truth.keys()],
    oneOfEach: () => new Map([...truth.keys()].reverse().map((each) => [each.split(/[? ]/)[0], each])).values(),
    tell,
    expectFate: async (lie, questions) => {
      const { lies, wrong } = await tell(lie, questions)
      expect(wrong).toEqual([])
      expect(lies).toBeGreaterThan(0)
    },
    stop: async () => {
      tvm.stop()
      await honest.stop()
    },
  }
}
