import { describe, expect, test } from 'bun:test'
import { createResponseCache } from '../../../src/api/response-cache.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

const pending = () => Promise.withResolvers<string>()

describe('answers', () => {
  test('are given again until their time is over', async () => {
    const clock = createVirtualClock()
    const cache = createResponseCache(1 << 20, clock)
    expect(cache.get('k')).toBeUndefined()
    expect(await cache.share('k', 1, async () => 'a')).toBe('a')
    await clock.advance(999)
    expect(cache.get('k')).toBe('a')
    await clock.advance(2)
    expect(cache.get('k')).toBeUndefined()
  })

  test('that follow nothing are not stored for 0 seconds', async () => {
    const cache = createResponseCache(1 << 20, createVirtualClock())
    await cache.share('k', 0, async () => 'a')
    expect(cache.get('k')).toBeUndefined()
  })

  test('take a bounded amount of memory, the least used leaving first', async () => {
    const cache = createResponseCache(100_000, createVirtualClock())
    await cache.share('first', 3600, async () => 'kept')
    for (let i = 0; i < 1000; i++) {
      await cache.share(`k${i}`, 3600, async () => 'x'.repeat(1000))
      cache.get('first')
    }
    const left = Array.from({ length: 1000 }, (_, i) => cache.get(`k${i}`)).filter((text) => text !== undefined)
    expect(left.length).toBeGreaterThan(10)
    expect(left.length * 2000).toBeLessThan(100_000)
    expect(cache.get('first')).toBe('kept')
  })

  test('too large to keep are given all the same', async () => {
    const cache = createResponseCache(100_000, createVirtualClock())
    const large = 'x'.repeat(10_000)
    expect(await cache.share('k', 3600, async () => large)).toBe(large)
    expect(cache.get('k')).toBeUndefined()
  })

  test('are not stored at all without memory for them', async () => {
    const cache = createResponseCache(0, createVirtualClock())
    expect(await cache.share('k', 3600, async () => 'a')).toBe('a')
    expect(cache.get('k')).toBeUndefined()
  })
})

describe('equal questions at the same time', () => {
  test('share one call', async () => {
    const cache = createResponseCache(1 << 20, createVirtualClock())
    const { promise, resolve } = pending()
    let calls = 0
    const make = () => {
      calls++
      return promise
    }
    const asked = [cache.share('k', 1, make), cache.share('k', 1, make), cache.share('other', 1, async () => 'b')]
    resolve('a')
    expect(await Promise.all(asked)).toEqual(['a', 'a', 'b'])
    expect(calls).toBe(1)
  })

  test('share its failure, which is stored nowhere', async () => {
    const cache = createResponseCache(1 << 20, createVirtualClock())
    const { promise, reject } = pending()
    const asked = [cache.share('k', 1, () => promise), cache.share('k', 1, () => promise)]
    reject(new Error('broken'))
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await cache.share('k', 1, async () => 'a')).toBe('a')
  })
})
