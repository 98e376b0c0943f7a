import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createAhead } from '../../../src/indexer/ahead.ts'
import { settled } from '../../support/virtual-clock.ts'

type Thing = { seqno: number; bytes: number }

const bytesOf = ({ bytes }: Thing): number => bytes

/** Things that arrive when the test says so. */
const lazily = () => {
  const waiting = new Map<number, (thing: Thing) => void>()
  const asked: number[] = []
  return {
    asked,
    arrive: (seqno: number, bytes = 10) => waiting.get(seqno)?.({ seqno, bytes }),
    fetch: (seqno: number) => {
      asked.push(seqno)
      return new Promise<Thing>((resolve) => waiting.set(seqno, resolve))
    },
  }
}

describe('what is fetched ahead', () => {
  test('comes in order, whatever arrives first', async () => {
    const { fetch, arrive, asked } = lazily()
    const ahead = createAhead({ fetch, bytesOf, maxBytes: 1e9, maxThings: 3, step: 1, exists: (seqno) => seqno <= 10 })
    const first = ahead.take(5)
    expect(asked).toEqual([5, 6, 7])
    arrive(7)
    arrive(6)
    await settled()
    arrive(5)
    expect((await first).seqno).toBe(5)
    expect((await ahead.take(6)).seqno).toBe(6)
    expect((await ahead.take(7)).seqno).toBe(7)
    expect(asked).toEqual([5, 6, 7, 8, 9, 10])
  })

  test('goes down too, and no further than there is something', () => {
    const { fetch, asked } = lazily()
    const ahead = createAhead({ fetch, bytesOf, maxBytes: 1e9, maxThings: 9, step: -1, exists: (seqno) => seqno >= 3 })
    void ahead.take(5)
    expect(asked).toEqual([5, 4, 3])
  })

  test('holds no more bytes than allowed, but always one thing', async () => {
    const { fetch, arrive, asked } = lazily()
    const ahead = createAhead({ fetch, bytesOf, maxBytes: 1 << 20, maxThings: 100, step: 1, exists: () => true })
    const first = ahead.take(1)
    for (const seqno of asked) arrive(seqno, 3 << 20)
    await first
    await settled()
    expect(asked.length).toBeLessThanOrEqual(5)
    const before = asked.length
    for (let seqno = 2; seqno <= before; seqno++) await ahead.take(seqno)
    const next = ahead.take(before + 1)
    expect(asked).toHaveLength(before + 1)
    arrive(before + 1, 3 << 20)
    expect((await next).bytes).toBe(3 << 20)
  })

  test('what failed can be taken again', async () => {
    let tries = 0
    const fetch = async (seqno: number): Promise<Thing> => {
      if (seqno === 2 && ++tries === 1) throw new Error('lost')
      return { seqno, bytes: 1 }
    }
    const ahead = createAhead({ fetch, bytesOf, maxBytes: 1e9, maxThings: 4, step: 1, exists: () => true })
    await ahead.take(1)
    await settled()
    expect((await ahead.take(2)).seqno).toBe(2)
    expect(tries).toBe(2)
  })

  test('any sizes, any bounds, any order of arrival: every seqno once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 2 ** 20 }), { minLength: 1, maxLength: 40 }),
        fc.nat({ max: 2 ** 22 }),
        fc.integer({ min: 1, max: 8 }),
        fc.scheduler(),
        async (sizes, maxBytes, maxThings, scheduler) => {
          const fetched: number[] = []
          const ahead = createAhead<Thing>({
            fetch: (seqno) => {
              fetched.push(seqno)
              return scheduler.schedule(Promise.resolve({ seqno, bytes: sizes[seqno]! }))
            },
            bytesOf,
            maxBytes,
            maxThings,
            step: 1,
            exists: (seqno) => seqno < sizes.length,
          })
          const taken: number[] = []
          const all = async (): Promise<void> => {
            for (let seqno = 0; seqno < sizes.length; seqno++) taken.push((await ahead.take(seqno)).seqno)
          }
          await scheduler.waitFor(all())
          expect(taken).toEqual(sizes.map((_, i) => i))
          expect(fetched).toEqual(taken)
        },
      ),
      { numRuns: 50 },
    )
  })
})
