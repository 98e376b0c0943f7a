import { isTonlithError, TonlithError } from '../../common/errors.ts'
import { type BlockIdExt, blockIdText, sameBlock } from '../block-id.ts'
import { parseBoc, parseBocRoot } from '../boc.ts'
import { type Cell, MERKLE_PROOF } from '../cell.ts'
import { openProofOf } from '../merkle.ts'

/** How much of an answer is believed. Everything that a check reads from a proof goes through this. */
export interface Evidence {
  /** The virtual root of a Merkle proof cell that must be about the cell with this hash. */
  open(proof: Cell, rootHash: Buffer): Cell
  /** Refuses a cell that has another hash or that is not there as a whole. */
  match(cell: Cell, hash: Buffer, what: string): void
}

/** Believes nothing: every hash is computed. */
export const PROVEN: Evidence = {
  open: openProofOf,
  match: (cell, hash, what) => {
    if (cell.level !== 0 || !cell.hash().equals(hash)) throw notProven(`${what} has another hash than its proof`)
  },
}

/** Believes the server (trust level `none`): proofs are only read, never hashed. */
export const BELIEVED: Evidence = {
  open: (proof) => {
    if (proof.type !== MERKLE_PROOF) throw notProven('expected a Merkle proof')
    return proof.ref(0)
  },
  match: () => {},
}

/** The error of an answer that does not verify. */
export const notProven = (what: string): TonlithError => new TonlithError('proof', what)

/**
 * Runs the check of an answer. Whatever the answer is not proven by, broken bytes and pruned cells included, comes out
 * as kind `proof`: the server is wrong, another one may be right.
 */
export const proving = <T>(what: string, check: () => T): T => {
  try {
    return check()
  } catch (cause) {
    if (!isTonlithError(cause, 'malformed') && !isTonlithError(cause, 'limit')) throw cause
    throw new TonlithError('proof', `${what}: ${cause.message}`, { cause })
  }
}

/** The one root of a BoC that holds a proof or the proven data. */
export const proofRoot = (boc: Buffer): Cell => parseBocRoot(boc)

/** The two roots of a BoC that holds two proofs, of a block and of its state. */
export const proofPair = (boc: Buffer): [block: Cell, state: Cell] => {
  const roots = parseBoc(boc)
  if (roots.length !== 2) throw notProven('expected a proof with two roots')
  return [roots[0]!, roots[1]!]
}

/** Refuses an answer about another block than the one that was asked for. */
export const sameId = (answered: BlockIdExt, asked: BlockIdExt): void => {
  if (!sameBlock(answered, asked)) throw notProven(`answer about another block than ${blockIdText(asked)}`)
}

/** True when a proof shows that nothing comes after in a walk through it; a pruned branch hides more. */
export const isOver = (walk: Iterator<unknown>): boolean => {
  try {
    return walk.next().done === true
  } catch (error) {
    if (!isTonlithError(error, 'malformed')) throw error
    return false
  }
}
