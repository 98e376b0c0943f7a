import { inTurns } from '../../common/steps.ts'
import { classifyKnown } from '../../indexer/known-accounts.ts'
import type { ClassificationState, ClassifiedTrace } from '../../model/action.ts'
import type { TraceRecord } from '../../model/index-records.ts'
import type { Trace } from '../../model/trace.ts'
import type { IndexReader } from '../../store/queries/index-reader.ts'
import { seenActions } from './action-types.ts'
import type { Row } from './row-page.ts'
import { writeAction } from './serialize/actions.ts'
import type { TextWriter } from './text-writer.ts'

/** The actions of one trace as JSON, by start_lt and end_lt, and how it was classified. */
export interface WrittenActions {
  texts: readonly string[]
  state: ClassificationState
}

/** Tells the actions of the traces of one answer. */
export type TraceActions = (record: TraceRecord, transactions: Trace['transactions']) => Promise<WrittenActions>

/** Classifies a stored trace by what the index knows of its accounts, in slices of time. */
export const classifyRecord = (
  index: IndexReader,
  writer: Pick<TextWriter, 'rest'>,
  { root_hash }: TraceRecord,
  transactions: Trace['transactions'],
): Promise<ClassifiedTrace> => inTurns(classifyKnown(index, { trace_id: root_hash, transactions }), writer.rest)

/**
 * Classifies stored traces for a client that knows the `supported` types, by what the index knows of their accounts.
 * @param write makes JSON of a row and takes the addresses that it names
 */
export const traceActions =
  (
    index: IndexReader,
    supported: ReadonlySet<string>,
    writer: Pick<TextWriter, 'rest'>,
    write: (row: Row) => string,
  ): TraceActions =>
  async (record, transactions) => {
    const { actions, state } = await classifyRecord(index, writer, record, transactions)
    const texts: string[] = []
    for (const action of seenActions(actions, supported)) {
      texts.push(write(writeAction(action, { ...record, trace_id: record.root_hash, finality: 'finalized' })))
      await writer.rest()
    }
    return { texts, state }
  }
