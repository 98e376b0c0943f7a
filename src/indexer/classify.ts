import type { Action, ClassifiedTrace } from '../model/action.ts'
import type { Facts, KnownAccount } from '../model/known-account.ts'
import type { Trace } from '../model/trace.ts'
import type { Address } from '../ton/address.ts'
import { GHOST_MATCHERS, MATCHERS, MENTIONS } from './actions/families.ts'
import { basicParts } from './classify/basic.ts'
import type { Matcher } from './classify/family.ts'
import { actionsOf, distinctAccounts, distinctHashes } from './classify/finish.ts'
import { withGhosts } from './classify/ghosts.ts'
import { rootsOf, type TraceNode } from './classify/node.ts'
import { partsFrom } from './classify/part.ts'
import { runMatchers } from './classify/run.ts'

/** Traces with more transactions are not looked at (contracts/v3.md 14). */
export const MAX_TRANSACTIONS = 4000

/** Told of what a matcher threw: it found something that it does not expect. */
export type OnFailure = (matcher: string, error: unknown) => void

const ignore: OnFailure = () => {}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

const inOrder = (actions: Action[]): Action[] =>
  actions.sort(
    (a, b) => compare(a.start_lt, b.start_lt) || compare(a.end_lt, b.end_lt) || a.action_id.compare(b.action_id),
  )

const fold = (roots: readonly TraceNode[], matchers: readonly Matcher[], facts: Facts, onFailure: OnFailure) => {
  const root = basicParts(roots)
  runMatchers(root, matchers, facts, ({ name }, error) => onFailure(name, error))
  const parts = partsFrom(root)
  return { actions: actionsOf(parts), isBroken: parts.some(({ broken }) => broken === true) }
}

/** What stands for a trace of which nothing else can be told. */
const unknown = ({ trace_id, transactions }: Trace): Action => {
  const [first, ...others] = transactions.map(({ lt, now }) => ({ lt, now }))
  const span = { start_lt: first!.lt, end_lt: first!.lt, start_utime: first!.now, end_utime: first!.now }
  for (const { lt, now } of others) {
    if (lt < span.start_lt) span.start_lt = lt
    if (lt > span.end_lt) span.end_lt = lt
    span.start_utime = Math.min(span.start_utime, now)
    span.end_utime = Math.max(span.end_utime, now)
  }
  return {
    action_id: trace_id,
    content: { type: 'unknown', details: {} },
    columns: {},
    success: transactions.every(({ aborted }) => !aborted),
    ...span,
    transactions: distinctHashes(transactions.map(({ hash }) => hash)),
    accounts: distinctAccounts(transactions.map(({ account }) => account)),
    ancestor_type: [],
    parent_action_id: null,
  }
}

const isLoneTickTock = ({ transactions }: Trace): boolean =>
  transactions.length === 1 && transactions[0]!.descr === 'tick_tock'

/**
 * What a trace did: its messages, folded into actions by the matchers of all families. Depends on the set of transactions
 * only, not on their order. Every transaction is one of some action, but for a trace that is one tick-tock transaction
 * (no action) and one of more than MAX_TRANSACTIONS (`unclassified`). Never throws for what stands in a trace.
 */
export const classify = (trace: Trace, facts: Facts, onFailure: OnFailure = ignore): ClassifiedTrace => {
  const { transactions } = trace
  if (transactions.length > MAX_TRANSACTIONS) return { actions: [], state: 'unclassified' }
  if (transactions.length === 0 || isLoneTickTock(trace)) return { actions: [], state: 'ok' }
  const roots = rootsOf(trace)
  const { actions, isBroken } = fold(roots, MATCHERS, facts, onFailure)
  const state = isBroken ? 'broken' : 'ok'
  if (actions.length > 0) return { actions: inOrder(actions), state }
  const ghosts = roots.length === 1 ? withGhosts(roots[0]!) : undefined
  const intended = ghosts ? fold([ghosts], GHOST_MATCHERS, facts, onFailure).actions : []
  return { actions: intended.length > 0 ? inOrder(intended) : [unknown(trace)], state }
}

/** The nodes of the trees, ghosts among them. */
const nodesOf = (roots: readonly TraceNode[]): TraceNode[] => {
  const nodes = roots.map((root) => withGhosts(root) ?? root)
  for (let i = 0; i < nodes.length; i++) nodes.push(...nodes[i]!.children)
  return nodes
}

/** The accounts of which `classify` may ask what they are: those of the trace, and those that families find in bodies. */
export const accountsToKnow = (trace: Trace): Address[] => {
  if (trace.transactions.length > MAX_TRANSACTIONS) return []
  const nodes = nodesOf(rootsOf(trace))
  return distinctAccounts(
    nodes.flatMap((node) => [
      node.transaction.account,
      node.message?.source,
      node.message?.destination,
      ...MENTIONS.flatMap((mentions) => mentioned(mentions, node)),
    ]),
  )
}

/** Accounts to be known because of what one of the trace is: the item that is for sale there. */
export const furtherAccounts = ({ getgems_sale, getgems_auction }: KnownAccount): Address[] =>
  [getgems_sale, getgems_auction].flatMap((trade) => (trade ? [trade.nft_address] : []))

const mentioned = (mentions: (typeof MENTIONS)[number], node: TraceNode) => {
  try {
    return mentions(node)
  } catch {
    return []
  }
}
