import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type LieTrial, startLieTrial } from '../support/lie-trial.ts'
import { LIES_ABOUT_ACCOUNTS } from '../support/lies/accounts.ts'
import { LIES_ABOUT_ANYTHING } from '../support/lies/any-answer.ts'
import { LIES_ABOUT_CONFIG } from '../support/lies/blocks.ts'
import { LIES_ABOUT_PREV_BLOCKS } from '../support/lies/prev-blocks.ts'
import { LIES_ABOUT_QUEUES_AND_LINKS } from '../support/lies/queues-and-links.ts'
import type { Lie } from '../support/lying-liteserver.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { runQuestions } from '../support/run-questions.ts'

/** Lies about what get-methods, tokens and fees are computed from. */

let trial: LieTrial
beforeAll(async () => {
  trial = await startLieTrial({ questions: runQuestions(recordedChain().last) })
})
afterAll(() => trial.stop())

const LIES: Readonly<Record<string, readonly Lie[]>> = {
  'any answer': LIES_ABOUT_ANYTHING,
  accounts: LIES_ABOUT_ACCOUNTS,
  'the configuration': LIES_ABOUT_CONFIG,
  'earlier blocks': LIES_ABOUT_PREV_BLOCKS,
  libraries: LIES_ABOUT_QUEUES_AND_LINKS.filter(({ tells }) => 'liteServer.getLibrariesWithProof' in tells),
}

for (const [what, lies] of Object.entries(LIES))
  describe(`lies about ${what}`, () => {
    test.each(lies.map((lie) => [`${lie.name}: ${lie.fate}`, lie] as const))('%s', (_, lie) =>
      trial.expectFate(lie, lies === LIES_ABOUT_ANYTHING ? trial.oneOfEach() : trial.questions()),
    )
  })

test('every question is answered, when the truth is told', () => {
  expect([...trial.truth.values()].map(({ got }) => got).filter(({ status }) => status !== 200)).toEqual([])
})
