import { describe, expect, test } from 'bun:test'
import { seededRandom } from '../../src/common/seeded-random.ts'
import { isGrowing, judgeMemory, readMemory } from './memory.ts'

const MIB = 2 ** 20

/** Samples of ten minutes whose anonymous pages grow so many MiB a minute, with noise of 20 MiB. */
const samples = (perMinute: number) => {
  const random = seededRandom(1)
  return Array.from({ length: 300 }, (_, i) => {
    const anonymous = (100 + (perMinute * i * 2) / 60 + 20 * random()) * MIB
    return { at: i * 2, anonymous, resident: anonymous + 50 * MIB }
  })
}

describe('the memory of a process', () => {
  test('that stays as it is does not grow', () => {
    const verdict = judgeMemory(samples(0), 60)!
    expect(Math.abs(verdict.perMinute)).toBeLessThan(MIB)
    expect(verdict.last / verdict.first).toBeCloseTo(1, 1)
    expect(verdict.seconds).toBe(538)
  })

  test('that grows is seen by how much', () => {
    const verdict = judgeMemory(samples(4), 60)!
    expect(verdict.perMinute / MIB).toBeCloseTo(4, 0)
    expect([0, 4, 12].map((perMinute) => isGrowing(judgeMemory(samples(perMinute), 60)!))).toEqual([false, false, true])
    expect(isGrowing({ ...verdict, seconds: 1_200 })).toBe(true)
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
