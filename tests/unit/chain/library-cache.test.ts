import { describe, expect, test } from 'bun:test'
import { createLibraryCache } from '../../../src/chain/library-cache.ts'
import { cellTreeBytes } from '../../../src/chain/memory-size.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'

const leaf = (n: number): Cell => beginCell().uint(n, 32).endCell()
/** A library of `1 + leaves` cells. */
const library = (n: number, leaves: number): Cell => {
  const root = beginCell().uint(n, 32)
  for (let i = 0; i < leaves; i++) root.ref(leaf(n * 10 + i))
  return root.endCell()
}

describe('the cache of libraries', () => {
  test('a tree of cells is reckoned by its cells, each once', () => {
    const shared = leaf(1)
    expect(cellTreeBytes(library(1, 3))).toBe(4 * cellTreeBytes(shared))
    expect(cellTreeBytes(beginCell().ref(shared).ref(shared).endCell())).toBe(2 * cellTreeBytes(shared))
  })

  test('holds as many bytes as it may, drops what was used least, and keeps nothing that is larger than itself', () => {
    const [first, second, third] = [library(1, 1), library(2, 1), library(3, 1)]
    const cache = createLibraryCache(2 * cellTreeBytes(first))
    cache.put(first)
    cache.put(second)
    expect(cache.get(first.hash())).toBe(first)
    cache.put(third)
    expect(cache.get(first.hash())).toBe(first)
    expect(cache.get(second.hash())).toBeUndefined()
    const large = library(4, 4)
    cache.put(large)
    expect(cache.get(large.hash())).toBeUndefined()
  })
})
