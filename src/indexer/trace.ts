import { bytesKey } from '../common/bytes-key.ts'
import type { Batch, BatchMessage } from '../model/batch.ts'
import {
  type JoinedTransaction,
  SYSTEM_ACCOUNT,
  seqnoOfKey,
  type TraceChanges,
  type TraceLookups,
  type TraceRow,
  type TransactionKey,
  transactionKey,
} from '../model/trace-changes.ts'
import { sameAddress } from '../ton/address.ts'
import { truncatedTraces } from './truncated-traces.ts'

/** True for a message that a transaction sent, so that the trace goes on above the one that took it. */
export const isSent = (message: BatchMessage): boolean =>
  message.kind === 'internal' && !(message.source && sameAddress(message.source, SYSTEM_ACCOUNT))

/** Without its sender known: the trace of one transaction. */
const traceOfOne = (root: TransactionKey, { id, now, in_msg, out_msgs }: JoinedTransaction): TraceRow => {
  const mc_seqno = seqnoOfKey(root)
  const pending_edges = out_msgs.filter(({ kind }) => kind === 'internal').length
  return {
    root,
    root_hash: id.hash,
    external_hash: in_msg?.hash ?? null,
    external_hash_norm: in_msg?.hash_norm ?? null,
    state: in_msg && isSent(in_msg) ? 'broken' : 'pending',
    nodes: 1,
    edges: (in_msg ? 1 : 0) + out_msgs.length - pending_edges,
    pending_edges,
    start_lt: id.lt,
    end_lt: id.lt,
    start_utime: now,
    end_utime: now,
    mc_seqno_start: mc_seqno,
    mc_seqno_end: mc_seqno,
  }
}

const earlier = <T extends number | bigint>(a: T, b: T): T => (b < a ? b : a)
const later = <T extends number | bigint>(a: T, b: T): T => (b > a ? b : a)

/** One trace of two, where a transaction of `above` sent the message that the root of `below` took. */
const joined = (above: TraceRow, below: TraceRow): TraceRow => ({
  ...above,
  nodes: above.nodes + below.nodes,
  edges: above.edges + below.edges,
  pending_edges: above.pending_edges + below.pending_edges - 1,
  start_lt: earlier(above.start_lt, below.start_lt),
  end_lt: later(above.end_lt, below.end_lt),
  start_utime: earlier(above.start_utime, below.start_utime),
  end_utime: later(above.end_utime, below.end_utime),
  mc_seqno_start: earlier(above.mc_seqno_start, below.mc_seqno_start),
  mc_seqno_end: later(above.mc_seqno_end, below.mc_seqno_end),
})

const settled = (trace: TraceRow): TraceRow =>
  trace.state === 'broken' ? trace : { ...trace, state: trace.pending_edges === 0 ? 'complete' : 'pending' }

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** The root to which a key leads over the roots that became inner transactions; later ways there are made short. */
const finalRoot = (inner: Map<TransactionKey, TransactionKey>, key: TransactionKey): TransactionKey => {
  let root = key
  for (let next = inner.get(root); next !== undefined; next = inner.get(root)) root = next
  for (let at = key; at !== root; ) {
    const next = inner.get(at)!
    inner.set(at, root)
    at = next
  }
  return root
}

/** Which of the transactions took each internal message, and which sent it, by their places. */
const sidesOf = (transactions: readonly JoinedTransaction[]) => {
  const taken = new Map<string, number>()
  const sent = new Map<string, number>()
  transactions.forEach(({ in_msg, out_msgs }, i) => {
    if (in_msg && isSent(in_msg)) taken.set(bytesKey(in_msg.hash), i)
    for (const { kind, hash } of out_msgs) if (kind === 'internal') sent.set(bytesKey(hash), i)
  })
  return { taken, sent }
}

/** Stored transactions that took what transactions of a batch sent, which are told by their places. */
const takersOf = (
  transactions: readonly JoinedTransaction[],
  { taken }: Pick<ReturnType<typeof sidesOf>, 'taken'>,
  stored: TraceLookups,
): { sender: number; taker: TransactionKey }[] => {
  const takers: { sender: number; taker: TransactionKey }[] = []
  transactions.forEach(({ out_msgs }, sender) => {
    for (const { kind, hash } of out_msgs) {
      if (kind !== 'internal' || taken.has(bytesKey(hash))) continue
      const taker = stored.receiverOf(hash)
      if (taker !== undefined) takers.push({ sender, taker })
    }
  })
  return takers
}

/**
 * Joins the transactions of a batch to each other and to the stored traces: over the message that came in to the
 * transaction that sent it, and over the messages that were sent to stored transactions that took them (they came first,
 * in a block that arrived out of order). The traces depend on the set of transactions only, not on the order in which
 * batches come: a trace of which the first transactions were pruned is taken apart when some of them come again, and the
 * stored rest of it is joined as if it came with the batch. Impossible trees (a message with two takers, a circle) end in
 * traces that stay pending or broken.
 */
export const joinTraces = (batch: Batch, stored: TraceLookups): TraceChanges => {
  const own = batch.transactions.map(({ index }) => transactionKey(batch.mc.seqno, index))
  const ownSides = sidesOf(batch.transactions)
  const takers = takersOf(batch.transactions, ownSides, stored)
  const apart = truncatedTraces(batch, own, new Set(takers.map(({ taker }) => taker)), stored)
  const keys = [...own, ...apart.members.map(({ key }) => key)]
  const transactions = [...batch.transactions, ...apart.members.map(({ transaction }) => transaction)]
  const { taken, sent } = apart.members.length === 0 ? ownSides : sidesOf(transactions)
  const rows = new Map(transactions.map((transaction, i) => [keys[i]!, traceOfOne(keys[i]!, transaction)]))
  const inner = new Map<TransactionKey, TransactionKey>()
  const removed: TransactionKey[] = []

  /** `parent` sent the message that `child` took, which must be the root of its trace. Both are roots as stored. */
  const link = (parent: TransactionKey, child: TransactionKey): boolean => {
    const root = finalRoot(inner, parent)
    if (root === child || inner.has(child)) return false
    const above = rows.get(root) ?? stored.trace(root)
    const below = rows.get(child) ?? stored.trace(child)
    if (!above || !below) return false
    rows.set(root, joined(above, below))
    rows.delete(child)
    inner.set(child, root)
    return true
  }

  transactions.forEach(({ in_msg }, i) => {
    if (in_msg && isSent(in_msg)) {
      const name = bytesKey(in_msg.hash)
      const sender = sent.get(name)
      const parent = sender === undefined ? stored.senderOf(in_msg.hash) : keys[sender]
      if (parent !== undefined && taken.get(name) === i)
        link(sender === undefined ? stored.rootOf(parent) : parent, keys[i]!)
    }
  })
  for (const { sender, taker } of takers) {
    if (stored.rootOf(taker) === taker && link(keys[sender]!, taker)) removed.push(taker)
  }

  removed.sort(ascending)
  const moved = removed.flatMap((old) => {
    const root = finalRoot(inner, old)
    return stored.transactionsOf(old).map((transaction) => ({ transaction, root }))
  })
  return {
    removed: [...apart.roots, ...removed].sort(ascending),
    put: [...rows.values()].map(settled).sort((a, b) => ascending(a.root, b.root)),
    members: [...keys.map((transaction) => ({ transaction, root: finalRoot(inner, transaction) })), ...moved],
  }
}
