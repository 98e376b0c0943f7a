import type { Batch } from '../model/batch.ts'
import type { JoinedTransaction, TraceLookups, TransactionKey } from '../model/trace-changes.ts'

/** Stored traces that are taken apart. */
export interface TakenApart {
  /** Their roots. */
  roots: TransactionKey[]
  /** Those of their transactions that are stored. */
  members: { key: TransactionKey; transaction: JoinedTransaction }[]
}

/**
 * The truncated traces (their roots are not stored any more, as those were pruned) to which transactions of a batch
 * belong: their roots, and those that sent what a stored member took. What their rows count cannot be told from what
 * comes again, so that they are to be joined anew.
 * @param keys of the batch's transactions
 * @param takers stored transactions that took what the batch's sent
 */
export const truncatedTraces = (
  { mc }: Pick<Batch, 'mc'>,
  keys: readonly TransactionKey[],
  takers: Iterable<TransactionKey>,
  stored: TraceLookups,
): TakenApart => {
  const known = new Set(stored.rootsIn(mc.seqno))
  const roots = new Set(keys.filter((key) => known.has(key)))
  for (const taker of takers) {
    const root = stored.rootOf(taker)
    if (root !== taker && !stored.transaction(root)) roots.add(root)
  }
  const members = Array.from(roots).flatMap((root) =>
    stored.transactionsOf(root).flatMap((key) => {
      const transaction = stored.transaction(key)
      return transaction ? { key, transaction } : []
    }),
  )
  return { roots: [...roots], members }
}
