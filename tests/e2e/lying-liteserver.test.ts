import { afterAll, beforeAll, describe, test } from 'bun:test'
import { type LieTrial, startLieTrial } from '../support/lie-trial.ts'
import { LIES_ABOUT_ACCOUNTS } from '../support/lies/accounts.ts'
import { LIES_ABOUT_ANYTHING, LONG_LIE } from '../support/lies/any-answer.ts'
import { LIES_ABOUT_CONFIG } from '../support/lies/blocks.ts'
import type { Lie } from '../support/lying-liteserver.ts'

let trial: LieTrial
beforeAll(async () => {
  trial = await startLieTrial()
})
afterAll(() => trial.stop())

const named = (lies: readonly Lie[]) => lies.map((lie) => [`${lie.name}: ${lie.fate}`, lie] as const)

describe('lies in any answer', () => {
  test.each(named(LIES_ABOUT_ANYTHING))('%s', (_, lie) => trial.expectFate(lie, trial.oneOfEach()))

  test(`${LONG_LIE.name}: ${LONG_LIE.fate}`, () => trial.expectFate(LONG_LIE, [...trial.oneOfEach()].slice(-4)))
})

describe('lies about accounts', () => {
  test.each(named(LIES_ABOUT_ACCOUNTS))('%s', (_, lie) => trial.expectFate(lie, trial.questions()))
})

describe('lies about the configuration', () => {
  test.each(named(LIES_ABOUT_CONFIG))('%s', (_, lie) => trial.expectFate(lie, trial.questions()))
})
