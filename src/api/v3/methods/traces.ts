import type { TraceRecord } from '../../../model/index-records.ts'
import type { TraceTransaction } from '../../../model/trace.ts'
import { messageReader, readTraceTransaction } from '../../../model/trace-transaction.ts'
import type { JsonSchema } from '../../json-schema.ts'
import { SUPPORTED_TYPES } from '../action-params.ts'
import { supportedTypes } from '../action-types.ts'
import { needIndexed } from '../indexed-range.ts'
import { type Answer, type CallContext, type GetMethod, get, type ParamsOf } from '../method.ts'
import { address, flag, hashes, lt, PAGE, refusal, seqno, utime } from '../param.ts'
import { createNames, namesFields } from '../row-page.ts'
import { EVENTS, TRACES } from '../schemas.ts'
import { largeTraceText, traceText } from '../serialize/traces.ts'
import { type TraceActions, traceActions } from '../trace-actions.ts'
import { type TransactionTexts, transactionTexts } from '../transaction-texts.ts'

type Context = CallContext<unknown>

/** Transactions of a trace beyond which it is only told that it is there. */
const MAX_TRACE_TRANSACTIONS = 4000
/** Transactions of all traces of an answer. */
const MAX_TRANSACTIONS = 20_000

const params = {
  account: address({ description: 'An account that has a transaction in it' }),
  trace_id: hashes({ description: 'Any of these: hashes of root transactions' }),
  tx_hash: hashes({ description: 'With any of these transactions' }),
  msg_hash: hashes({ description: 'With any of these messages, normalised or not' }),
  mc_seqno: seqno({ description: 'Complete traces whose last transaction that masterchain block commits' }),
  start_utime: utime({ description: 'Least time of its end' }),
  end_utime: utime({ description: 'Greatest time of its end' }),
  start_lt: lt({ description: 'Least lt of its end' }),
  end_lt: lt({ description: 'Greatest lt of its end' }),
  supported_action_types: SUPPORTED_TYPES,
  ...PAGE,
}

const withActions = (byDefault: boolean) => ({
  ...params,
  include_actions: flag(byDefault, { description: 'Also tell what the traces did' }),
})

type Values = ParamsOf<ReturnType<typeof withActions>>

const validate = ({ account, trace_id, tx_hash, msg_hash }: Values): void => {
  const chosen = [account !== undefined, trace_id.length > 0, tx_hash.length > 0, msg_hash.length > 0]
  if (chosen.filter(Boolean).length > 1)
    throw refusal('only one of account, trace_id, tx_hash, msg_hash should be specified')
}

/** What writes one answer. */
interface Writers {
  transactions: TransactionTexts
  /** Undefined where nobody asked for actions. */
  actions: TraceActions | undefined
}

/** A trace and its transactions, written in slices of time. */
const wholeTrace = async (
  context: Context,
  trace: TraceRecord,
  { transactions, actions }: Writers,
): Promise<string> => {
  const nodes: ReturnType<TransactionTexts['writeNode']>['node'][] = []
  const written: string[] = []
  const told: TraceTransaction[] = []
  const readMessage = messageReader()
  for (const record of context.index().traceTransactions(trace, MAX_TRACE_TRANSACTIONS)) {
    const { text, node } = transactions.writeNode(record)
    nodes.push(node)
    written.push(text)
    if (actions) told.push(readTraceTransaction(record.account.workchain, record.cell, readMessage))
    await context.writer.rest()
  }
  return traceText(trace, { nodes, texts: written, actions: await actions?.(trace, told) })
}

/** The texts of traces one by one; those that no longer fit into the answer are told without their transactions. */
async function* traceTexts(context: Context, records: AsyncIterable<TraceRecord>, writers: Writers) {
  let left = MAX_TRANSACTIONS
  for await (const trace of records) {
    if (trace.nodes > MAX_TRACE_TRANSACTIONS || trace.nodes > left) yield largeTraceText(trace)
    else {
      left -= trace.nodes
      yield await wholeTrace(context, trace, writers)
    }
  }
}

const answerTraces = async (key: string, values: Values, context: Context): Promise<Answer> => {
  const { account, trace_id, tx_hash, msg_hash, limit, offset, sort, cursor, ...rest } = values
  const { include_actions, supported_action_types, ...bounds } = rest
  const { writer, actionsVersion } = context
  const index = context.index()
  needIndexed(index, bounds.mc_seqno)
  const filter = { ...bounds, account, trace_ids: trace_id, tx_hashes: tx_hash, msg_hashes: msg_hash }
  const transactions = transactionTexts(index, context.hasIhrFee)
  const { named, text: write } = createNames()
  const supported = supportedTypes(actionsVersion === undefined ? supported_action_types : [actionsVersion])
  const actions = include_actions ? traceActions(index, supported, writer, write) : undefined
  const { records, end } = writer.records(index.pages.traces(filter, sort), { limit, offset, sort, after: cursor })
  const text = await writer.list(traceTexts(context, records, { transactions, actions }), (trace) => trace)
  const names = await namesFields(context, new Set([...transactions.named, ...named]))
  return { text: `{"${key}":${text},${names}}`, next: end() }
}

/** The list under a name, which is also its key in the answer. */
const listed = (name: 'traces' | 'events', summary: string, result: JsonSchema): GetMethod<unknown> =>
  get({
    name,
    group: 'blockchain',
    summary,
    params: withActions(name === 'events'),
    result,
    errors: { 404: 'masterchain block not found: mc_seqno is not indexed' },
    validate,
    call: (values, context: Context) => answerTraces(name, values, context),
  })

/** Methods that tell of traces (contracts/v3.md 4.5). */
export const traceMethods: readonly GetMethod<unknown>[] = [
  listed(
    'traces',
    'Traces with their transactions, also those that are still under way; by end_lt, or by end_utime where time is filtered',
    TRACES,
  ),
  listed('events', 'As traces, with their actions unless include_actions=false, under the older name', EVENTS),
]
