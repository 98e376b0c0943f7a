import type { Address } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import type { BlockInfo } from '../ton/tlb/block-info.ts'
import type { AccountStatus } from './account.ts'
import type { BatchTransfer, DetectedAccount } from './entities.ts'
import type { PackedTransactions } from './packed-transactions.ts'
import type { TransactionId } from './transaction-id.ts'

/** One block of a batch: what an index keeps of it. */
export interface BatchBlock {
  id: BlockIdExt
  global_id: number
  info: BlockInfo
  /** TL-B BlockInfo. */
  info_cell: Cell
  rand_seed: Buffer
  created_by: Buffer
  tx_count: number
  prev: BlockIdExt[]
  /** The whole block (TL-B Block): where cells are looked for that the state's update prunes. */
  root: Cell
}

/** How a message crosses the border of the chain (TL-B CommonMsgInfo). */
export type MessageKind = 'ext_in' | 'internal' | 'ext_out'

/** A message as one transaction names it: what look-ups and filters need. The cell itself stands in the transaction's. */
export interface BatchMessage {
  kind: MessageKind
  /** Hash of the message's cell. */
  hash: Buffer
  /** TEP-467 hash of an external message that came in, where it differs from `hash`. */
  hash_norm: Buffer | null
  /** Null for external and empty addresses. */
  source: Address | null
  destination: Address | null
  /** Null for an external message that came in. */
  created_lt: bigint | null
  /** Seconds; null for an external message that came in. */
  created_at: number | null
  /** First 32 bits of the body as uint32; null for a shorter body. */
  opcode: number | null
  body_hash: Buffer
  body: Cell
}

/** A transaction with its messages. */
export interface BatchTransaction {
  account: Address
  id: TransactionId
  /** TL-B `now`, seconds. */
  now: number
  orig_status: AccountStatus
  end_status: AccountStatus
  /** Its block: a place in `Batch.blocks`. */
  block: number
  /**
   * Its place among all transactions of the masterchain block, ascending by lt, workchain and account: the same whichever
   * of them an index keeps.
   */
  index: number
  cell: Cell
  in_msg: BatchMessage | null
  /** Ascending by created_lt. */
  out_msgs: BatchMessage[]
}

/** An account as the batch leaves it. */
export interface BatchAccount {
  address: Address
  /** Hash of the Account's cell (TL-B Account), the one that transactions name as their state after. */
  state_hash: Buffer
  status: AccountStatus
  /** Nano-units. */
  balance: bigint
  /** Ascending by currency id. */
  extra_currencies: [id: number, amount: bigint][]
  /**
   * The dictionary of extra currencies, where the block does not show all of it because it did not change:
   * `extra_currencies` is empty then, until the batch is completed.
   */
  hidden_extra?: Cell
  last_transaction: TransactionId
  frozen_hash: Buffer | null
  code_hash: Buffer | null
  data_hash: Buffer | null
  /**
   * Code and data of an active account as the block's Merkle update shows them: `hash(0)` of each cell is the hash of the
   * cell in the state, and what did not change is pruned. Null where the account has none.
   */
  code: Cell | null
  data: Cell | null
}

/** A masterchain block with every shard block that it commits: what is written in one transaction. */
export interface Batch {
  mc: BlockIdExt
  /** gen_utime of the masterchain block, seconds. */
  gen_utime: number
  /** The masterchain block and the shard blocks that are new in it, by workchain, shard (signed) and seqno, ascending. */
  blocks: BatchBlock[]
  /** The newest block of each shard as the masterchain block names them, ascending by workchain and shard (signed). */
  shard_tops: BlockIdExt[]
  /** Ascending by `index`; without gaps where nothing was left out. */
  transactions: BatchTransaction[]
  /** All transactions of the masterchain block, where they were packed already. */
  packed?: PackedTransactions
  /** One entry for each account with a transaction, ascending by workchain and account. */
  accounts: BatchAccount[]
  /** What the accounts are that were looked at; undefined: none was. */
  detected?: DetectedAccount[]
  /** Transfers and burns of the transactions, in their order. */
  transfers?: BatchTransfer[]
}
