import type { Cell } from '../../src/ton/cell.ts'
import { buildAccount, loadShardAccount, parseAccount, storeShardAccount } from '../../src/ton/tlb/account.ts'
import { buildAugDictCell } from '../../src/ton/tlb/aug-dict.ts'
import {
  type BlockCreateStats,
  buildMcStateExtra,
  buildMcStateHistory,
  keyMaxLtAug,
  loadCreatorStats,
  loadKeyExtBlkRef,
  parseMcStateExtra,
  parseMcStateHistory,
  storeCreatorStats,
  storeKeyExtBlkRef,
} from '../../src/ton/tlb/mc-state-extra.ts'
import {
  buildOutMsgQueueInfo,
  buildProcessedInfo,
  loadAccountDispatchQueue,
  loadEnqueuedMsg,
  minLtAug,
  type OutMsgQueueExtra,
  parseOutMsgQueueInfo,
  processedInfo,
  storeAccountDispatchQueue,
  storeEnqueuedMsg,
} from '../../src/ton/tlb/out-msg-queue.ts'
import {
  buildShardStateTotals,
  buildShardStateUnsplit,
  buildSplitState,
  depthBalanceAug,
  libDescrOf,
  libPublishers,
  loadLibDescr,
  parseShardAccounts,
  parseShardState,
  parseShardStateTotals,
  storeLibDescr,
} from '../../src/ton/tlb/shard-state.ts'
import { type Rewrite, rebuiltAugDict, rebuiltDict } from './rebuilt-dictionary.ts'
import { rewriteShardHashes } from './rewrite-block.ts'
import { rewriteEnvelope } from './rewrite-message.ts'

const rewriteEnqueued: Rewrite = (value) => {
  const message = loadEnqueuedMsg(value)
  const out_msg = rewriteEnvelope(message.out_msg)
  return (builder) => storeEnqueuedMsg(builder, { ...message, out_msg })
}

const rewriteDispatch: Rewrite = (value) => {
  const queue = loadAccountDispatchQueue(value)
  const messages = rebuiltDict(queue.messages, 64, rewriteEnqueued)
  return (builder) => storeAccountDispatchQueue(builder, { ...queue, messages })
}

const rewrittenExtra = (extra: OutMsgQueueExtra): OutMsgQueueExtra => ({
  ...extra,
  dispatch_queue: rebuiltAugDict(extra.dispatch_queue, 256, minLtAug, rewriteDispatch),
})

const rewriteQueues = (cell: Cell): Cell => {
  const info = parseOutMsgQueueInfo(cell)
  return buildOutMsgQueueInfo({
    out_queue: rebuiltAugDict(info.out_queue, 352, minLtAug, rewriteEnqueued),
    proc_info: buildProcessedInfo([...processedInfo(info.proc_info)].toReversed()),
    extra: info.extra && rewrittenExtra(info.extra),
  })
}

const rewriteShardAccount: Rewrite = (value) => {
  const entry = loadShardAccount(value)
  const account = buildAccount(parseAccount(entry.account))
  return (builder) => storeShardAccount(builder, { ...entry, account })
}

const rewriteTotals = (cell: Cell): Cell => {
  const totals = parseShardStateTotals(cell)
  return buildShardStateTotals({
    ...totals,
    libraries: rebuiltDict(totals.libraries, 256, (value) => {
      const descr = loadLibDescr(value)
      const again = libDescrOf(descr.lib, libPublishers(descr).toReversed())
      return (builder) => storeLibDescr(builder, again)
    }),
  })
}

const rewrittenStats = (stats: BlockCreateStats): BlockCreateStats => {
  if (stats._ === 'block_create_stats_ext') return stats
  const counters = rebuiltDict(stats.counters, 256, (value) => {
    const creator = loadCreatorStats(value)
    return (builder) => storeCreatorStats(builder, creator)
  })
  return { ...stats, counters }
}

const rewriteHistory = (cell: Cell): Cell => {
  const history = parseMcStateHistory(cell)
  return buildMcStateHistory({
    ...history,
    prev_blocks: rebuiltAugDict(history.prev_blocks, 32, keyMaxLtAug, (value) => {
      const { key, blk_ref } = loadKeyExtBlkRef(value)
      return (builder) => storeKeyExtBlkRef(builder, { key, blk_ref })
    }),
    block_create_stats: history.block_create_stats && rewrittenStats(history.block_create_stats),
  })
}

const rewriteMcExtra = (cell: Cell): Cell => {
  const extra = parseMcStateExtra(cell)
  return buildMcStateExtra({
    ...extra,
    shard_hashes: rewriteShardHashes(extra.shard_hashes),
    history: rewriteHistory(extra.history),
  })
}

/** All that was read of a state, written again. */
export const rewriteState = (cell: Cell): Cell => {
  const state = parseShardState(cell)
  if (state._ === 'split_state') return buildSplitState(rewriteState(state.left), rewriteState(state.right))
  const accounts = rebuiltAugDict(parseShardAccounts(state.accounts), 256, depthBalanceAug, rewriteShardAccount)
  return buildShardStateUnsplit({
    ...state,
    out_msg_queue_info: rewriteQueues(state.out_msg_queue_info),
    accounts: buildAugDictCell(accounts, depthBalanceAug),
    totals: rewriteTotals(state.totals),
    custom: state.custom && rewriteMcExtra(state.custom),
  })
}
