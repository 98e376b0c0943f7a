import { isTonlithError } from '../common/errors.ts'
import { finish } from '../common/steps.ts'
import type { Action } from '../model/action.ts'
import type { NoteActions, NotedAction, StoredTrace } from '../model/noted-action.ts'
import type { Trace } from '../model/trace.ts'
import { messageReader, readTraceTransaction } from '../model/trace-transaction.ts'
import { MATCHERS } from './actions/families.ts'
import { type PlainTransaction, plainActions } from './classify/plain.ts'
import type { OnFailure } from './classify.ts'
import { classifyKnown, type KnownSource } from './known-accounts.ts'

/**
 * Which rules there are: raised with every change of matchers that gives any trace other actions, ids, types or accounts.
 * An index notes the actions of its traces again then.
 */
export const ACTION_RULES = 2

/** Null where a transaction cannot be read: such a trace is told by nobody. */
const readable = <T>(read: () => T): T | null => {
  try {
    return read()
  } catch (error) {
    if (isTonlithError(error, 'malformed')) return null
    throw error
  }
}

const readTrace = ({ trace_id, transactions }: StoredTrace): Trace => {
  const read = messageReader()
  return {
    trace_id,
    transactions: transactions.map(({ workchain, cell }) => readTraceTransaction(workchain, cell, read)),
  }
}

/** What was just written is not read again. */
const plainTransaction = ({ workchain, cell, read }: StoredTrace['transactions'][number]): PlainTransaction =>
  read ? { ...read, lt: read.id.lt } : readTraceTransaction(workchain, cell)

const nameOf = (hash: Buffer): string => hash.toString('latin1')

const byEnd = (a: Action, b: Action): number =>
  a.end_lt < b.end_lt ? -1 : a.end_lt > b.end_lt ? 1 : a.action_id.compare(b.action_id)

/**
 * Tells what stored traces did, by what an index knows of their accounts at that moment.
 * @param onFailure told of what matchers threw
 */
export const actionNoter =
  (index: KnownSource, onFailure?: OnFailure): NoteActions =>
  (stored) => {
    const plain = readable(() => plainActions(stored.transactions.map(plainTransaction), MATCHERS, index.entityKinds))
    if (plain === null) return []
    if (plain) return plain
    const trace = readable(() => readTrace(stored))
    if (!trace) return []
    const places = new Map(trace.transactions.map(({ hash }, place) => [nameOf(hash), place]))
    const { actions } = finish(classifyKnown(index, trace, { onFailure }))
    return actions.sort(byEnd).map(
      ({ action_id, content, ancestor_type, transactions, accounts }): NotedAction => ({
        action_id,
        type: content.type,
        ancestor_type,
        transactions: transactions
          .map((hash) => places.get(nameOf(hash)))
          .filter((place) => place !== undefined)
          .sort((a, b) => a - b),
        accounts,
      }),
    )
  }
