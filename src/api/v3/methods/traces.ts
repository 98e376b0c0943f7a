import type { TraceRecord } from '../../../model/index-records.ts'
import type { IndexReader } from '../../../store/queries/index-reader.ts'
import type { JsonSchema } from '../../json-schema.ts'
import { needIndexed } from '../indexed-range.ts'
import { type Answer, type CallContext, type GetMethod, get, type ParamsOf } from '../method.ts'
import { address, flag, hashes, lt, PAGE, refusal, seqno, texts, utime } from '../param.ts'
import { namesFields } from '../row-page.ts'
import { EVENTS, TRACES } from '../schemas.ts'
import { largeTraceText, traceText } from '../serialize/traces.ts'
import type { TextWriter } from '../text-writer.ts'
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
  include_actions: flag(false, { description: 'Accepted; no trace is classified yet, so there are no actions' }),
  supported_action_types: texts({ description: 'Accepted; there are no actions yet' }),
  ...PAGE,
}

type Values = ParamsOf<typeof params>

const validate = ({ account, trace_id, tx_hash, msg_hash }: Values): void => {
  const chosen = [account !== undefined, trace_id.length > 0, tx_hash.length > 0, msg_hash.length > 0]
  if (chosen.filter(Boolean).length > 1)
    throw refusal('only one of account, trace_id, tx_hash, msg_hash should be specified')
}

/** A trace and its transactions, written in slices of time. */
const wholeTrace = async (
  index: IndexReader,
  trace: TraceRecord,
  { writeNode }: TransactionTexts,
  writer: TextWriter,
): Promise<string> => {
  const nodes: ReturnType<TransactionTexts['writeNode']>['node'][] = []
  const written: string[] = []
  for (const record of index.traceTransactions(trace, MAX_TRACE_TRANSACTIONS)) {
    const { text, node } = writeNode(record)
    nodes.push(node)
    written.push(text)
    await writer.rest()
  }
  return traceText(trace, { nodes, texts: written })
}

/** The texts of traces one by one; those that no longer fit into the answer are told without their transactions. */
async function* traceTexts(context: Context, records: AsyncIterable<TraceRecord>, texts: TransactionTexts) {
  const index = context.index()
  let left = MAX_TRANSACTIONS
  for await (const trace of records) {
    if (trace.nodes > MAX_TRACE_TRANSACTIONS || trace.nodes > left) yield largeTraceText(trace)
    else {
      left -= trace.nodes
      yield await wholeTrace(index, trace, texts, context.writer)
    }
  }
}

const answerTraces = async (key: string, values: Values, context: Context): Promise<Answer> => {
  const { account, trace_id, tx_hash, msg_hash, limit, offset, sort, cursor, ...rest } = values
  const { include_actions: _, supported_action_types: __, ...bounds } = rest
  const index = context.index()
  needIndexed(index, bounds.mc_seqno)
  const filter = { ...bounds, account, trace_ids: trace_id, tx_hashes: tx_hash, msg_hashes: msg_hash }
  const { writer } = context
  const texts = transactionTexts(index, context.hasIhrFee)
  const { records, end } = writer.records(index.pages.traces(filter, sort), { limit, offset, sort, after: cursor })
  const text = await writer.list(traceTexts(context, records, texts), (trace) => trace)
  return { text: `{"${key}":${text},${await namesFields(context, texts.named)}}`, next: end() }
}

/** The list under a name, which is also its key in the answer. */
const listed = (name: 'traces' | 'events', summary: string, result: JsonSchema): GetMethod<unknown> =>
  get({
    name,
    group: 'blockchain',
    summary,
    params,
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
  listed('events', 'As traces, under the older name', EVENTS),
]
