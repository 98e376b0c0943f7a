import type { ClassificationState } from '../../../model/action.ts'
import type { ShownTrace } from '../../../model/shown-trace.ts'
import type { Wire } from '../go-json.ts'
import { goJson } from '../go-json.ts'
import { base64OrNull } from './scalars.ts'
import type { WrittenTransaction } from './transactions.ts'

/** The transactions of a trace, written, with what the tree of them is made of. */
export interface WrittenTrace {
  /** By lt, then workchain and account. */
  nodes: readonly Omit<WrittenTransaction, 'wire' | 'addresses'>[]
  /** The JSON of each, in the same order. */
  texts: readonly string[]
  /** The JSON of each of its actions, where they are asked for, and how it was classified. */
  actions?: { texts: readonly string[]; state: ClassificationState } | undefined
}

const MISSING_NODE = 'missing node in trace found'
const TOO_LARGE = 'trace is too large'

/** Which node each node was caused by, and the one that stands on top. Nodes without a known cause beside it are dropped. */
const familyOf = (
  nodes: WrittenTrace['nodes'],
): { children: number[][]; root: number | undefined; dropped: number } => {
  const senders = new Map<string, number>()
  nodes.forEach(({ outMsgHashes }, i) => {
    for (const hash of outMsgHashes) senders.set(hash, i)
  })
  const children: number[][] = nodes.map(() => [])
  let root: number | undefined
  let dropped = 0
  nodes.forEach(({ inMsgHash }, i) => {
    const parent = inMsgHash === null ? undefined : senders.get(inMsgHash)
    if (parent !== undefined && parent !== i) children[parent]!.push(i)
    else if (root === undefined) root = i
    else dropped++
  })
  return { children, root, dropped }
}

/** TraceNode of contracts/v3.md 5.5, the one on top, as JSON; undefined where there is none. */
export const traceTreeText = (nodes: WrittenTrace['nodes']): string | undefined => {
  const { children, root } = familyOf(nodes)
  return root === undefined ? undefined : treeText(nodes, children, root)
}

/** TraceNode of contracts/v3.md 5.5 as JSON. Made without recursion: a trace can be thousands of transactions deep. */
const treeText = (nodes: WrittenTrace['nodes'], children: readonly number[][], root: number): string => {
  const parts: string[] = []
  const open = (i: number): void => {
    const { hash, inMsgHash } = nodes[i]!
    const cause = inMsgHash === null ? '' : `"in_msg_hash":${JSON.stringify(inMsgHash)},`
    parts.push(`{"tx_hash":${JSON.stringify(hash)},${cause}"children":[`)
  }
  const stack = [{ node: root, next: 0 }]
  open(root)
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const child = children[top.node]![top.next]
    if (child === undefined) {
      parts.push(']}')
      stack.pop()
      continue
    }
    if (top.next++ > 0) parts.push(',')
    open(child)
    stack.push({ node: child, next: 0 })
  }
  return parts.join('')
}

const header = (
  trace: ShownTrace,
  warning: string | undefined,
  classification_state: ClassificationState = 'unclassified',
): Wire => ({
  trace_id: base64OrNull(trace.root_hash),
  external_hash: base64OrNull(trace.external_hash),
  mc_seqno_start: String(trace.mc_seqno_start),
  mc_seqno_end: String(trace.mc_seqno_end),
  start_lt: String(trace.start_lt),
  start_utime: trace.start_utime,
  end_lt: String(trace.end_lt),
  end_utime: trace.end_utime,
  trace_info: {
    trace_state: trace.state,
    messages: trace.edges,
    transactions: trace.nodes,
    pending_messages: trace.pending_edges,
    classification_state,
  },
  is_incomplete: (trace.is_incomplete ?? trace.state !== 'complete') || warning !== undefined,
  warning,
})

/** Trace of contracts/v3.md 5.5 as JSON. */
export const traceText = (trace: ShownTrace, { nodes, texts, actions }: WrittenTrace): string => {
  const { children, root, dropped } = familyOf(nodes)
  const missing = dropped > 0 || nodes.length < trace.nodes
  const head = goJson(header(trace, missing ? MISSING_NODE : undefined, actions?.state)).slice(0, -1)
  const told = actions ? `,"actions":[${actions.texts.join(',')}]` : ''
  const order = JSON.stringify(nodes.map(({ hash }) => hash))
  const tree = root === undefined ? '' : `,"trace":${treeText(nodes, children, root)}`
  const transactions = nodes.map(({ hash }, i) => [hash, texts[i]!] as const).sort(([a], [b]) => (a < b ? -1 : 1))
  const body = transactions.map(([hash, text]) => `${JSON.stringify(hash)}:${text}`).join(',')
  return `${head}${told}${tree},"transactions_order":${order},"transactions":{${body}}}`
}

/** A trace that is too large for its transactions to be part of the answer. */
export const largeTraceText = (trace: ShownTrace): string => goJson(header(trace, TOO_LARGE))
