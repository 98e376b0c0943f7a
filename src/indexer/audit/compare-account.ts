import { accountDifferences, type Difference, entityDifferences } from './differences.ts'
import type { HeldAccount } from './held-account.ts'
import { type LiveBlock, liveEntities } from './live-block.ts'
import { valueText } from './value-text.ts'

/** What became of the comparison of one account. */
export interface Comparison {
  differences: Difference[]
  /**
   * True when its rows are those of the block at which it changed last, and other contracts or the time make its
   * get-methods tell something else since.
   */
  isOfItsBlock: boolean
}

/**
 * Compares what is held of an account with the chain at the block of the index, and its rows once more at the block where
 * it changed last, where they differ: what a contract tells of itself can depend on others. Throws what reading the chain
 * and running the TVM throw.
 */
export const compareAccount = async (
  { address, account, rows, seqno }: HeldAccount,
  open: (seqno: number) => Promise<LiveBlock>,
): Promise<Comparison> => {
  const at = async (seqno: number) => {
    const block = await open(seqno)
    const live = await block.account(address)
    return { live, rowDifferences: entityDifferences(rows, await liveEntities(block, live), live) }
  }
  const { live, rowDifferences } = await at(seqno)
  const ofState: Difference[] = account
    ? accountDifferences(account, live)
    : [{ kind: 'account', field: 'state', ours: valueText(null), live: valueText(live.status) }]
  const isMoved = ofState.length === 0 && rowDifferences.length > 0 && account && account.mc_seqno < seqno
  if (!isMoved) return { differences: [...ofState, ...rowDifferences], isOfItsBlock: false }
  const { rowDifferences: then } = await at(account.mc_seqno)
  return { differences: then, isOfItsBlock: then.length === 0 }
}
