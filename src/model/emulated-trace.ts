import type { Address } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'

/** A transaction of a trace that has not happened, or not wholly. */
export interface EmulatedTransaction {
  account: Address
  /** TL-B Transaction. */
  cell: Cell
  /** TL-B ShardAccount before and after it. */
  before: Cell
  after: Cell
  /** Messages between it and the one that began the trace. */
  depth: number
  /** The masterchain block that might commit it; of one that happened, the newest when that was seen. */
  mc_seqno: number
  /** The account's shard, as signed int64. */
  shard: bigint
  /** False for one that happened. */
  emulated: boolean
}

/** Why an external message has no transaction. */
export type Refusal = { reason: 'rejected' } | { reason: 'not_accepted'; exit_code: number }

/** What a message would do from the state of one masterchain block on. */
export interface EmulatedTrace {
  /** The masterchain block. */
  block: BlockIdExt
  /** Of the configuration there (parameter 8). */
  global_version: number
  /** 32 bytes. */
  rand_seed: Buffer
  /** The message that begins it: TL-B Message Any. */
  message: Cell
  /** In the order in which they were made, the root first. Empty where the account does not take the message. */
  transactions: EmulatedTransaction[]
  refusal: Refusal | undefined
  /** True where messages were left that nothing was made of: a bound was reached, or the TVM or a read failed. */
  is_incomplete: boolean
  /** True where one of them lay too deep. */
  depth_limit_exceeded: boolean
}
