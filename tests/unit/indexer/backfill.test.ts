import { describe, expect, test } from 'bun:test'
import { runBackfill } from '../../../src/indexer/backfill.ts'
import type { Bundle } from '../../../src/indexer/fetch.ts'
import type { SeqnoRange } from '../../../src/model/index-records.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

const rangesOf = (stored: ReadonlySet<number>): SeqnoRange[] => {
  const ranges: SeqnoRange[] = []
  for (const seqno of [...stored].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last.last === seqno - 1) last.last = seqno
    else ranges.push({ first: seqno, last: seqno })
  }
  return ranges
}

const setup = (first: readonly number[], options: { lowest?: number; oldest?: number; busy?: () => boolean } = {}) => {
  const stored = new Set(first)
  const clock = createVirtualClock()
  const end = new AbortController()
  const kept: number[] = []
  const done = runBackfill({
    fetch: async (seqno) => ({ seqno, bytes: 1 }) as Bundle,
    keeper: {
      keep: async ({ seqno }) => {
        kept.push(seqno)
        stored.add(seqno)
      },
      paused: () => undefined,
    },
    ranges: () => rangesOf(stored),
    lowest: () => options.lowest,
    busy: options.busy ?? (() => false),
    tooOld: ({ seqno }) => seqno < (options.oldest ?? 0),
    maxBytes: 100,
    maxThings: 4,
    clock,
    signal: end.signal,
  })
  done.catch(() => {})
  return { stored, clock, kept, end, done }
}

describe('backfill', () => {
  test('goes down to what is wanted, over what is there already', async () => {
    const { clock, kept } = setup([10, 11, 20, 21], { lowest: 5 })
    await clock.advance(10_000)
    expect(kept).toEqual([19, 18, 17, 16, 15, 14, 13, 12, 9, 8, 7, 6, 5])
  })

  test('begins when there is something to begin below, and waits while the pipeline is busy', async () => {
    let busy = true
    const { clock, kept, stored } = setup([], { lowest: 1, busy: () => busy })
    await clock.advance(1_000)
    stored.add(4)
    await clock.advance(1_000)
    expect(kept).toEqual([])
    busy = false
    await clock.advance(1_000)
    expect(kept).toEqual([3, 2, 1])
  })

  test('does not go further down than what is kept', async () => {
    const { clock, kept } = setup([50], { lowest: 1, oldest: 45 })
    await clock.advance(10_000)
    expect(kept).toEqual([49, 48, 47, 46, 45])
  })

  test('nothing is wanted: nothing is fetched', async () => {
    const { clock, kept, end, done } = setup([50, 51])
    await clock.advance(10_000)
    expect(kept).toEqual([])
    end.abort()
    await clock.advance(1_000)
    expect(done).rejects.toThrow()
  })
})
