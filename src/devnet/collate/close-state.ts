import { MASTERCHAIN } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import { type AugDict, buildAugDictCell } from '../../ton/tlb/aug-dict.ts'
import type { CurrencyCollection } from '../../ton/tlb/currency.ts'
import type { ExtBlkRef } from '../../ton/tlb/ext-blk-ref.ts'
import { buildOutMsgQueueInfo, buildProcessedInfo, type ProcessedUpto } from '../../ton/tlb/out-msg-queue.ts'
import { shardIdentOf } from '../../ton/tlb/shard-ident.ts'
import {
  buildShardStateTotals,
  buildShardStateUnsplit,
  type DepthBalanceInfo,
  depthBalanceAug,
} from '../../ton/tlb/shard-state.ts'
import { STORE_OUT_MSG_QUEUE_SIZE } from './capabilities.ts'
import type { BlockSource } from './collation.ts'
import type { Draft } from './draft.ts'
import { hasCapability } from './master-config.ts'
import { LAST_HASH, withProcessed } from './processed-upto.ts'

/** How blocks and states refer to a block. */
export const refTo = ({ id, end_lt }: BlockSource): ExtBlkRef => ({
  end_lt,
  seq_no: id.seqno,
  root_hash: id.root_hash,
  file_hash: id.file_hash,
})

/** Up to where the shard has taken messages, behind the block (node: Collator::update_processed_upto). */
export const processedBehind = (draft: Draft, mc_seqno: number): readonly ProcessedUpto[] => {
  const { last_processed, inbound_done, master, previous, shard } = draft
  if (last_processed)
    return withProcessed(previous.processed, {
      shard: shard.shard,
      mc_seqno,
      last_msg_lt: last_processed.lt,
      last_msg_hash: last_processed.hash,
    })
  const { gen_lt } = master.state
  if (!inbound_done || gen_lt <= 1n) return previous.processed
  return withProcessed(previous.processed, {
    shard: shard.shard,
    mc_seqno,
    last_msg_lt: gen_lt - 1n,
    last_msg_hash: LAST_HASH,
  })
}

/** What a block puts into its state beside what the draft has. */
export interface StateParts {
  seqno: number
  vert_seq_no: number
  before_split: boolean
  accounts: AugDict<DepthBalanceInfo>
  processed: readonly ProcessedUpto[]
  min_ref_mc_seqno: number
  overload_history: bigint
  underload_history: bigint
  total_validator_fees: CurrencyCollection
  libraries: Cell | null
  /** TL-B ^McStateExtra */
  custom: Cell | null
}

/** TL-B ShardStateUnsplit behind a block. */
export const closeState = (draft: Draft, parts: StateParts): Cell => {
  const { input, shard, master, dispatch_queue, queue, max_lt } = draft
  const storesSize = hasCapability(master, STORE_OUT_MSG_QUEUE_SIZE)
  return buildShardStateUnsplit({
    global_id: master.state.global_id,
    shard_id: shardIdentOf(shard.workchain, shard.shard),
    seq_no: parts.seqno,
    vert_seq_no: parts.vert_seq_no,
    gen_utime: input.now,
    gen_lt: max_lt,
    min_ref_mc_seqno: parts.min_ref_mc_seqno,
    out_msg_queue_info: buildOutMsgQueueInfo({
      out_queue: queue.build(),
      proc_info: buildProcessedInfo(parts.processed),
      extra:
        dispatch_queue.root || storesSize ? { dispatch_queue, out_queue_size: storesSize ? queue.size : null } : null,
    }),
    before_split: parts.before_split,
    accounts: buildAugDictCell(parts.accounts, depthBalanceAug),
    totals: buildShardStateTotals({
      overload_history: parts.overload_history,
      underload_history: parts.underload_history,
      total_balance: parts.accounts.extra.balance,
      total_validator_fees: parts.total_validator_fees,
      libraries: parts.libraries,
      master_ref: shard.workchain === MASTERCHAIN ? null : refTo(master.source),
    }),
    custom: parts.custom,
    wc_custom: null,
  })
}
