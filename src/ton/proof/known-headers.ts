import { LRUCache } from 'lru-cache'
import { bytesKey } from '../../common/bytes-key.ts'
import type { Cell } from '../cell.ts'
import { makeCell } from '../data-cell.ts'

/** Block proofs that were checked, and what was read from each. */
export interface KnownHeaders<T> {
  /** What was read from a proof of this block that was the same cell by cell; undefined for any other proof. */
  get(rootHash: Buffer, proof: Cell): T | undefined
  /**
   * Keeps what `read` gives for the proof, which must have been checked. It gets a copy, so that nothing else of the answer
   * is kept alive. A proof of too many cells is not kept.
   */
  put(rootHash: Buffer, proof: Cell, read: (copy: Cell) => T): void
}

/** A proof of a header has about ten cells. */
const MAX_CELLS = 64

const dataOf = ({ bytes, start, bits }: Cell): Uint8Array => bytes.subarray(start, start + ((bits + 7) >> 3))

/** Every cell as often as it is referred to, counted down in `left`; undefined when they are too many. */
const copyOf = (cell: Cell, left: { cells: number }): Cell | undefined => {
  if (--left.cells < 0) return undefined
  const refs: Cell[] = []
  for (let i = 0; i < cell.refCount; i++) {
    const ref = copyOf(cell.ref(i), left)
    if (!ref) return undefined
    refs.push(ref)
  }
  return makeCell(dataOf(cell).slice(), cell.bits, refs, cell.exotic)
}

const isSame = (a: Cell, b: Cell): boolean => {
  if (a.bits !== b.bits || a.refCount !== b.refCount || a.type !== b.type) return false
  for (let i = 0, n = (a.bits + 7) >> 3; i < n; i++) if (a.bytes[a.start + i] !== b.bytes[b.start + i]) return false
  for (let i = 0; i < a.refCount; i++) if (!isSame(a.ref(i), b.ref(i))) return false
  return true
}

/** Remembers the proofs of so many blocks, those used least forgotten first. */
export const createKnownHeaders = <T extends object>(blocks: number): KnownHeaders<T> => {
  const known = new LRUCache<string, { proof: Cell; value: T }>({ max: blocks })
  return {
    get: (rootHash, proof) => {
      const found = known.get(bytesKey(rootHash))
      return found && isSame(found.proof, proof) ? found.value : undefined
    },
    put: (rootHash, proof, read) => {
      const copy = copyOf(proof, { cells: MAX_CELLS })
      if (copy) known.set(bytesKey(rootHash), { proof: copy, value: read(copy) })
    },
  }
}
