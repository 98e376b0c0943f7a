import { afterAll, beforeAll, describe, test } from 'bun:test'
import { type LieTrial, startLieTrial } from '../support/lie-trial.ts'
import { LIES_ABOUT_QUEUES_AND_LINKS } from '../support/lies/queues-and-links.ts'

let trial: LieTrial
beforeAll(async () => {
  trial = await startLieTrial()
})
afterAll(() => trial.stop())

describe('lies about queues, libraries and links', () => {
  test.each(LIES_ABOUT_QUEUES_AND_LINKS.map((lie) => [`${lie.name}: ${lie.fate}`, lie] as const))('%s', (_, lie) =>
    trial.expectFate(lie, trial.questions()),
  )
})
