import { describe, expect, test } from 'bun:test'
import { gapsOf, lowestWanted, nextSeqno } from '../../../src/indexer/follow.ts'

const range = (first: number, last: number) => ({ first, last })

describe('where the index begins', () => {
  test('an empty one: where the setting says', () => {
    expect(nextSeqno([], 'head', 700)).toBe(700)
    expect(nextSeqno([], 'genesis', 700)).toBe(1)
    expect(nextSeqno([], 42, 700)).toBe(42)
    expect(nextSeqno([], 0, 700)).toBe(1)
    expect(nextSeqno([], 'head', 0)).toBe(1)
  })

  test('a restart goes on behind the newest block, whatever the head is by now', () => {
    expect(nextSeqno([range(10, 20)], 'head', 700)).toBe(21)
    expect(nextSeqno([range(10, 20)], 'genesis', 700)).toBe(21)
    expect(nextSeqno([range(10, 20)], 15, 700)).toBe(21)
    expect(nextSeqno([range(1, 3), range(10, 20)], 5, 700)).toBe(21)
  })

  test('a seqno beyond what is stored begins there', () => {
    expect(nextSeqno([range(10, 20)], 300, 700)).toBe(300)
  })
})

describe('what is missing', () => {
  test('nothing below the beginning, unless it is wanted', () => {
    expect(lowestWanted('head', undefined)).toBeUndefined()
    expect(lowestWanted('head', 5)).toBe(5)
    expect(lowestWanted('genesis', 5)).toBe(1)
    expect(lowestWanted(30, undefined)).toBe(30)
    expect(lowestWanted(30, 50)).toBe(30)
    expect(lowestWanted('head', 0)).toBe(1)
  })

  test('gaps between ranges and down to what is wanted', () => {
    const ranges = [range(10, 20), range(30, 40), range(41, 50)]
    expect(gapsOf(ranges, undefined)).toEqual([range(21, 29)])
    expect(gapsOf(ranges, 1)).toEqual([range(1, 9), range(21, 29)])
    expect(gapsOf(ranges, 25)).toEqual([range(25, 29)])
    expect(gapsOf(ranges, 35)).toEqual([])
    expect(gapsOf([], 1)).toEqual([])
  })
})
