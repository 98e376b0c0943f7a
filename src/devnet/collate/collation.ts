import type { Address } from '../../ton/address.ts'
import type { BlockIdExt } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import type { BlockInfo } from '../../ton/tlb/block-info.ts'
import type { CurrencyCollection } from '../../ton/tlb/currency.ts'
import type { ValueFlow } from '../../ton/tlb/value-flow.ts'
import type { Executor } from '../../tvm/executor.ts'

/** A block (or a zerostate, with `end_lt` 0) and the state that it leaves (TL-B ShardStateUnsplit). */
export interface BlockSource {
  id: BlockIdExt
  state: Cell
  end_lt: bigint
}

/** An account that is put into the state from outside, which must not have it; `account` is TL-B ShardAccount. */
export interface AccountImport {
  address: Address
  account: Cell
}

/** Where a node is free to choose. */
export interface CollationChoices {
  /**
   * From which message of one sender in a block on, the first one of each transaction left out, its messages wait in the
   * dispatch queue. Left out: only where messages of the sender wait there already.
   */
  defer_messages_after?: number
  /**
   * True when messages to this account, which the state does not have, wait in their queues and external ones are left:
   * the account is on its way from outside. Left out: nobody is waited for.
   */
  awaits?(account: Address): boolean
}

/** All that the next block of a shard or of the masterchain is made of. */
export interface Collation {
  /** The predecessor; two (left, right) after a merge; after a split the one of the wider shard. */
  prev: readonly BlockSource[]
  /** The masterchain block that the new one refers to; for a masterchain block its predecessor. */
  master: BlockSource
  /**
   * The newest block of every shard as `master` names them, the masterchain among them (for a masterchain block: the new
   * tops of the shards): their out-queues are read.
   */
  neighbours: readonly BlockSource[]
  /** gen_utime, unix seconds. */
  now: number
  /** 32 bytes. */
  rand_seed: Buffer
  /** Public key of the validator, 32 bytes. */
  created_by: Buffer
  /** External messages in the order in which they are tried; those to other shards are `left`. */
  externals: readonly Cell[]
  imports: readonly AccountImport[]
  /** State of an older masterchain block that a shard's processed info names. Throws when it is not there. */
  masterState(seqno: number): Cell
  /** Bound of our own, beside the limits of the configuration: transactions of one block. */
  max_transactions: number
  executor: Executor
  choices?: CollationChoices
}

export interface ShardCollation extends Collation {
  workchain: number
  shard: bigint
  before_split: boolean
  /** Left out: as the history of the shard's load says. */
  want_split?: boolean
  want_merge?: boolean
}

/** A shard's newest block for the masterchain, with what all its blocks since the last one that was committed add up to. */
export interface ShardTop {
  id: BlockIdExt
  info: BlockInfo
  fees_collected: CurrencyCollection
  funds_created: CurrencyCollection
  /** What accounts have that these blocks have put in. */
  minted: CurrencyCollection
  /** Public keys of the validators, one for each of these blocks, oldest first. */
  creators: readonly Buffer[]
}

/** An external message that made no transaction, and why (text of the executor). */
export interface RefusedExternal {
  message: Cell
  reason: string
}

export interface CollatedBlock {
  id: BlockIdExt
  /** The block as BoC in the form that the node writes; its SHA-256 is the file hash. */
  data: Buffer
  root: Cell
  info: BlockInfo
  /** The state after the block, TL-B ShardStateUnsplit. */
  state: Cell
  value_flow: ValueFlow
  created_by: Buffer
  transactions: number
  /** External messages that made a transaction. */
  taken: readonly Cell[]
  refused: readonly RefusedExternal[]
  /** External messages that did not fit, or that are for another shard. */
  left: readonly Cell[]
}
