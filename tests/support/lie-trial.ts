import { expect } from 'bun:test'
import type { Endpoint } from '../../src/liteserver/connection.ts'
import { startArchive } from './archive-client.ts'
import { type Asked, createForgetfulGateway, type Got, type Treated } from './lied-to-gateway.ts'
import { type Fate, type Lie, startLyingLiteserver } from './lying-liteserver.ts'
import { readQuestions } from './read-questions.ts'
import { recordedChain } from './recorded-chain.ts'
import { startTvm } from './tvm.ts'

/** Questions that are under way at the same time. */
const LANES = 4
const head = recordedChain().last

/** Tells lies to the whole gateway, at the level `proofs`, in the answers to questions of API v2. */
export interface LieTrial {
  /** Every question. */
  questions(): Iterable<string>
  /** What an honest server's answers make of each question. */
  truths(): ReadonlyMap<string, Got>
  /** The first question for each method of API v2. */
  oneOfEach(): Iterable<string>
  /**
   * Expects what a lie is fated to: alone it must not get a wrong answer out, beside an honest server it must not even
   * keep the right one away, and what was refused bans the liar. Each question meets a gateway that has heard nothing
   * before, so that the liar is asked first.
   */
  expectFate(lie: Lie, questions: Iterable<string>): Promise<void>
  stop(): Promise<void>
}

/** What became of an answer in the words of the lies' fates, or the wrong answer itself. */
const fateOf = (got: Got, right: Got): Fate | Got => {
  if (Bun.deepEquals(got, right)) return 'harmless'
  return got.status >= 500 && !got.body.ok ? 'refused' : got
}

const isFated = (fate: Fate | Got, expected: Fate): boolean =>
  expected === 'either' ? fate === 'refused' || fate === 'harmless' : fate === expected

/** True when every server whose answers were refused is banned, and no other. */
export const isFair = (servers: readonly Treated[]): boolean =>
  servers.every(({ refusals, isBanned }) => refusals > 0 === isBanned)

/** Starts the honest server and learns the right answers from it. */
export const startLieTrial = async (asked: readonly string[] = readQuestions(head)): Promise<LieTrial> => {
  const tvm = startTvm()
  const gateways = Array.from({ length: LANES }, () => createForgetfulGateway('proofs', tvm))
  const honest = await startArchive({ head })
  const honestEndpoint: Endpoint = { ...honest.address, key: honest.publicKey }
  const truth = new Map<string, Asked>()

  /** Works through a list in as many lanes as there are gateways. */
  const inLanes = async (items: Iterable<string>, work: (item: string, lane: number) => Promise<void>) => {
    const rest = Iterator.from(items)
    const lane = async (_: unknown, i: number): Promise<void> => {
      for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value, i)
    }
    await Promise.all(gateways.map(lane))
  }
  await inLanes(asked, async (question, lane) => {
    truth.set(question, await gateways[lane]!.ask(question, [honestEndpoint]))
  })

  return {
    questions: () => truth.keys(),
    truths: () => new Map([...truth].map(([question, { got }]) => [question, got])),
    oneOfEach: () => new Map([...truth.keys()].reverse().map((each) => [each.split(/[? ]/)[0], each])).values(),
    expectFate: async (lie, questions) => {
      const liars = gateways.map(() => startLyingLiteserver({ head, lie }))
      const wrong: object[] = []
      let lies = 0
      const isAbout = (question: string): boolean =>
        lie.insteadOfError !== undefined || [...truth.get(question)!.methods].some((method) => method in lie.tells)
      await inLanes(Iterator.from(questions).filter(isAbout), async (question, lane) => {
        const { server, told } = liars[lane]!
        const gateway = gateways[lane]!
        const right = truth.get(question)!.got
        const before = told()
        const alone = fateOf((await gateway.ask(question, [server])).got, right)
        const isLiedTo = told() > before
        const expected = !isLiedTo ? 'harmless' : right.body.ok ? lie.fate : 'either'
        if (!isFated(alone, expected)) wrong.push({ question, alone })
        if (!isLiedTo) return
        lies++
        const beside = await gateway.ask(question, [server, honestEndpoint])
        const both = fateOf(beside.got, right)
        if (!isFated(both, lie.beside ?? 'harmless')) wrong.push({ question, both })
        if (both === 'harmless' && !isFair(beside.servers)) wrong.push({ question, treated: beside.servers })
      })
      for (const { server } of liars) server.kill()
      expect(wrong).toEqual([])
      expect(lies).toBeGreaterThan(0)
    },
    stop: async () => {
      tvm.stop()
      await honest.stop()
    },
  }
}
