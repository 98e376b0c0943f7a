import { joinTraces } from '../../src/indexer/trace.ts'
import type { Batch, BatchMessage } from '../../src/model/batch.ts'
import { type TraceLookups, type TraceRow, type TransactionKey, transactionKey } from '../../src/model/trace-changes.ts'

/** Traces in memory: what the store does with what the join says. */
export interface TraceMemory {
  add(batch: Batch): void
  traces: ReadonlyMap<TransactionKey, TraceRow>
  rootOf(transaction: TransactionKey): TransactionKey
}

const text = (hash: Buffer): string => hash.toString('latin1')
const isInternal = ({ kind }: BatchMessage): boolean => kind === 'internal'

export const traceMemory = (): TraceMemory => {
  const traces = new Map<TransactionKey, TraceRow>()
  const roots = new Map<TransactionKey, TransactionKey>()
  const members = new Map<TransactionKey, Set<TransactionKey>>()
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
  }
  return {
    traces,
    rootOf,
    add: (batch) => {
      const { removed, put, members: placed } = joinTraces(batch, stored)
      for (const root of removed) if (!traces.delete(root)) throw new Error('removed a trace that is not stored')
      for (const trace of put) traces.set(trace.root, trace)
      for (const root of removed) members.delete(root)
      for (const { transaction, root } of placed) {
        roots.set(transaction, root)
        members.set(root, (members.get(root) ?? new Set()).add(transaction))
      }
      batch.transactions.forEach(({ in_msg, out_msgs, index }) => {
        const key = transactionKey(batch.mc.seqno, index)
        if (in_msg && isInternal(in_msg)) receivers.set(text(in_msg.hash), key)
        for (const message of out_msgs) if (isInternal(message)) senders.set(text(message.hash), key)
      })
    },
  }
}
