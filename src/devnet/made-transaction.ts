import { parseBlock } from '../ton/tlb/block.ts'
import { parseBlockExtra } from '../ton/tlb/block-extra.ts'
import { inMsg } from '../ton/tlb/in-msg.ts'
import { parseTransaction } from '../ton/tlb/transaction.ts'
import type { MadeStep } from './producer.ts'

/** The transaction that took an external message, and the masterchain block that committed it. */
export interface MadeTransaction {
  transaction_hash: Buffer
  lt: bigint
  mc_seqno: number
}

/** Finds the transaction of the external message with this hash in what a step made. */
export const transactionOf = (
  message: Buffer,
  { shardBlocks, masterchainBlock }: MadeStep,
): MadeTransaction | undefined => {
  for (const { root, taken } of [...shardBlocks, masterchainBlock]) {
    if (!taken.some((cell) => cell.hash().equals(message))) continue
    const found = inMsg(parseBlockExtra(parseBlock(root).extra).in_msg_descr, message)
    if (found?._ !== 'msg_import_ext') continue
    const { transaction } = found
    return {
      transaction_hash: transaction.hash(),
      lt: parseTransaction(transaction).lt,
      mc_seqno: masterchainBlock.id.seqno,
    }
  }
  return undefined
}
