import { compareBigints } from '../common/bigint-order.ts'
import { bytesKey } from '../common/bytes-key.ts'
import { unlessMalformed } from '../common/errors.ts'
import { finish } from '../common/steps.ts'
import type { Action } from '../model/action.ts'
import type { BatchTransaction } from '../model/batch.ts'
import type { NoteActions, NotedAction, StoredTrace, StoredTransaction } from '../model/noted-action.ts'
import type { Trace } from '../model/trace.ts'
import { knownTraceTransactions, messageReader, readTraceTransaction } from '../model/trace-transaction.ts'
import { GHOST_MATCHERS, MATCHERS } from './actions/families.ts'
import { type PlainRules, type PlainTrace, type PlainTransaction, plainActions } from './classify/plain.ts'
import type { OnFailure } from './classify.ts'
import { classifyKnown, type KnownSource } from './known-accounts.ts'

/**
 * Which rules there are: raised with every change of matchers that gives any trace other actions, ids, types or accounts.
 * An index notes the actions of its traces again then.
 */
export const ACTION_RULES = 2

const RULES: PlainRules = { matchers: MATCHERS, ghostMatchers: GHOST_MATCHERS }

/** A stored trace in two readings: one that is soon made, and the whole for those of which more must be known. */
interface Readings {
  plain: PlainTrace
  whole(): Trace
}

const plainTransaction = (read: BatchTransaction): PlainTransaction => {
  const { account, id, now, orig_status, end_status, in_msg, out_msgs } = read
  return { account, lt: id.lt, now, orig_status, end_status, in_msg, out_msgs }
}

/** Of a trace with transactions that are to be read from their cells. Throws `malformed`, both. */
const storedReadings = ({ trace_id, transactions }: StoredTrace): Readings => {
  const readMessage = messageReader()
  const whole = ({ workchain, cell }: StoredTransaction) => readTraceTransaction(workchain, cell, readMessage)
  const known = transactions.map((one) => (one.read ? undefined : whole(one)))
  return {
    plain: {
      trace_id,
      transactions: transactions.map((one, place) => known[place] ?? plainTransaction(one.read!)),
    },
    whole: () => ({ trace_id, transactions: transactions.map((one, place) => known[place] ?? whole(one)) }),
  }
}

/** What was just written is not read again for the plain reading, and not all of it for the whole. Throws `malformed`, both. */
const readingsOf = (stored: StoredTrace): Readings => {
  const { trace_id } = stored
  const fresh = stored.transactions.map(({ read }) => read)
  if (!fresh.every((read) => read !== undefined)) return storedReadings(stored)
  return {
    plain: { trace_id, transactions: fresh.map(plainTransaction) },
    whole: () => {
      const transactions = knownTraceTransactions(fresh)
      return transactions ? { trace_id, transactions } : storedReadings(stored).whole()
    },
  }
}

const byEnd = (a: Action, b: Action): number => compareBigints(a.end_lt, b.end_lt) || a.action_id.compare(b.action_id)

/** What is noted of a trace that is classified by what an index knows of its accounts. By end_lt and id, ascending. */
export const classifiedActions = (index: KnownSource, trace: Trace, onFailure?: OnFailure): NotedAction[] => {
  const places = new Map(trace.transactions.map(({ hash }, place) => [bytesKey(hash), place]))
  const { actions } = finish(classifyKnown(index, trace, { onFailure }))
  return actions.sort(byEnd).map(
    ({ action_id, content, ancestor_type, transactions, accounts }): NotedAction => ({
      action_id,
      type: content.type,
      ancestor_type,
      transactions: transactions
        .map((hash) => places.get(bytesKey(hash)))
        .filter((place) => place !== undefined)
        .sort((a, b) => a - b),
      accounts,
    }),
  )
}

/**
 * Tells what stored traces did, by what an index knows of their accounts at that moment. A trace of which a transaction
 * cannot be read is told by nobody.
 * @param onFailure told of what matchers threw
 */
export const actionNoter =
  (index: KnownSource, onFailure?: OnFailure): NoteActions =>
  (stored) => {
    const readings = unlessMalformed(() => readingsOf(stored))
    if (!readings) return []
    const plain = plainActions(readings.plain, RULES, index.entityKinds)
    if (plain) return plain
    const trace = unlessMalformed(readings.whole)
    return trace ? classifiedActions(index, trace, onFailure) : []
  }
