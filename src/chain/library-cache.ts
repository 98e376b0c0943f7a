import { LRUCache } from 'lru-cache'
import type { Cell } from '../ton/cell.ts'
import { cellTreeBytes } from './memory-size.ts'

/** Public libraries that were found. What a hash names cannot change, but whether it is published can: see MAX_AGE_MS. */
export interface LibraryCache {
  get(hash: Buffer): Cell | undefined
  put(library: Cell): void
}

/** A library that was taken off the chain may still be found for so long. */
const MAX_AGE_MS = 10 * 60_000

const keyOf = (hash: Buffer): string => hash.toString('latin1')

/** A cache of at most `maxBytes`, as the memory of the cells is reckoned; those used least go first. */
export const createLibraryCache = (maxBytes: number): LibraryCache => {
  const known = new LRUCache<string, Cell>({ maxSize: maxBytes, sizeCalculation: cellTreeBytes, ttl: MAX_AGE_MS })
  return {
    get: (hash) => known.get(keyOf(hash)),
    put: (library) => void known.set(keyOf(library.hash()), library),
  }
}
