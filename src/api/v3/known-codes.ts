import { LRUCache } from 'lru-cache'
import { isTonlithError } from '../../common/errors.ts'
import { codeMethods } from '../../contracts/code-methods.ts'
import { interfacesOf } from '../../contracts/interfaces.ts'
import { parseBocRoot } from '../../ton/boc.ts'

/** What a code tells of its contract. */
export interface CodeFacts {
  /** Ids of its get-methods; null where it has no dictionary of them. */
  methods: readonly number[] | null
  interfaces: readonly string[]
}

/** Tells what a code is by its hash; `boc` is asked for when it was not looked at before. */
export type KnownCodes = (hash: Buffer, boc: (hash: Buffer) => Buffer | undefined) => CodeFacts

const MAX_CODES = 10_000

const methodsIn = (boc: Buffer): number[] | null => {
  try {
    return codeMethods(parseBocRoot(boc))
  } catch (error) {
    if (isTonlithError(error, 'malformed') || isTonlithError(error, 'limit')) return null
    throw error
  }
}

/** Remembers what was found out about codes. */
export const createKnownCodes = (): KnownCodes => {
  const known = new LRUCache<string, CodeFacts>({ max: MAX_CODES })
  return (hash, boc) => {
    const key = hash.toString('latin1')
    const found = known.get(key)
    if (found) return found
    const code = boc(hash)
    const methods = code ? methodsIn(code) : null
    const facts = { methods, interfaces: interfacesOf(hash, methods ?? []) }
    if (code) known.set(key, facts)
    return facts
  }
}
