import { describe, expect, test } from 'bun:test'
import { createRetention } from '../../../src/indexer/retention.ts'
import type { Retention } from '../../../src/model/retention.ts'

const BYTES_OF_BLOCK = 1_000
/** Far from the clock of any machine: ages are counted from the newest block. */
const NOW = 1_000_000

/** A store of masterchain blocks of which each is a second younger than the one before; the newest is of `now`. */
const storeOf = (first: number, last: number, now: number) => {
  const range = { first, last }
  return {
    range,
    oldest: () => range.first,
    newest: () => range.last,
    utimeOf: (seqno: number) => now - (last - seqno),
    usedBytes: () => (range.last - range.first + 1) * BYTES_OF_BLOCK,
    pruneOldest: () => {
      range.first++
    },
  }
}

const pruned = (retention: Retention, first: number, last: number) => {
  const store = storeOf(first, last, NOW)
  const keeping = createRetention(retention, store)
  let steps = 0
  for (let idle = 0; idle < 100; idle++) if (keeping.step()) steps++
  for (; keeping.step(); ) steps++
  return { store, keeping, steps, now: NOW }
}

describe('what is kept', () => {
  test('all, forever', () => {
    const { store, keeping, now } = pruned('forever', 1, 5_000)
    expect(store.range.first).toBe(1)
    expect([keeping.floor(), keeping.tooOld(now - 1e9)]).toEqual([0, false])
  })

  test('what is young enough, block by block', () => {
    const { store, keeping, now } = pruned({ seconds: 60 }, 1, 90)
    expect(store.range.first).toBe(30)
    expect(keeping.floor()).toBe(30)
    expect([keeping.tooOld(now - 61), keeping.tooOld(now - 59)]).toEqual([true, false])
  })

  test('what fits, and nothing is fetched below when it is nearly full', () => {
    const { store, keeping, now } = pruned({ bytes: 50 * BYTES_OF_BLOCK }, 1, 90)
    const left = store.range.last - store.range.first + 1
    expect(left).toBeLessThanOrEqual(50)
    expect(left).toBeGreaterThan(10)
    const oldest = now - left + 1
    expect([keeping.tooOld(now), keeping.tooOld(oldest), keeping.tooOld(oldest - 1)]).toEqual([false, false, left > 47])
  })

  test('the newest block stays, whatever the bound', () => {
    expect(pruned({ bytes: 1 }, 1, 9).store.range).toEqual({ first: 9, last: 9 })
  })
})
