import { LRUCache } from 'lru-cache'
import type { Cell } from '../ton/cell.ts'
import { beginParse } from '../ton/slice.ts'
import { loadShardAccount, parseAccount } from '../ton/tlb/account.ts'
import { sharedLib } from '../ton/tlb/shard-state.ts'
import { mayReadPrevBlocks } from './code-scan.ts'
import { libraryHashes } from './library-cells.ts'

interface Scanned {
  opening: boolean
  /** Hashes of the libraries that it names. */
  libraries: readonly Buffer[]
}

/** Codes and libraries that are remembered. */
const MAX_KNOWN = 1_000
/** Libraries that name libraries: a chain longer than this counts as one that may read blocks. */
const MAX_LIBRARY_DEPTH = 8

const scan = (root: Cell): Scanned => ({
  opening: mayReadPrevBlocks(root),
  libraries: libraryHashes([root]).map((hash) => Buffer.from(hash, 'hex')),
})

const known = new LRUCache<string, Scanned>({ max: MAX_KNOWN })

const scanCode = (code: Cell): Scanned => {
  const key = code.hash().toString('latin1')
  const found = known.get(key) ?? scan(code)
  known.set(key, found)
  return found
}

const opens = ({ opening, libraries }: Scanned, published: Cell | null, depth = 0): boolean => {
  if (opening || depth > MAX_LIBRARY_DEPTH) return true
  return libraries.some((hash) => {
    const library = sharedLib(published, hash)
    return library !== null && opens(scanCode(library.lib), published, depth + 1)
  })
}

/**
 * True when a transaction may look at the earlier masterchain blocks, by all that it can run: the account's code and data
 * (`account` is a TL-B ShardAccount), the message and the published libraries (HashmapE 256 LibDescr) that they name. It
 * errs on the safe side, as `mayReadPrevBlocks`.
 */
export const mayReadBlocks = (account: Cell, message: Cell | null, libraries: Cell | null): boolean => {
  const parsed = parseAccount(loadShardAccount(beginParse(account)).account)
  const state = parsed._ === 'account' ? parsed.storage.state : undefined
  const [code, data] = state?._ === 'account_active' ? [state.code, state.data] : []
  return (
    (message !== null && opens(scan(message), libraries)) ||
    (code && opens(scanCode(code), libraries)) === true ||
    (data && opens(scan(data), libraries)) === true
  )
}
