import { MASTERCHAIN, shardContains } from '../../../src/ton/block-id.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { applyUpdate } from '../../../src/ton/merkle.ts'
import type { Slice } from '../../../src/ton/slice.ts'
import { loadShardAccount, parseAccount } from '../../../src/ton/tlb/account.ts'
import { addCurrencies, type CurrencyCollection, NO_CURRENCY } from '../../../src/ton/tlb/currency.ts'
import { masterBlockIdOf } from '../../../src/ton/tlb/ext-blk-ref.ts'
import { parseMessageInfo } from '../../../src/ton/tlb/message.ts'
import { parseMsgEnvelope } from '../../../src/ton/tlb/msg-envelope.ts'
import {
  dispatchedMessages,
  loadAccountDispatchQueue,
  loadEnqueuedMsg,
  minLtAug,
  outMsgQueue,
  parseOutMsgQueueInfo,
} from '../../../src/ton/tlb/out-msg-queue.ts'
import { shardOf } from '../../../src/ton/tlb/shard-ident.ts'
import {
  buildSplitState,
  type DepthBalanceInfo,
  depthBalanceAug,
  parseShardAccounts,
  parseShardStateTotals,
  parseShardStateUnsplit,
  type ShardStateTotals,
  type ShardStateUnsplit,
  shardAccounts,
} from '../../../src/ton/tlb/shard-state.ts'
import { checkAugDict } from './augmented.ts'
import type { ReadBlock } from './checked-block.ts'
import { type Need, sameAmount } from './fault.ts'

/** A state and what its root says. */
export interface ReadState {
  root: Cell
  state: ShardStateUnsplit
  totals: ShardStateTotals
}

export const readState = (root: Cell): ReadState => {
  const state = parseShardStateUnsplit(root)
  return { root, state, totals: parseShardStateTotals(state.totals) }
}

/** The state that a block's Merkle update makes of those before it. Throws as applyUpdate. */
export const stateAfter = ({ block }: ReadBlock, before: readonly ReadState[]): ReadState => {
  const [first, second] = before.map(({ root }) => root) as [Cell, Cell | undefined]
  return readState(applyUpdate(second ? buildSplitState(first, second) : first, block.state_update))
}

/** What the state's own fields must be. */
export const checkStateHeader = (
  { block, id, info, master }: ReadBlock,
  { state, totals }: ReadState,
  need: Need,
): void => {
  need(state.shard_id.workchain_id === id.workchain && shardOf(state.shard_id) === id.shard, 'state of another shard')
  need(state.seq_no === id.seqno, 'state of another seqno')
  need(state.gen_utime === info.gen_utime && state.gen_lt === info.end_lt, 'state of another time')
  need(state.vert_seq_no === info.vert_seq_no, 'state of another vertical seqno')
  need(state.global_id === block.global_id, 'state of another network')
  need(state.before_split === info.before_split, 'before_split of the state differs')
  if (master) {
    need(totals.master_ref !== null, 'the state refers to no masterchain block')
    need(masterBlockIdOf(totals.master_ref!).root_hash.equals(master.root_hash), 'the state refers to another master')
  }
}

/** Augmentation of an account. */
export const balanceOf = (account: Cell): DepthBalanceInfo => {
  const parsed = parseAccount(account)
  if (parsed._ === 'account_none') return { split_depth: 0, balance: NO_CURRENCY }
  const { anycast } = parsed.addr
  return { split_depth: anycast?.depth ?? 0, balance: parsed.storage.balance }
}

/** Subtrees of accounts that were found right: blocks share what did not change. */
export type RightAccounts = WeakMap<Cell, DepthBalanceInfo>

/** The balances of all accounts are what the augmentations and the totals say. */
export const checkAccounts = ({ state, totals }: ReadState, right: RightAccounts, need: Need): void => {
  const accounts = parseShardAccounts(state.accounts)
  const extraOf = (value: Slice): DepthBalanceInfo => balanceOf(loadShardAccount(value).account)
  checkAugDict(accounts, { keyBits: 256, aug: depthBalanceAug, extraOf, right, what: 'ShardAccounts' })
  need(sameAmount(accounts.extra.balance, totals.total_balance), 'total_balance is not the sum of all balances')
}

/** What the accounts of a shard had before a block of it. */
export const balanceBefore = ({ id, info }: ReadBlock, before: readonly ReadState[]): CurrencyCollection => {
  if (!info.after_split)
    return before.reduce((sum, { totals }) => addCurrencies(sum, totals.total_balance), NO_CURRENCY)
  let sum = NO_CURRENCY
  for (const [account, { account: cell }] of shardAccounts(before[0]!.state.accounts))
    if (shardContains(id.shard, account.readBigInt64BE(0))) sum = addCurrencies(sum, balanceOf(cell).balance)
  return sum
}

/** The lt by which a message is ordered in a queue. */
const emittedLt = (envelope: Cell): bigint => {
  const { emitted_lt, msg } = parseMsgEnvelope(envelope)
  if (emitted_lt !== null) return emitted_lt
  const info = parseMessageInfo(msg)
  return info._ === 'int_msg_info' ? info.created_lt : 0n
}

/** Hashes of the messages in the out queue and in the dispatch queue, whose sizes and augmentations are right. */
export const queuedMessages = ({ state }: ReadState, workchain: number, need: Need): Map<string, Cell> => {
  const { out_queue, extra } = parseOutMsgQueueInfo(state.out_msg_queue_info)
  const found = new Map<string, Cell>()
  checkAugDict(out_queue, {
    keyBits: 352,
    aug: minLtAug,
    extraOf: (value) => emittedLt(loadEnqueuedMsg(value).out_msg),
    what: 'OutMsgQueue',
  })
  let count = 0
  for (const [key, { out_msg }] of outMsgQueue(out_queue)) {
    const { msg } = parseMsgEnvelope(out_msg)
    need(msg.hash().equals(key.hash), 'a queued message stands under another hash')
    found.set(msg.hash().toString('hex'), out_msg)
    count++
  }
  if (extra?.out_queue_size != null) need(extra.out_queue_size === count, `out_queue_size is not ${count}`)
  if (!extra) return found
  checkAugDict(extra.dispatch_queue, {
    keyBits: 256,
    aug: minLtAug,
    extraOf: (value) => {
      const queue = loadAccountDispatchQueue(value)
      const messages = [...dispatchedMessages(queue)]
      need(messages.length === queue.count, 'the count of a dispatch queue is wrong')
      for (const [, { out_msg }] of messages) found.set(parseMsgEnvelope(out_msg).msg.hash().toString('hex'), out_msg)
      return messages[0]![0]
    },
    what: 'DispatchQueue',
  })
  need(workchain === MASTERCHAIN || state.custom === null, 'a shard with a masterchain state')
  return found
}
