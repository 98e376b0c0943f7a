import type { Cell } from '../../ton/cell.ts'
import { key64 } from '../../ton/dictionary.ts'
import { updateAugDict } from '../../ton/dictionary-update.ts'
import type { CurrencyCollection } from '../../ton/tlb/currency.ts'
import { buildInMsg, type ImportFees, type InMsg } from '../../ton/tlb/in-msg.ts'
import { buildOutMsg, type OutMsg } from '../../ton/tlb/out-msg.ts'
import { depthBalanceAug } from '../../ton/tlb/shard-state.ts'
import { accountChange, type WorkingAccount } from './accounts.ts'
import { accountQueue, withMessage, withoutMessage } from './dispatch-queue.ts'
import type { Draft } from './draft.ts'

/** After how many entries and changes the dictionaries count for the size of the block. */
const ENTRIES = 64
const TRANSACTIONS = 16

const QUEUE_BITS = 352
const ACCOUNT_BITS = 256
const LT_BITS = 64

/** Puts an entry into InMsgDescr under the hash of its message; gives its cell. */
export const recordIn = (draft: Draft, hash: Buffer, entry: InMsg, extra: ImportFees): Cell => {
  const { in_msgs, load } = draft
  const cell = buildInMsg(entry)
  in_msgs.add(hash, entry, extra)
  load.addCells(cell)
  if (in_msgs.size % ENTRIES === 0) load.addCells(in_msgs.build().root)
  return cell
}

/** Puts an entry into OutMsgDescr under the hash of its message. */
export const recordOut = (draft: Draft, hash: Buffer, entry: OutMsg, extra: CurrencyCollection): void => {
  const { out_msgs, load } = draft
  out_msgs.add(hash, entry, extra)
  load.addCells(buildOutMsg(entry))
  if (out_msgs.size % ENTRIES === 0) load.addCells(out_msgs.build().root)
}

const countQueueChange = (draft: Draft, key: Buffer): void => {
  for (const root of draft.old.queues) draft.load.knowPath(root, key, QUEUE_BITS)
  draft.queue_changes++
  if (draft.queue_changes % ENTRIES === 0) draft.load.addState(draft.queue.build().root)
}

/** Puts a message (its envelope) into the out-queue; `lt` is what the queue is ordered by. */
export const queueMessage = (draft: Draft, key: Buffer, lt: bigint, enqueued_lt: bigint, envelope: Cell): void => {
  draft.queue.add(key, lt, enqueued_lt, envelope)
  countQueueChange(draft, key)
}

/** Takes a message out of the out-queue. */
export const unqueueMessage = (draft: Draft, key: Buffer): void => {
  draft.queue.remove(key)
  countQueueChange(draft, key)
}

/** Counts the out-queue as it is now. */
export const countQueue = (draft: Draft): void => {
  draft.queue_changes++
  draft.load.addState(draft.queue.build().root)
}

const countDispatchChange = (draft: Draft, sender: Buffer, lt: bigint): void => {
  for (const all of draft.old.dispatch_queues) {
    draft.load.knowPath(all.root, sender, ACCOUNT_BITS)
    draft.load.knowPath(accountQueue(all, sender).messages, key64(lt), LT_BITS)
  }
  draft.dispatch_changes++
  if (draft.dispatch_changes % ENTRIES === 0) countDispatchQueue(draft)
}

/** Puts a message of this created lt into the dispatch queue of its sender. */
export const deferMessage = (draft: Draft, sender: Buffer, lt: bigint, envelope: Cell): void => {
  draft.dispatch_queue = withMessage(draft.dispatch_queue, sender, lt, envelope)
  countDispatchChange(draft, sender, lt)
}

/** Takes the message of this created lt out of the dispatch queue of its sender. */
export const undeferMessage = (draft: Draft, sender: Buffer, lt: bigint): void => {
  draft.dispatch_queue = withoutMessage(draft.dispatch_queue, sender, lt)
  countDispatchChange(draft, sender, lt)
}

/** Counts the dispatch queue as it is now. */
export const countDispatchQueue = (draft: Draft): void => draft.load.addState(draft.dispatch_queue.root)

/** Counts a transaction and what it changed in its account. */
export const countTransaction = (draft: Draft, account: WorkingAccount, transaction: Cell): void => {
  const { load, old } = draft
  if (account.transactions.length === 1) {
    if (account.existed) load.knowTree(account.original)
    for (const root of old.accounts) load.knowPath(root, account.id, ACCOUNT_BITS)
  }
  load.addState(account.shardAccount.account)
  load.addCells(transaction)
  load.addTransaction()
  if (!account.estimated && !account.original.hash().equals(account.shardAccount.account.hash())) {
    account.estimated = true
    draft.estimated = updateAugDict(draft.estimated, [accountChange(account)], ACCOUNT_BITS, depthBalanceAug)
  }
  if (draft.transactions % TRANSACTIONS === 0) load.addState(draft.estimated.root)
}
