import { MASTERCHAIN } from '../../ton/block-id.ts'
import { parseMcStateExtra } from '../../ton/tlb/mc-state-extra.ts'
import { outMsgQueue, outMsgQueueKey } from '../../ton/tlb/out-msg-queue.ts'
import { shardOfAccount } from '../../ton/tlb/shard-hashes.ts'
import { parseShardStateUnsplit } from '../../ton/tlb/shard-state.ts'
import { importAccounts } from './account-imports.ts'
import { blockAccounts } from './accounts.ts'
import { type BlockLoad, blockLoad, limitsAfter } from './block-load.ts'
import type { Collation } from './collation.ts'
import { inMsgDescr, outMsgDescr } from './descriptors.ts'
import type { Draft } from './draft.ts'
import { blockLimits, type MasterConfig, masterConfig } from './master-config.ts'
import { findNeighbours, type ShardTopId } from './neighbours.ts'
import { newMessages } from './new-messages.ts'
import { outQueue } from './out-queue.ts'
import { openState, type PreviousState, prefixBytes, previousState, succession } from './previous-state.ts'
import type { ShardEndLt } from './processed-upto.ts'
import type { ShardId } from './routing.ts'

const ACCOUNT_BITS = 256
const QUEUE_BITS = 352

/** End lts of shards as older masterchain states name them; each state is opened once. */
const shardEndLts = ({ input: { masterState }, master }: { input: Collation; master: MasterConfig }): ShardEndLt => {
  const opened = new Map<
    number,
    { gen_lt: bigint; shard_hashes: ReturnType<typeof parseMcStateExtra>['shard_hashes'] }
  >()
  const open = (seqno: number) => {
    const state = seqno >= master.state.seq_no ? master.state : parseShardStateUnsplit(masterState(seqno))
    const found = { gen_lt: state.gen_lt, shard_hashes: parseMcStateExtra(state.custom!).shard_hashes }
    opened.set(seqno, found)
    return found
  }
  return (seqno, { workchain, prefix }) => {
    const { gen_lt, shard_hashes } = opened.get(seqno) ?? open(seqno)
    return workchain === MASTERCHAIN ? gen_lt : (shardOfAccount(shard_hashes, workchain, prefix)?.descr.end_lt ?? 0n)
  }
}

const oldDictionaries = ({ prev }: Collation): Draft['old'] => {
  const states = prev.map(({ state }) => openState(state))
  return {
    accounts: states.map(({ accounts }) => accounts.root),
    queues: states.map(({ out_queue }) => out_queue.root),
    dispatch_queues: states.map(({ dispatch_queue }) => dispatch_queue),
  }
}

const queueSize = ({ out_queue, out_queue_size }: PreviousState): number => {
  if (out_queue_size !== null) return out_queue_size
  let size = 0
  for (const _ of outMsgQueue(out_queue)) size++
  return size
}

/** Makes the roots of the old dictionaries known, and what a half of them begins with. */
const knowOld = (load: BlockLoad, { accounts, queues, dispatch_queues }: Draft['old'], shard: ShardId): void => {
  const prefix = prefixBytes(shard)
  for (const root of [...accounts, ...dispatch_queues.map(({ root }) => root)]) {
    load.knowCell(root)
    load.knowPath(root, prefix, ACCOUNT_BITS)
  }
  for (const root of queues) load.knowCell(root)
}

/** A split looks at every message of the queue. */
const knowSplit = (load: BlockLoad, { queues }: Draft['old']): void => {
  for (const root of queues)
    for (const [key] of outMsgQueue({ root, extra: 0n })) load.knowPath(root, outMsgQueueKey(key), QUEUE_BITS)
}

/**
 * Opens all that a new block starts from.
 * @param tops the newest blocks of all shards, the masterchain first: those that the neighbours are chosen from
 * @param start_lt the first lt of the block
 * @throws `invalid`, `malformed`
 */
export const startDraft = (
  input: Collation,
  shard: ShardId,
  tops: (master: MasterConfig) => readonly ShardTopId[],
  startLt: (master: MasterConfig, previous: PreviousState) => bigint,
): Draft => {
  const master = masterConfig(input.master)
  const before = previousState(input.prev, shard)
  const put_in = importAccounts(before.accounts, shard, input.imports)
  const previous = { ...before, accounts: put_in.accounts }
  const start_lt = startLt(master, previous)
  const how = succession(input.prev, shard)
  const limits = blockLimits(master, shard.workchain === MASTERCHAIN)
  const load = blockLoad(limitsAfter(limits, input.now - previous.gen_utime), start_lt)
  const old = oldDictionaries(input)
  knowOld(load, old, shard)
  if (how === 'after_split') knowSplit(load, old)
  return {
    input,
    shard,
    succession: how,
    master,
    previous,
    put_in: { minted: put_in.minted, ids: put_in.ids },
    neighbours: findNeighbours(previous, input.prev[0]!.end_lt, tops(master), [
      ...input.neighbours,
      ...input.prev,
      input.master,
    ]),
    endLt: shardEndLts({ input, master }),
    start_lt,
    max_lt: start_lt + 1n,
    accounts: blockAccounts(previous.accounts),
    in_msgs: inMsgDescr(),
    out_msgs: outMsgDescr(),
    queue: outQueue(previous.out_queue, queueSize(previous)),
    dispatch_queue: previous.dispatch_queue,
    fresh: newMessages(),
    load,
    load_class: 0,
    full: false,
    old,
    estimated: previous.accounts,
    queue_changes: 0,
    dispatch_changes: 0,
    last_processed: null,
    inbound_done: false,
    transactions: 0,
    sent: new Map(),
    released: new Map(),
    released_lt: new Map(),
    dispatch_left: false,
    dispatch_bound: false,
  }
}
