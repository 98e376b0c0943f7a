import { describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import { silentLogger } from '../../../src/common/logger.ts'
import type { Bundle } from '../../../src/indexer/fetch.ts'
import { createKeeper } from '../../../src/indexer/keep.ts'
import { createProgress } from '../../../src/indexer/progress.ts'
import { createTurns } from '../../../src/indexer/turns.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

const bundle = (seqno: number): Bundle => ({ seqno }) as Bundle

const setup = (store: (bundle: Bundle) => Promise<number>) => {
  const clock = createVirtualClock()
  const progress = createProgress(clock)
  const end = new AbortController()
  let changes = 0
  const keeper = createKeeper({
    store,
    turns: createTurns(),
    progress,
    clock,
    logger: silentLogger,
    signal: end.signal,
    changed: () => {
      changes++
    },
  })
  return { clock, progress, end, keeper, changes: () => changes }
}

describe('what keeps bundles', () => {
  test('pauses while the disk is full, says why, and goes on by itself with the same block', async () => {
    let full = true
    const stored: number[] = []
    const { keeper, clock, progress, changes } = setup(async ({ seqno }) => {
      if (full) throw new TonlithError('unavailable', 'the disk is full: DATA/index cannot grow')
      stored.push(seqno)
      return 5
    })
    const kept = keeper.keep(bundle(7))
    await clock.advance(60_000)
    expect(keeper.paused()).toBe('the disk is full: DATA/index cannot grow')
    expect(changes()).toBe(1)
    expect(stored).toEqual([])
    full = false
    await clock.advance(3_000)
    await kept
    expect(keeper.paused()).toBeUndefined()
    expect([stored, progress.blocks, progress.transactions]).toEqual([[7], 1, 5])
  })

  test('does not hide a mistake of ours', () => {
    const { keeper } = setup(() => Promise.reject(new TypeError('undefined is no function')))
    expect(keeper.keep(bundle(1))).rejects.toThrow(TypeError)
  })

  test('ends when it is told to, also while it pauses', async () => {
    const { keeper, clock, end } = setup(() => Promise.reject(new TonlithError('unavailable', 'full')))
    const kept = keeper.keep(bundle(1))
    await clock.advance(100)
    end.abort()
    await clock.advance(20_000)
    expect(kept).rejects.toThrow()
  })

  test('writes one bundle after the other, whoever brings them', async () => {
    let writing = 0
    const { keeper } = setup(async () => {
      expect(++writing).toBe(1)
      await Promise.resolve()
      writing--
      return 0
    })
    await Promise.all([1, 2, 3, 4].map((seqno) => keeper.keep(bundle(seqno))))
  })
})
