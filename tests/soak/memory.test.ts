import { describe, expect, test } from 'bun:test'
import { seededRandom } from '../../src/common/seeded-random.ts'
import { isGrowing, judgeMemory, readMemory } from './memory.ts'

const MIB = 2 ** 20

/** Samples of so many minutes whose anonymous pages grow so many MiB a minute, with the noise that a gateway has. */
const samples = (perMinute: number, minutes = 10) => {
  const random = seededRandom(1)
  return Array.from({ length: 30 * minutes }, (_, i) => {
    const anonymous = (280 + (perMinute * i * 2) / 60 + 40 * random()) * MIB
    return { at: i * 2, anonymous, resident: anonymous + 50 * MIB }
  })
}

describe('the memory of a process', () => {
  test('that stays as it is does not grow', () => {
    const verdict = judgeMemory(samples(0), 60)!
    expect(Math.abs(verdict.perMinute)).toBeLessThan(2 * MIB)
    expect(verdict.last / verdict.first).toBeCloseTo(1, 1)
    expect(verdict.seconds).toBe(538)
  })

  test('that grows is seen by how much', () => {
    expect(judgeMemory(samples(6), 60)!.perMinute / MIB).toBeCloseTo(6, 0)
    const grows = (perMinute: number, minutes: number): boolean =>
      isGrowing(judgeMemory(samples(perMinute, minutes), 60)!)
    expect([0, 1, 6].map((perMinute) => grows(perMinute, 10))).toEqual([false, false, true])
    expect([0, 3].map((perMinute) => grows(perMinute, 20))).toEqual([false, true])
    expect([0, 6, 40].map((perMinute) => grows(perMinute, 6))).toEqual([false, false, true])
  })

  test('is not told from a few samples', () => {
    expect(judgeMemory(samples(0).slice(0, 40), 60)).toBeUndefined()
  })

  test('is read for one that runs, and for no other', () => {
    const read = readMemory(process.pid)
    expect(process.platform !== 'linux' || read!.resident >= read!.anonymous).toBe(true)
    expect(readMemory(2 ** 22 + 1)).toBeUndefined()
  })
})
