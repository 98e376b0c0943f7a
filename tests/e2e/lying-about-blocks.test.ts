import { afterAll, beforeAll, describe, test } from 'bun:test'
import { type LieTrial, startLieTrial } from '../support/lie-trial.ts'
import { LIES_ABOUT_BLOCKS } from '../support/lies/blocks.ts'
import { LIES_ABOUT_TRANSACTIONS } from '../support/lies/transactions.ts'
import type { Lie } from '../support/lying-liteserver.ts'

let trial: LieTrial
beforeAll(async () => {
  trial = await startLieTrial()
})
afterAll(() => trial.stop())

const named = (lies: readonly Lie[]) => lies.map((lie) => [`${lie.name}: ${lie.fate}`, lie] as const)

describe('lies about blocks', () => {
  test.each(named(LIES_ABOUT_BLOCKS))('%s', (_, lie) => trial.expectFate(lie, trial.questions()))
})

describe('lies about transactions', () => {
  test.each(named(LIES_ABOUT_TRANSACTIONS))('%s', (_, lie) => trial.expectFate(lie, trial.questions()))
})
