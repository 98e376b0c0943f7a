import { LRUCache } from 'lru-cache'
import { codeMethods } from '../contracts/code-methods.ts'
import { isVestingCode } from '../contracts/vesting.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { cellToBoc } from '../ton/boc-writer.ts'
import { type Cell, LIBRARY } from '../ton/cell.ts'
import { countCells } from '../ton/cell-count.ts'
import { libraryHash } from '../ton/library.ts'
import { methodId } from '../ton/method-id.ts'

/** What is known of a code, whichever contracts have it. */
export interface KnownCode {
  /** As accounts have it, whole. */
  readonly cell: Cell
  /** True when a get-method with this name may be there. */
  mayHave(method: string): boolean
  /** True when a contract with this code may be something beside an account. */
  mayBeSomething(): boolean
  /** Notes that a method proved not to be there. */
  lacks(method: string): void
  /**
   * Notes how a method ended: one that runs out of gas or that the TVM refuses, and that never ended well, is not run any
   * more. Code that does not name its methods is not run at all once it ran out of gas, unless one of them ended before.
   */
  ended(method: string, how: 'well' | 'gas' | 'refused'): void
  /** Notes the gas that a run took. */
  took(gas: number): void
  /** True once a method of it ended as methods do, if none of its runs took more gas than such methods do. */
  isTame(): boolean
  /** The exit code for a method that no contract has, once it was tried; undefined where the code names its methods. */
  noMethodExit: number | null | undefined
}

/** One of them is the first that is asked of each kind of contract. */
const FIRST_METHODS = [
  'get_jetton_data',
  'get_wallet_data',
  'get_collection_data',
  'get_nft_data',
  'get_fix_price_data_v4',
  'get_auction_data_v4',
  'get_sale_data',
  'get_telemint_token_name',
  'get_multisig_data',
  'get_order_data',
]

/** No method that tells what a contract is was seen to take more gas. */
const TAME_GAS = 60_000

const MAX_BYTES = 64 << 20
const CELL_BYTES = 300
const CODE_BYTES = 1_000
/** No code has more. */
const MOST_CELLS = 1 << 16

const ids = new Map<string, number>()
const idOf = (method: string): number => ids.getOrInsertComputed(method, methodId)

/** The cell in a bag of its own: the block that it came with is not kept for its sake. */
const alone = (cell: Cell): Cell => parseBocRoot(cellToBoc(cell))

/** `shown`: the code that runs, which is another one than the cell where that names a library. */
const learn = (whole: Cell, shown: Cell | undefined): KnownCode => {
  const cell = alone(whole)
  const isThere = shown !== undefined
  const listed = shown && codeMethods(shown)
  const methods = listed && new Set(listed)
  const absent = new Set<string>()
  const good = new Set<string>()
  const isVesting = isVestingCode(cell.hash())
  let isHopeless = false
  let mostGas = 0
  const mayHave = (method: string): boolean =>
    isThere && !isHopeless && !absent.has(method) && (!methods || methods.has(idOf(method)))
  return {
    cell,
    mayHave,
    mayBeSomething: () => isVesting || FIRST_METHODS.some(mayHave),
    lacks: (method) => void absent.add(method),
    ended: (method, how) => {
      if (how === 'well') good.add(method)
      else if (!good.has(method)) absent.add(method)
      if (how === 'gas' && !methods && good.size === 0) isHopeless = true
    },
    took: (gas) => {
      mostGas = Math.max(mostGas, gas)
    },
    isTame: () => good.size > 0 && mostGas <= TAME_GAS,
    noMethodExit: methods ? undefined : null,
  }
}

/** The codes that contracts had lately. */
export interface CodeBook {
  /** What is known of a code by its hash; `whole` gives its cell where nothing is, undefined when that is nowhere. */
  of(hash: Buffer, whole: () => Cell | undefined): Promise<KnownCode | undefined>
}

/** A code book; `libraries` looks public libraries up by hash. */
export const createCodeBook = (libraries: (hashes: readonly Buffer[]) => Promise<readonly Cell[]>): CodeBook => {
  const known = new LRUCache<string, KnownCode>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ cell }) => countCells([cell], MOST_CELLS) * CELL_BYTES + CODE_BYTES,
  })

  /** Undefined where the library is not there: it can be published later, so that is not kept. */
  const libraryOf = async (cell: Cell): Promise<Cell | undefined> => (await libraries([libraryHash(cell)]))[0]

  return {
    of: async (hash, whole) => {
      const key = hash.toString('latin1')
      const kept = known.get(key)
      if (kept) return kept
      const cell = whole()
      if (!cell) return undefined
      const shown = cell.type === LIBRARY ? await libraryOf(cell) : cell
      const made = learn(cell, shown)
      if (shown) known.set(key, made)
      return made
    },
  }
}
