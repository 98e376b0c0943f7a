import { expect, jest, test } from 'bun:test'
import type { IndexReport } from '../../../src/cli/index-host.ts'
import { watchIndexLag } from '../../../src/cli/index-lag.ts'

const report = (seqno: number | null, head: number | null): IndexReport => ({ status: { seqno, head } }) as IndexReport

test('how far the index is behind is noted twice a minute, over an hour, and told for this moment', () => {
  jest.useFakeTimers()
  let now = 0
  let word: IndexReport | undefined
  const watch = watchIndexLag(
    () => word,
    () => now,
  )
  expect(watch.samples()).toEqual([{ at: 0, blocks: null }])
  const pass = (times: number): void => {
    for (let i = 0; i < times; i++) {
      now += 30_000
      jest.advanceTimersByTime(30_000)
    }
  }
  word = report(5, 9)
  pass(1)
  word = report(10, 9)
  expect(watch.samples()).toEqual([
    { at: 30_000, blocks: 4 },
    { at: 30_000, blocks: 0 },
  ])
  word = report(null, 9)
  pass(200)
  expect(watch.samples()).toHaveLength(121)
  expect(watch.samples()[0]).toEqual({ at: 30_000 * (201 - 119), blocks: null })
  watch.stop()
  pass(1)
  expect(watch.samples().at(-2)!.at).toBe(30_000 * 201)
  jest.useRealTimers()
})
