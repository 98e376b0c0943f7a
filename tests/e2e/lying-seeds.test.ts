import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { TrustLevel } from '../../src/liteserver/trust.ts'
import { inLanes } from '../support/lanes.ts'
import { LANES, type LieTrial, startLieTrial } from '../support/lie-trial.ts'
import { HEAD_METHODS, KINDS_OF_LIES, lieOfSeed } from '../support/lies/any-seed.ts'
import { READS } from '../support/lies/pieces.ts'
import { readQuestions } from '../support/read-questions.ts'
import { runQuestions } from '../support/run-questions.ts'

/**
 * Random lies of every kind about random questions: the answer is the right one or an error, beside an honest server it is
 * the right one, and the liar is banned. At `full` some lies are about the head and the signatures on the way to it.
 * TONLITH_LIES=FROM-TO names other seeds than 0-199.
 */

/** A block of which the recording has the signatures. */
const SIGNED = 357
const [FROM, TO] = (process.env['TONLITH_LIES'] ?? '0-199').split('-').map(Number) as [number, number]

const trials = new Map<TrustLevel, LieTrial>()
beforeAll(async () => {
  const questions = [...readQuestions(SIGNED), ...runQuestions(SIGNED)]
  for (const level of ['proofs', 'full'] as const)
    trials.set(level, await startLieTrial({ questions, level, head: SIGNED }))
})
afterAll(async () => {
  for (const trial of trials.values()) await trial.stop()
})

/**
 * The trial of a seed: one round through the kinds of lies at `proofs`, one at `full`; every second of these is about the
 * head, but for the last kind of lie, which is about accounts.
 */
const planOf = (seed: number): { level: TrustLevel; aboutHead: boolean } => {
  const round = Math.floor(seed / KINDS_OF_LIES.length)
  const isAboutAccounts = seed % KINDS_OF_LIES.length === KINDS_OF_LIES.length - 1
  return { level: round % 2 === 0 ? 'proofs' : 'full', aboutHead: round % 4 === 3 && !isAboutAccounts }
}

/** Questions in an order that differs from seed to seed. */
const shuffled = (questions: readonly string[], seed: number): string[] => {
  const start = (seed * 7_919) % questions.length
  return [...questions.slice(start), ...questions.slice(0, start)]
}

test(`lies of the seeds ${FROM} to ${TO}`, async () => {
  const seeds = Array.from({ length: TO - FROM + 1 }, (_, i) => FROM + i)
  const wrong: object[] = []
  const told: string[] = []
  await inLanes(LANES, seeds, async (seed) => {
    const { level, aboutHead } = planOf(seed)
    const trial = trials.get(level)!
    const lie = lieOfSeed(seed, aboutHead ? HEAD_METHODS : READS)
    for (const question of shuffled(trial.questions(), seed)) {
      const outcome = await trial.tell(lie, [question], aboutHead)
      wrong.push(...outcome.wrong.map((each) => ({ seed, lie: lie.name, level, ...each })))
      if (outcome.lies === 0) continue
      told.push(lie.name)
      break
    }
  })
  expect(wrong).toEqual([])
  expect(told).toHaveLength(seeds.length)
})
