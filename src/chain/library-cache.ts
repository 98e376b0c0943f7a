import { LRUCache } from 'lru-cache'
import type { Cell } from '../ton/cell.ts'

/** Public libraries that were found. What a hash names cannot change, but whether it is published can: see MAX_AGE_MS. */
export interface LibraryCache {
  get(hash: Buffer): Cell | undefined
  put(library: Cell): void
}

const MAX_LIBRARIES = 2_048
/** A library that was taken off the chain may still be found for so long. */
const MAX_AGE_MS = 10 * 60_000

const keyOf = (hash: Buffer): string => hash.toString('latin1')

export const createLibraryCache = (): LibraryCache => {
  const known = new LRUCache<string, Cell>({ max: MAX_LIBRARIES, ttl: MAX_AGE_MS })
  return {
    get: (hash) => known.get(keyOf(hash)),
    put: (library) => void known.set(keyOf(library.hash()), library),
  }
}
