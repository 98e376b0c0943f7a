import { seqnoOfKey, type TraceRow, type TransactionKey } from '../model/trace-changes.ts'
import { type BlockIdExt, MASTERCHAIN, SHARD_ALL } from '../ton/block-id.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { parseBlockInfo } from '../ton/tlb/block-info.ts'
import { parseHashUpdate, parseTransaction } from '../ton/tlb/transaction.ts'
import { removeActions } from './action-rows.ts'
import { decodeBlock, decodeState } from './codecs.ts'
import { blockEntries, messageHashEntries, traceAccountEntry, transactionEntries } from './entries.ts'
import { takenAt } from './find.ts'
import type { IndexStore } from './index-store.ts'
import { memberKey, messageKey, readBlockKey, readTxKey, shardPrefix, txKey, u32Key } from './keys.ts'
import { unmarkPayment } from './payment-marks.ts'
import { prunePayments } from './payment-rows.ts'
import { dropOldestSeqno, oldestRange } from './ranges.ts'
import { firstKey, keysIn, under } from './scan.ts'
import { storedTransaction, type TransactionParts } from './stored-transaction.ts'
import type { Tables } from './tables.ts'
import { removeCells } from './transaction-cells.ts'
import { numbered, ownEntries } from './transaction-messages.ts'
import { accountRow } from './write-accounts.ts'
import { removeEntries } from './write-entries.ts'
import { accountsOfTrace, forgetRootName, removeTrace, rootOf, traceAt, transactionsOfTrace } from './write-traces.ts'
import { claimMessage } from './write-transactions.ts'
import { removeTransfer } from './write-transfers.ts'

const transactionsOf = (tables: Tables, seqno: number): TransactionParts[] =>
  Array.from(keysIn(tables.transactions, under(u32Key(seqno)), 'asc')).flatMap(
    (bytes) => storedTransaction(tables, readTxKey(bytes)) ?? [],
  )

/** Removes the traces that ended in this block or before, with the names of roots that went earlier. */
const removeEndedTraces = (tables: Tables, seqno: number): void => {
  for (const entry of keysIn(tables.traces_by_mc, { to: u32Key(seqno + 1) }, 'asc')) {
    const trace = traceAt(tables, readTxKey(entry, 4))
    if (!trace) continue
    removeTrace(tables, trace)
    forgetRootName(tables, trace)
  }
}

/**
 * Takes transactions out of a trace that goes on: it stays in the feeds of those accounts that are still in it. What it did
 * cannot be told any more.
 */
const leaveTrace = (tables: Tables, trace: TraceRow, leaving: readonly TransactionParts[]): void => {
  removeActions(tables, trace)
  const keys = new Set(leaving.map(({ key }) => key))
  const left = transactionsOfTrace(tables, trace.root).filter((key) => !keys.has(key))
  const accounts = accountsOfTrace(tables, left)
  for (const { row } of leaving) {
    if (!accounts.has(row.account)) removeEntries(tables, [traceAccountEntry(trace, row.account)])
  }
  for (const { key } of leaving) tables.trace_txs.removeSync(memberKey(trace.root, key))
}

/** Takes transactions out of the traces that go on. Gives the roots of those. */
const leaveTraces = (tables: Tables, pruned: readonly TransactionParts[]): Set<TransactionKey> => {
  const byRoot = Map.groupBy(pruned, ({ key }) => rootOf(tables, key))
  const going = new Set<TransactionKey>()
  for (const [root, leaving] of byRoot) {
    const trace = traceAt(tables, root)
    if (!trace) continue
    going.add(root)
    leaveTrace(tables, trace, leaving)
  }
  return going
}

