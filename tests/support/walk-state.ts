import { type Cell, PRUNED_BRANCH } from '../../src/ton/cell.ts'
import { parseAccount } from '../../src/ton/tlb/account.ts'
import { configParams } from '../../src/ton/tlb/config-params.ts'
import { extraCurrencies } from '../../src/ton/tlb/currency.ts'
import { creatorStats, oldMcBlocks, parseMcStateExtra, parseMcStateHistory } from '../../src/ton/tlb/mc-state-extra.ts'
import { accountOf } from '../../src/ton/tlb/msg-address.ts'
import { parseMsgEnvelope } from '../../src/ton/tlb/msg-envelope.ts'
import {
  dispatchedMessages,
  dispatchQueues,
  outMsgQueue,
  parseOutMsgQueueInfo,
  processedInfo,
} from '../../src/ton/tlb/out-msg-queue.ts'
import { shardEntries } from '../../src/ton/tlb/shard-hashes.ts'
import {
  parseShardAccounts,
  parseShardState,
  parseShardStateTotals,
  type ShardStateUnsplit,
  shardAccounts,
  sharedLibs,
} from '../../src/ton/tlb/shard-state.ts'
import { type Counts, count } from './counts.ts'

const visible = (cell: Cell | null): cell is Cell => cell !== null && cell.type !== PRUNED_BRANCH

/** Reads an account cell to its last field. */
export const walkAccount = (cell: Cell, counts: Counts): void => {
  const account = parseAccount(cell)
  if (account._ === 'account_none') {
    count(counts, account._)
    return
  }
  count(counts, account.storage.state._)
  count(counts, account.storage_stat.storage_extra._)
  if (visible(account.storage.balance.other))
    count(counts, 'account extra currencies', extraCurrencies(account.storage.balance.other).length)
  if (!accountOf(account.addr)) throw new Error('account without account id')
}

const walkQueues = (cell: Cell, counts: Counts): void => {
  const { out_queue, proc_info, extra } = parseOutMsgQueueInfo(cell)
  for (const [, { out_msg }] of outMsgQueue(out_queue, { skipPruned: true })) {
    count(counts, 'queued messages')
    if (visible(out_msg)) parseMsgEnvelope(out_msg)
  }
  if (visible(proc_info)) for (const _ of processedInfo(proc_info)) count(counts, 'processed upto')
  if (!extra || !visible(extra.dispatch_queue.root)) return
  for (const [, queue] of dispatchQueues(extra.dispatch_queue, { skipPruned: true })) {
    count(counts, 'dispatch queues')
    if (visible(queue.messages))
      for (const _ of dispatchedMessages(queue, { skipPruned: true })) count(counts, 'dispatched messages')
  }
}

const walkMasterState = (cell: Cell, counts: Counts): void => {
  const extra = parseMcStateExtra(cell)
  if (visible(extra.shard_hashes))
    for (const _ of shardEntries(extra.shard_hashes, { skipPruned: true })) count(counts, 'shards')
  if (visible(extra.config.config))
    for (const _ of configParams(extra.config.config, { skipPruned: true })) count(counts, 'configuration parameters')
  if (!visible(extra.history)) return
  const history = parseMcStateHistory(extra.history)
  for (const _ of oldMcBlocks(history.prev_blocks, { skipPruned: true })) count(counts, 'old masterchain blocks')
  if (history.block_create_stats)
    for (const _ of creatorStats(history.block_create_stats, { skipPruned: true })) count(counts, 'creator stats')
}

const walkUnsplit = (state: ShardStateUnsplit, counts: Counts): void => {
  if (visible(state.accounts)) {
    parseShardAccounts(state.accounts)
    for (const [, { account }] of shardAccounts(state.accounts, { skipPruned: true })) {
      count(counts, 'accounts in states')
      if (visible(account)) walkAccount(account, counts)
    }
  }
  if (visible(state.totals)) {
    const { libraries } = parseShardStateTotals(state.totals)
    for (const _ of sharedLibs(libraries, { skipPruned: true })) count(counts, 'libraries')
  }
  if (visible(state.out_msg_queue_info)) walkQueues(state.out_msg_queue_info, counts)
  if (visible(state.custom)) walkMasterState(state.custom, counts)
}

/** Reads all of a shard state that pruned branches leave visible; every kind of thing that it met is counted. */
export const walkShardState = (root: Cell, counts: Counts): void => {
  const state = parseShardState(root)
  count(counts, state._)
  if (state._ === 'shard_state') walkUnsplit(state, counts)
  else for (const half of [state.left, state.right]) if (visible(half)) walkShardState(half, counts)
}
