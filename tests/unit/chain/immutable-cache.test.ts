import { describe, expect, test } from 'bun:test'
import { createImmutableCache } from '../../../src/chain/immutable-cache.ts'

/** Two of these values find room. */
const ROOM = 2_500
const size = () => 1_000

describe('the cache of what can never change', () => {
  test('loads once for all who ask at the same time and later', async () => {
    const cache = createImmutableCache<{ n: number }>(ROOM, size)
    let loads = 0
    const load = async () => ({ n: ++loads })
    expect(await Promise.all([cache.get('a', load), cache.get('a', load)])).toEqual([{ n: 1 }, { n: 1 }])
    expect(await cache.get('a', load)).toEqual({ n: 1 })
  })

  test('forgets a failure, which reaches everyone who waited', async () => {
    const cache = createImmutableCache<object>(ROOM, size)
    const fail = () => Promise.reject(new Error('no'))
    const both = await Promise.allSettled([cache.get('a', fail), cache.get('a', fail)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await cache.get('a', async () => ({ fine: true }))).toEqual({ fine: true })
  })

  test('holds no more than it may, and drops what was used least', async () => {
    const cache = createImmutableCache<{ key: string }>(ROOM, size)
    for (const key of ['a', 'b']) cache.put(key, { key })
    await cache.get('a', () => Promise.reject(new Error('loaded again')))
    cache.put('c', { key: 'c' })
    expect(await cache.get('a', async () => ({ key: 'new' }))).toEqual({ key: 'a' })
    expect(await cache.get('b', async () => ({ key: 'new' }))).toEqual({ key: 'new' })
  })
  test('a value larger than the whole cache is given and not kept', async () => {
    const cache = createImmutableCache<{ n: number }>(ROOM, () => ROOM)
    expect(await cache.get('a', async () => ({ n: 1 }))).toEqual({ n: 1 })
    expect(await cache.get('a', async () => ({ n: 2 }))).toEqual({ n: 2 })
  })
})
