import type { Cell } from '../../ton/cell.ts'
import type { AugDict } from '../../ton/tlb/aug-dict.ts'
import type { DepthBalanceInfo } from '../../ton/tlb/shard-state.ts'
import type { ImportedAccounts } from './account-imports.ts'
import type { BlockAccounts } from './accounts.ts'
import type { BlockLoad, LoadClass } from './block-load.ts'
import type { Collation } from './collation.ts'
import type { InMsgDescr, OutMsgDescr } from './descriptors.ts'
import type { Heap } from './heap.ts'
import type { MasterConfig } from './master-config.ts'
import type { Neighbour } from './neighbours.ts'
import type { NewMessage } from './new-messages.ts'
import type { OutQueue } from './out-queue.ts'
import type { PreviousState, Succession } from './previous-state.ts'
import type { ShardEndLt } from './processed-upto.ts'
import type { ShardId } from './routing.ts'

/** A block while it is made: what it starts from, and what it has done so far. */
export interface Draft {
  readonly input: Collation
  readonly shard: ShardId
  readonly succession: Succession
  readonly master: MasterConfig
  /** With the accounts in it that the block puts in. */
  readonly previous: PreviousState
  readonly put_in: Omit<ImportedAccounts, 'accounts'>
  readonly neighbours: readonly Neighbour[]
  readonly endLt: ShardEndLt
  readonly start_lt: bigint
  /** First lt after all that the block holds: its end_lt. */
  max_lt: bigint
  readonly accounts: BlockAccounts
  readonly in_msgs: InMsgDescr
  readonly out_msgs: OutMsgDescr
  readonly queue: OutQueue
  /** TL-B DispatchQueue. */
  dispatch_queue: AugDict<bigint>
  readonly fresh: Heap<NewMessage>
  readonly load: BlockLoad
  /** The fullest that the block was when it was looked at. */
  load_class: LoadClass
  /** True when no more messages are to be run. */
  full: boolean
  /** Roots of the accounts and out-queues of the predecessors' states. */
  readonly old: {
    accounts: readonly (Cell | null)[]
    queues: readonly (Cell | null)[]
    dispatch_queues: readonly AugDict<bigint>[]
  }
  /** The accounts as far as they count for the size of the block: every account as its first transaction leaves it. */
  estimated: AugDict<DepthBalanceInfo>
  /** Changes of the out-queue so far. */
  queue_changes: number
  dispatch_changes: number
  /** The last internal message that was taken out of a queue or delivered at once. */
  last_processed: { lt: bigint; hash: Buffer } | null
  /** True when every message of the neighbours was taken. */
  inbound_done: boolean
  transactions: number
  /** By sender (id, latin1): messages that it made in this block and that may count for deferring. */
  readonly sent: Map<string, number>
  /** By sender: messages that were let out of its dispatch queue and have not gone on yet. */
  readonly released: Map<string, number>
  /** By sender: lt of the last message that was let out of its dispatch queue. */
  readonly released_lt: Map<string, bigint>
  /** True when the dispatch queue holds senders of which no message could be let out. */
  dispatch_left: boolean
  /** True when a bound on messages out of the dispatch queue was reached. */
  dispatch_bound: boolean
}

/** Moves the block's end behind this lt. */
export const reachLt = (draft: Draft, lt: bigint): void => {
  if (lt > draft.max_lt) draft.max_lt = lt
}

/** Text of an account id as a key of maps. */
export const idKey = (id: Buffer): string => id.toString('latin1')
