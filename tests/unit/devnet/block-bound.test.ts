import { describe, expect, test } from 'bun:test'
import { type BlockBound, fixedBound, timedBound } from '../../../src/devnet/block-bound.ts'

/** Steps of full blocks on a machine that takes so many milliseconds for a transaction. */
const run = (bound: BlockBound, msEach: number, waiting = Number.POSITIVE_INFINITY): number => {
  for (let i = 0; i < 60; i++) {
    const transactions = Math.min(bound.transactions(), waiting)
    bound.made(transactions, 20 + transactions * msEach)
  }
  return bound.transactions()
}

describe('a bound by time', () => {
  test('comes to what fits between two blocks', () => {
    for (const msEach of [0.5, 1, 3]) {
      const transactions = run(timedBound(400), msEach)
      expect(20 + transactions * msEach).toBeGreaterThan(250)
      expect(20 + transactions * msEach).toBeLessThan(550)
    }
  })

  test('stays within reason on any machine', () => {
    expect(run(timedBound(400), 1_000)).toBe(50)
    expect(run(timedBound(400), 0)).toBe(2_000)
    expect(run(timedBound(10), 1)).toBeGreaterThan(150)
  })

  test('does not grow without need', () => {
    expect(run(timedBound(400), 0.1, 20)).toBe(300)
  })
})

test('a fixed bound does not depend on the machine', () => {
  expect([run(fixedBound(), 0), run(fixedBound(), 1_000)]).toEqual([300, 300])
})