/** Removes the messages of a transaction; one that is taken later is listed by its taker from now on. */
const removeMessages = ({ tables, addresses }: IndexStore, { key, row, messages }: TransactionParts): void => {
  for (const [n, message] of numbered(messages)) {
    const side = messageKey(txKey(key), n)
    removeEntries(tables, messageHashEntries(side, message))
    removeEntries(tables, ownEntries(addresses, side, row, message))
    const taker = n > 0 && message.kind === 'internal' ? takenAt(tables, message.hash) : undefined
    if (taker && seqnoOfKey(taker.transaction) !== seqnoOfKey(key)) claimMessage(tables, addresses, taker)
  }
}

/** Removes the state before a transaction, which none that is younger names. */
const removeStateBefore = (tables: Tables, { row, cell }: TransactionParts): void => {
  const { old_hash } = parseHashUpdate(parseTransaction(cell).state_update)
  const state = tables.account_states.get(old_hash)
  if (!state || decodeState(state).status === 'nonexist') return
  if (!accountRow(tables, row.account)?.state_hash.equals(old_hash)) tables.account_states.removeSync(old_hash)
}

const removeTransaction = (tables: Tables, { key, row, messages }: TransactionParts, keepsName: boolean): void => {
  const entries = transactionEntries({ ...row, key: txKey(key), in_msg: messages.in_msg })
  removeEntries(
    tables,
    entries.filter(([table]) => !(keepsName && table === 'tx_by_hash')),
  )
  removeTransfer(tables, { ...row, key: txKey(key) })
  unmarkPayment(tables, key)
  tables.trace_of.removeSync(txKey(key))
  tables.transactions.removeSync(txKey(key))
}

const removeBlocks = (tables: Tables, seqno: number): void => {
  for (const position of keysIn(tables.blocks_by_mc, under(u32Key(seqno)), 'asc')) {
    const key = tables.blocks_by_mc.get(position)
    const bytes = key && tables.blocks.get(key)
    if (key && bytes) {
      const { root_hash, file_hash, info } = decodeBlock(bytes)
      const id: BlockIdExt = { ...readBlockKey(key), root_hash, file_hash }
      removeEntries(tables, blockEntries(id, parseBlockInfo(parseBocRoot(info))))
      tables.blocks.removeSync(key)
    }
    tables.blocks_by_mc.removeSync(position)
  }
  tables.shard_tops.removeSync(u32Key(seqno))
}

/** The oldest masterchain block of which something is stored, be it for the history of chosen accounts only. */
export const oldestStored = (tables: Tables): number | undefined => {
  const key = firstKey(tables.blocks, under(shardPrefix(MASTERCHAIN, SHARD_ALL)), 'asc')
  const indexed = oldestRange(tables)?.first
  return key ? Math.min(readBlockKey(key).seqno, indexed ?? Number.POSITIVE_INFINITY) : indexed
}

/**
 * Removes the oldest masterchain block with what it committed, as one transaction: blocks, transactions, messages,
 * transfers, payments, traces that ended with it, states of accounts that were followed by others. Latest states, what
 * accounts are, codes and addresses stay. A trace that goes on keeps its id and its counts, until its root comes again, or
 * what caused one of its stored transactions.
 * @returns the seqno; undefined when the index is empty
 * @throws TonlithError `unavailable` when the disk is full or gives no right to write
 */
export const pruneOldest = (index: IndexStore): number | undefined => {
  const { environment, tables, addresses } = index
  try {
    return environment.transaction(() => {
      const seqno = oldestStored(tables)
      if (seqno === undefined) return undefined
      removeEndedTraces(tables, seqno)
      const pruned = transactionsOf(tables, seqno)
      const going = leaveTraces(tables, pruned)
      for (const one of pruned) {
        removeMessages(index, one)
        removeStateBefore(tables, one)
      }
      for (const one of pruned) removeTransaction(tables, one, going.has(one.key))
      removeCells(tables, seqno)
      removeBlocks(tables, seqno)
      prunePayments(tables, seqno)
      if (oldestRange(tables)?.first === seqno) dropOldestSeqno(tables)
      return seqno
    })
  } catch (error) {
    addresses.forget()
    throw error
  }
}
