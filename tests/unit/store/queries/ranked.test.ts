import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { SortOrder } from '../../../../src/model/index-records.ts'
import { createBudget } from '../../../../src/store/queries/budget.ts'
import {
  arranged,
  merged,
  type RankedSource,
  rankedAt,
  rankedInAll,
  rankedKeys,
} from '../../../../src/store/queries/ranked.ts'
import { NO_VALUE } from '../../../../src/store/tables.ts'
import { failureOf } from '../../../support/failure.ts'
import { type TemporaryIndex, temporaryIndex } from '../../../support/temporary-index.ts'

let temporary: TemporaryIndex
beforeAll(async () => {
  temporary = await temporaryIndex()
})
afterAll(() => temporary.remove())

const sort = fc.constantFrom<SortOrder>('asc', 'desc')
/** Few values, so that lists have much in common; the edges of a byte among them. */
const key = fc.tuple(fc.constantFrom(0, 1, 2, 254, 255), fc.constantFrom(0, 7, 255)).map((bytes) => Buffer.from(bytes))
const list = fc.array(key, { maxLength: 12 })

const ordered = (keys: Iterable<Buffer>, direction: SortOrder): string[] => {
  const texts = [...new Set(Array.from(keys, (one) => one.toString('hex')))].sort()
  return direction === 'asc' ? texts : texts.reverse()
}
const texts = (keys: Iterable<Buffer>): string[] => Array.from(keys, (one) => one.toString('hex'))

/** Puts lists into one table, each under a prefix of its own, with neighbours on both sides. */
const filled = (lists: readonly Buffer[][]): RankedSource[] => {
  const { environment, tables } = temporary.index
  const table = tables.tx_by_lt
  environment.transaction(() => {
    for (const old of [...table.getKeys()]) table.removeSync(old)
    for (const [i, keys] of [[Buffer.of(0, 0)], ...lists, [Buffer.of(255, 255)]].entries())
      for (const one of keys) table.putSync(Buffer.concat([Buffer.of(i), one]), NO_VALUE)
  })
  environment.renew()
  return lists.map((_, i) => ({ table, prefix: Buffer.of(i + 1) }))
}

describe('lists of ranked keys', () => {
  test('are what stands between two ranks, from a start on', () => {
    const rank = fc.option(key, { nil: undefined })
    fc.assert(
      fc.property(list, rank, rank, rank, sort, fc.nat(5), (keys, low, high, start, direction, offset) => {
        const source = { ...filled([keys])[0]!, low, high }
        const bounded = keys.filter((one) => (!low || one.compare(low) >= 0) && (!high || one.compare(high) <= 0))
        const isBehind = (one: Buffer): boolean =>
          !start || (direction === 'asc' ? one.compare(start) >= 0 : one.compare(start) <= 0)
        expect(texts(rankedKeys(source, direction, createBudget(), start))).toEqual(
          ordered(bounded.filter(isBehind), direction),
        )
        expect(rankedAt(source, direction, offset)?.toString('hex')).toEqual(ordered(bounded, direction)[offset])
      }),
      { numRuns: 300 },
    )
  })

  test('intersect', () => {
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 4 }), sort, (lists, direction) => {
        const common = lists.reduce((all, keys) => all.filter((one) => keys.some((other) => other.equals(one))))
        expect(texts(rankedInAll(filled(lists), direction, createBudget()))).toEqual(ordered(common, direction))
      }),
      { numRuns: 300 },
    )
  })

  test('intersect where much is in common, read ahead, from a start on and within bounds', () => {
    const rank = fc.option(
      fc.nat(299).map((n) => Buffer.of(n >> 8, n & 255)),
      { nil: undefined },
    )
    /** Stretches that are there and stretches that are not, in turn. */
    const stretches = fc.array(fc.oneof(fc.nat(2), fc.nat(90)), { minLength: 1, maxLength: 20 }).map((lengths) => {
      const has = lengths.flatMap((length, i) => Array.from({ length }, () => i % 2 === 0))
      return Array.from({ length: 300 }, (_, n) => n).filter((n) => has[n] ?? true)
    })
    fc.assert(
      fc.property(
        fc.array(stretches, { minLength: 2, maxLength: 3 }),
        sort,
        fc.record({ low: rank, high: rank, start: rank }),
        (lists, direction, { low, high, start }) => {
          const keys = lists.map((list) => list.map((n) => Buffer.of(n >> 8, n & 255)))
          const sources = filled(keys).map((source) => ({ ...source, low, high }))
          const common = lists
            .reduce((all, list) => all.filter((n) => list.includes(n)))
            .map((n) => Buffer.of(n >> 8, n & 255))
            .filter((one) => (!low || one.compare(low) >= 0) && (!high || one.compare(high) <= 0))
            .filter((one) => !start || (direction === 'asc' ? one.compare(start) >= 0 : one.compare(start) <= 0))
          const budget = createBudget()
          expect(texts(rankedInAll(sources, direction, budget, start))).toEqual(ordered(common, direction))
        },
      ),
      { numRuns: 150 },
    )
  })

  test('merge', () => {
    fc.assert(
      fc.property(fc.array(list, { maxLength: 5 }), sort, (lists, direction) => {
        const iterators = filled(lists).map((source) => rankedKeys(source, direction, createBudget()))
        expect(texts(merged(iterators, direction))).toEqual(ordered(lists.flat(), direction))
      }),
      { numRuns: 300 },
    )
  })

  test('are arranged group by group', () => {
    const keys = ['00a1', '00b2', '01c3', '02d4', '02e5', '02f6'].map((hex) => Buffer.from(hex, 'hex'))
    expect(texts(arranged(keys, 1, (group) => group.reverse()))).toEqual([
      '00b2',
      '00a1',
      '01c3',
      '02f6',
      '02e5',
      '02d4',
    ])
    expect(texts(arranged([], 1, (group) => group))).toEqual([])
  })

  test('are not walked without end', () => {
    const [source] = filled([Array.from({ length: 200 }, (_, i) => Buffer.of(i))])
    expect(failureOf(() => [...rankedKeys(source!, 'asc', createBudget(100))])).toBe('limit')
    expect(failureOf(() => [...rankedInAll([source!, source!], 'asc', createBudget(100))])).toBe('limit')
  })
})
