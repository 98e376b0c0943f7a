import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Liteserver } from '../../src/devnet/liteserver-server.ts'
import type { Endpoint } from '../../src/liteserver/connection.ts'
import { startArchive } from '../support/archive-client.ts'
import { type Asked, createForgetfulGateway, type Got } from '../support/lied-to-gateway.ts'
import { LIES_ABOUT_ACCOUNTS } from '../support/lies/accounts.ts'
import { LIES_ABOUT_ANYTHING, LONG_LIE } from '../support/lies/any-answer.ts'
import { LIES_ABOUT_BLOCKS, LIES_ABOUT_CONFIG } from '../support/lies/blocks.ts'
import { LIES_ABOUT_TRANSACTIONS } from '../support/lies/transactions.ts'
import { type Fate, type Lie, startLyingLiteserver } from '../support/lying-liteserver.ts'
import { readQuestions } from '../support/read-questions.ts'
import { recordedChain } from '../support/recorded-chain.ts'

/**
 * One way to lie after the other, in the answers to every read of API v2, through the whole gateway at the level
 * `proofs`. Alone, the liar must not get a wrong answer out; beside an honest server it must not even keep the right one
 * away. Each question meets a gateway that has heard nothing before, so that the liar is asked first.
 */

/** Questions that are under way at the same time. */
const LANES = 4
const TIMEOUT_MS = 30_000
const head = recordedChain().last
const gateways = Array.from({ length: LANES }, () => createForgetfulGateway('proofs'))
const truth = new Map<string, Asked>()
let honest: Liteserver
let honestEndpoint: Endpoint

beforeAll(async () => {
  honest = await startArchive({ head })
  honestEndpoint = { ...honest.address, key: honest.publicKey }
  for (const question of readQuestions(head)) truth.set(question, await gateways[0]!.ask(question, [honestEndpoint]))
})
afterAll(() => honest.stop())

/** Works through a list in as many lanes as there are gateways. */
const inLanes = async <T>(items: Iterable<T>, work: (item: T, lane: number) => Promise<void>): Promise<void> => {
  const rest = Iterator.from(items)
  const lane = async (_: unknown, i: number): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value, i)
  }
  await Promise.all(gateways.map(lane))
}

/** What became of an answer in the words of the lies' fates, or the wrong answer itself. */
const fateOf = (got: Got, right: Got): Fate | Got => {
  if (Bun.deepEquals(got, right)) return 'harmless'
  return got.status >= 500 && !got.body.ok ? 'refused' : got
}

const isFated = (fate: Fate | Got, expected: Fate): boolean =>
  expected === 'either' ? fate === 'refused' || fate === 'harmless' : fate === expected

/** The fate of a lie under each question that it can be told to, where that is not the expected one. */
const surprises = async (lie: Lie, questions: Iterable<string>): Promise<{ lies: number; wrong: object[] }> => {
  const wrong: object[] = []
  const liars = gateways.map(() => startLyingLiteserver({ head, lie }))
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
    if (isLiedTo) lies++
    const expected = !isLiedTo ? 'harmless' : right.body.ok ? lie.fate : 'either'
    if (!isFated(alone, expected)) wrong.push({ question, alone })
    if (!isLiedTo) return
    const both = fateOf((await gateway.ask(question, [server, honestEndpoint])).got, right)
    if (!isFated(both, lie.beside ?? 'harmless')) wrong.push({ question, both })
  })
  for (const { server } of liars) server.kill()
  return { lies, wrong }
}

const named = (lies: readonly Lie[]) => lies.map((lie) => [`${lie.name}: ${lie.fate}`, lie] as const)
const check = async (lie: Lie, questions: Iterable<string>): Promise<void> => {
  const { lies, wrong } = await surprises(lie, questions)
  expect(wrong).toEqual([])
  expect(lies).toBeGreaterThan(0)
}

/** The first question for each method of API v2. */
const oneOfEach = (): Iterable<string> =>
  new Map([...truth.keys()].reverse().map((each) => [each.split('?')[0], each])).values()

describe('in any answer', () => {
  test.each(named(LIES_ABOUT_ANYTHING))('%s', (_, lie) => check(lie, oneOfEach()), TIMEOUT_MS)
})

test(`${LONG_LIE.name}: ${LONG_LIE.fate}`, () => check(LONG_LIE, [...oneOfEach()].slice(-4)), TIMEOUT_MS)

describe('about accounts', () => {
  test.each(named(LIES_ABOUT_ACCOUNTS))('%s', (_, lie) => check(lie, truth.keys()), TIMEOUT_MS)
})

describe('about blocks', () => {
  test.each(named(LIES_ABOUT_BLOCKS))('%s', (_, lie) => check(lie, truth.keys()), TIMEOUT_MS)
})

describe('about the configuration', () => {
  test.each(named(LIES_ABOUT_CONFIG))('%s', (_, lie) => check(lie, truth.keys()), TIMEOUT_MS)
})

describe('about transactions', () => {
  test.each(named(LIES_ABOUT_TRANSACTIONS))('%s', (_, lie) => check(lie, truth.keys()), TIMEOUT_MS)
})
