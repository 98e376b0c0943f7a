import type { Cell } from '../ton/cell.ts'
import { parseBlock } from '../ton/tlb/block.ts'
import { parseBlockExtra } from '../ton/tlb/block-extra.ts'
import { inMsg } from '../ton/tlb/in-msg.ts'
import type { MadeStep } from './producer.ts'

/** The transaction that took a message, and the masterchain block that committed it. */
export interface MadeTransaction {
  /** For parseTransaction. */
  transaction: Cell
  mc_seqno: number
}

/** Finds the transaction of the message with this hash, external or internal, in what a step made. */
export const transactionOf = (
  message: Buffer,
  { shardBlocks, masterchainBlock }: MadeStep,
): MadeTransaction | undefined => {
  for (const { root } of [...shardBlocks, masterchainBlock]) {
    const found = inMsg(parseBlockExtra(parseBlock(root).extra).in_msg_descr, message)
    if (found && 'transaction' in found) return { transaction: found.transaction, mc_seqno: masterchainBlock.id.seqno }
  }
  return undefined
}
