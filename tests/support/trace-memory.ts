import { joinTraces } from '../../src/indexer/trace.ts'
import type { Batch, BatchMessage } from '../../src/model/batch.ts'
import {
  type JoinedTransaction,
  seqnoOfKey,
  type TraceLookups,
  type TraceRow,
  type TransactionKey,
  transactionKey,
} from '../../src/model/trace-changes.ts'

/** Traces in memory: what the store does with what the join says. */
export interface TraceMemory {
  add(batch: Batch): void
  /** Removes a batch below which nothing is left, as the store does: a trace that goes on stays with the rest of it. */
  prune(batch: Batch): void
  traces: ReadonlyMap<TransactionKey, TraceRow>
  /** Roots of the traces whose root was pruned. */
  truncated(): TransactionKey[]
  rootOf(transaction: TransactionKey): TransactionKey
}

const text = (hash: Buffer): string => hash.toString('latin1')
const isInternal = ({ kind }: BatchMessage): boolean => kind === 'internal'

export const traceMemory = (): TraceMemory => {
  const traces = new Map<TransactionKey, TraceRow>()
  const roots = new Map<TransactionKey, TransactionKey>()
  const members = new Map<TransactionKey, Set<TransactionKey>>()
  const transactions = new Map<TransactionKey, JoinedTransaction>()
  const senders = new Map<string, TransactionKey>()
  const receivers = new Map<string, TransactionKey>()
  const rootOf = (transaction: TransactionKey): TransactionKey => {
    const root = roots.get(transaction)
    if (root === undefined) throw new Error('asked about a transaction that is not stored')
    return root
  }
  const stored: TraceLookups = {
    senderOf: (hash) => senders.get(text(hash)),
    receiverOf: (hash) => receivers.get(text(hash)),
    rootOf,
    trace: (root) => traces.get(root),
    transactionsOf: (root) => [...(members.get(root) ?? [])],
    rootsIn: (mc_seqno) => [...traces.keys()].filter((root) => seqnoOfKey(root) === mc_seqno),
    transaction: (key) => transactions.get(key),
  }
  return {
    traces,
    rootOf,
    truncated: () => [...traces.keys()].filter((root) => !transactions.has(root)),
    prune: ({ mc, transactions: pruned }) => {
      for (const { root, mc_seqno_end } of [...traces.values()]) {
        if (mc_seqno_end > mc.seqno) continue
        traces.delete(root)
        members.delete(root)
      }
      for (const { in_msg, out_msgs, index } of pruned) {
        const key = transactionKey(mc.seqno, index)
        members.get(rootOf(key))?.delete(key)
        roots.delete(key)
        transactions.delete(key)
        if (in_msg) receivers.delete(text(in_msg.hash))
        for (const { hash } of out_msgs) senders.delete(text(hash))
      }
    },
    add: (batch) => {
      const { removed, put, members: placed } = joinTraces(batch, stored)
      for (const root of removed) if (!traces.delete(root)) throw new Error('removed a trace that is not stored')
      for (const trace of put) traces.set(trace.root, trace)
      for (const root of removed) members.delete(root)
      for (const { transaction, root } of placed) {
        roots.set(transaction, root)
        members.set(root, (members.get(root) ?? new Set()).add(transaction))
      }
      batch.transactions.forEach((transaction) => {
        const { in_msg, out_msgs, index } = transaction
        const key = transactionKey(batch.mc.seqno, index)
        transactions.set(key, transaction)
        if (in_msg && isInternal(in_msg)) receivers.set(text(in_msg.hash), key)
        for (const message of out_msgs) if (isInternal(message)) senders.set(text(message.hash), key)
      })
    },
  }
}
