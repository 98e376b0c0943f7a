import { describe, expect, test } from 'bun:test'
import { createProgress, progressText, secondsLeft } from '../../../src/indexer/progress.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

describe('progress', () => {
  test('rates are those of the last ten seconds', async () => {
    const clock = createVirtualClock()
    const progress = createProgress(clock)
    for (let i = 0; i < 40; i++) {
      progress.committed(7)
      await clock.advance(500)
    }
    const { blocks, transactions } = progress.rates()
    expect(blocks).toBeCloseTo(2, 0)
    expect(transactions).toBeCloseTo(14, -1)
    await clock.advance(60_000)
    expect(progress.rates()).toEqual({ blocks: 0, transactions: 0 })
    expect([progress.blocks, progress.transactions]).toEqual([40, 280])
  })

  test('the time that is left counts what is added meanwhile', () => {
    expect(secondsLeft(100, 20, 10)).toBe(10)
    expect(secondsLeft(0, 0, 1)).toBe(0)
    expect(secondsLeft(100, 1, 2)).toBeUndefined()
    expect(secondsLeft(100, 0, 0)).toBeUndefined()
  })

  test('as a line', () => {
    expect(progressText(120, 360, { blocks: 53.4, transactions: 410.2 }, 4.5)).toBe(
      '120 of 360, 53 blocks/s, 410 transactions/s, 5 s left',
    )
    expect(progressText(1, 9, { blocks: 0.5, transactions: 0 }, undefined)).toEndWith('falling behind')
    expect(progressText(1, 9, { blocks: 1, transactions: 0 }, 864_000)).toEndWith('10.0 days left')
  })
})
