import { compareBigints } from '../common/bigint-order.ts'
import { finish, type Steps } from '../common/steps.ts'
import type { Action, ClassifiedTrace } from '../model/action.ts'
import type { Facts } from '../model/known-account.ts'
import { MAX_CLASSIFIED, type Trace } from '../model/trace.ts'
import { GHOST_MATCHERS, MATCHERS } from './actions/families.ts'
import { basicParts } from './classify/basic.ts'
import type { Matcher } from './classify/family.ts'
import { actionsOf, distinctAccounts, distinctHashes } from './classify/finish.ts'
import { withGhosts } from './classify/ghosts.ts'
import { rootsOf, type TraceNode } from './classify/node.ts'
import { partsFrom } from './classify/part.ts'
import { runMatchers } from './classify/run.ts'

/** Told of what a matcher threw: it found something that it does not expect. */
export type OnFailure = (matcher: string, error: unknown) => void

const ignore: OnFailure = () => {}

const inOrder = (actions: Action[]): Action[] =>
  actions.sort(
    (a, b) =>
      compareBigints(a.start_lt, b.start_lt) || compareBigints(a.end_lt, b.end_lt) || a.action_id.compare(b.action_id),
  )

function* fold(
  roots: readonly TraceNode[],
  matchers: readonly Matcher[],
  facts: Facts,
  onFailure: OnFailure,
): Steps<{ actions: Action[]; isBroken: boolean }> {
  const root = yield* basicParts(roots)
  yield* runMatchers(root, matchers, facts, ({ name }, error) => onFailure(name, error))
  const parts = partsFrom(root)
  return { actions: yield* actionsOf(parts), isBroken: parts.some(({ broken }) => broken === true) }
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
 * What a trace did, found in steps that are short however large it is: its messages, folded into actions by the matchers of all families. Depends on the set of transactions
 * only, not on their order. Every transaction is one of some action, but for a trace that is one tick-tock transaction
 * (no action) and one of more than MAX_CLASSIFIED (`unclassified`). Never throws for what stands in a trace.
 */
export function* classifySteps(trace: Trace, facts: Facts, onFailure: OnFailure = ignore): Steps<ClassifiedTrace> {
  const { transactions } = trace
  if (transactions.length > MAX_CLASSIFIED) return { actions: [], state: 'unclassified' }
  if (transactions.length === 0 || isLoneTickTock(trace)) return { actions: [], state: 'ok' }
  const roots = yield* rootsOf(trace)
  const { actions, isBroken } = yield* fold(roots, MATCHERS, facts, onFailure)
  const state = isBroken ? 'broken' : 'ok'
  if (actions.length > 0) return { actions: inOrder(actions), state }
  const ghosts = roots.length === 1 ? withGhosts(roots[0]!) : undefined
  const intended = ghosts ? (yield* fold([ghosts], GHOST_MATCHERS, facts, onFailure)).actions : []
  return { actions: intended.length > 0 ? inOrder(intended) : [unknown(trace)], state }
}

/** As classifySteps, at once. */
export const classify = (trace: Trace, facts: Facts, onFailure?: OnFailure): ClassifiedTrace =>
  finish(classifySteps(trace, facts, onFailure))
