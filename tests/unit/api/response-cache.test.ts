import { describe, expect, test } from 'bun:test'
import { createResponseCache } from '../../../src/api/response-cache.ts'
import type { StopSignal } from '../../../src/common/stop.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

const PATIENT = { ms: 60_000 }
const pending = () => Promise.withResolvers<string>()

describe('answers', () => {
  test('are given again until their time is over', async () => {
    const clock = createVirtualClock()
    const cache = createResponseCache(1 << 20, clock)
    expect(cache.get('k')).toBeUndefined()
    expect(await cache.share('k', 1, async () => 'a', PATIENT)).toBe('a')
    await clock.advance(999)
    expect(cache.get('k')).toBe('a')
    await clock.advance(2)
    expect(cache.get('k')).toBeUndefined()
  })

  test('that follow nothing are not stored for 0 seconds', async () => {
    const cache = createResponseCache(1 << 20, createVirtualClock())
    await cache.share('k', 0, async () => 'a', PATIENT)
    expect(cache.get('k')).toBeUndefined()
  })

  test('take a bounded amount of memory, the least used leaving first', async () => {
    const cache = createResponseCache(100_000, createVirtualClock())
    await cache.share('first', 3600, async () => 'kept', PATIENT)
    for (let i = 0; i < 1000; i++) {
      await cache.share(`k${i}`, 3600, async () => 'x'.repeat(1000), PATIENT)
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
    expect(await cache.share('k', 3600, async () => large, PATIENT)).toBe(large)
    expect(cache.get('k')).toBeUndefined()
  })

  test('are not stored at all without memory for them', async () => {
    const cache = createResponseCache(0, createVirtualClock())
    expect(await cache.share('k', 3600, async () => 'a', PATIENT)).toBe('a')
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
    const asked = [
      cache.share('k', 1, make, PATIENT),
      cache.share('k', 1, make, PATIENT),
      cache.share('other', 1, async () => 'b', PATIENT),
    ]
    resolve('a')
    expect(await Promise.all(asked)).toEqual(['a', 'a', 'b'])
    expect(calls).toBe(1)
  })

  test('share its failure, which is stored nowhere', async () => {
    const cache = createResponseCache(1 << 20, createVirtualClock())
    const { promise, reject } = pending()
    const asked = [cache.share('k', 1, () => promise, PATIENT), cache.share('k', 1, () => promise, PATIENT)]
    reject(new Error('broken'))
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await cache.share('k', 1, async () => 'a', PATIENT)).toBe('a')
  })

  test('are given up when the last caller has gone, and joined by nobody then', async () => {
    const cache = createResponseCache(1 << 20, createVirtualClock())
    const signals: StopSignal[] = []
    const make = (signal: StopSignal) => {
      signals.push(signal)
      return new Promise<string>(() => {})
    }
    const callers = [new AbortController(), new AbortController()]
    const asked = callers.map(({ signal }) => cache.share('k', 1, make, { ms: 60_000, signal: () => signal }))
    callers[0]!.abort()
    await expect(asked[0]!).rejects.toThrow('hung up')
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    callers[1]!.abort()
    await expect(asked[1]!).rejects.toThrow('hung up')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(await cache.share('k', 1, async () => 'anew', PATIENT)).toBe('anew')
  })

  test('end for each caller with the caller’s own time', async () => {
    const cache = createResponseCache(1 << 20, createVirtualClock())
    const { promise, resolve } = pending()
    const patient = cache.share('k', 1, () => promise, PATIENT)
    await expect(cache.share('k', 1, () => promise, { ms: 1 })).rejects.toThrow('no answer within 1 ms')
    resolve('a')
    expect(await patient).toBe('a')
  })
})
