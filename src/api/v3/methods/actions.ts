import { bytesKey } from '../../../common/bytes-key.ts'
import { TonlithError } from '../../../common/errors.ts'
import type { Action } from '../../../model/action.ts'
import type { ActionRecord, TraceRecord, TransactionRecord } from '../../../model/index-records.ts'
import { messageReader, readTraceTransaction } from '../../../model/trace-transaction.ts'
import { actionTypes, INCLUDE_TRANSACTIONS, SUPPORTED_TYPES } from '../action-params.ts'
import { supportedTypes } from '../action-types.ts'
import { needIndexed } from '../indexed-range.ts'
import { type CallContext, type GetMethod, get } from '../method.ts'
import { address, flag, hashes, lt, PAGE, seqno, utime } from '../param.ts'
import { createNames, namesFields } from '../row-page.ts'
import { ACTIONS } from '../schemas.ts'
import { withTransactions, writeAction } from '../serialize/actions.ts'
import { classifyRecord } from '../trace-actions.ts'
import { type TransactionTexts, transactionTexts } from '../transaction-texts.ts'

type Context = CallContext<unknown>

/** Transactions of all traces whose actions one answer tells. */
const MAX_TRANSACTIONS = 40_000
/** Of one trace: those that have more are not classified. */
const MAX_TRACE_TRANSACTIONS = 4000

/** A trace whose actions are told. */
interface OpenTrace {
  record: TraceRecord
  actions: readonly Action[]
  transactions: readonly TransactionRecord[]
}

/** Reads and classifies traces; the one that was asked for last is kept: its actions follow each other. */
const openTraces = (context: Context) => {
  const index = context.index()
  let last: OpenTrace | undefined
  let left = MAX_TRANSACTIONS
  return async (record: TraceRecord): Promise<OpenTrace> => {
    if (last?.record.root_hash.equals(record.root_hash)) return last
    left -= record.nodes
    if (left < 0)
      throw new TonlithError('limit', 'the traces of these actions have too many transactions: ask with a lower limit')
    const transactions: TransactionRecord[] = []
    for (const each of index.traceTransactions(record, MAX_TRACE_TRANSACTIONS)) {
      transactions.push(each)
      await context.writer.rest()
    }
    const readMessage = messageReader()
    const told = transactions.map(({ account, cell }) => readTraceTransaction(account.workchain, cell, readMessage))
    const { actions } = await classifyRecord(index, context.writer, record, told)
    last = { record, actions, transactions }
    return last
  }
}

/** The texts of an action's transactions, by lt. */
const fullTransactions = (action: Action, { transactions }: OpenTrace, texts: TransactionTexts): string[] => {
  const own = new Set(action.transactions.map(bytesKey))
  return transactions.filter(({ id }) => own.has(bytesKey(id.hash))).map(texts.write)
}

const actions = get({
  name: 'actions',
  group: 'blockchain',
  summary:
    'What traces did: their actions, by the end of the trace, and within it by their own. Every filter that is given must hold',
  params: {
    account: address({ description: 'An account in whose feed it stands' }),
    tx_hash: hashes({ description: 'With any of these transactions' }),
    msg_hash: hashes({ description: 'With the transaction of any of these messages, normalised or not' }),
    action_id: hashes({ description: 'Any of these' }),
    trace_id: hashes({ description: 'Of any of these traces' }),
    mc_seqno: seqno({ description: 'Of traces whose last transaction that masterchain block commits' }),
    start_utime: utime({ description: 'Least time of the end of its trace' }),
    end_utime: utime({ description: 'Greatest time of the end of its trace' }),
    start_lt: lt({ description: 'Least lt of the end of its trace' }),
    end_lt: lt({ description: 'Greatest lt of the end of its trace' }),
    action_type: actionTypes('Any of these types, known to the client or not'),
    exclude_action_type: actionTypes('None of these types'),
    supported_action_types: SUPPORTED_TYPES,
    include_accounts: flag(false, { description: 'Adds the accounts in whose feed each stands' }),
    include_transactions: INCLUDE_TRANSACTIONS,
    ...PAGE,
  },
  result: ACTIONS,
  errors: { 404: 'masterchain block not found: mc_seqno is not indexed' },
  call: async (values, context: Context) => {
    const { limit, offset, sort, cursor, include_accounts, include_transactions, ...filters } = values
    const { account, tx_hash, msg_hash, action_id, trace_id, action_type, exclude_action_type, ...rest } = filters
    const { supported_action_types, ...bounds } = rest
    const { writer, actionsVersion } = context
    const index = context.index()
    needIndexed(index, bounds.mc_seqno)
    const filter = {
      ...bounds,
      account,
      tx_hashes: tx_hash,
      msg_hashes: msg_hash,
      action_ids: action_id,
      trace_ids: trace_id,
      types: action_type,
      exclude_types: exclude_action_type,
      supported: supportedTypes(actionsVersion === undefined ? supported_action_types : [actionsVersion]),
    }
    const open = openTraces(context)
    const texts = transactionTexts(index, context.hasIhrFee)
    const { named, text: write } = createNames()
    const written = async function* (records: AsyncIterable<ActionRecord>) {
      for await (const { trace: record, id } of records) {
        const trace = await open(record)
        const action = trace.actions.find(({ action_id }) => action_id.subarray(0, id.length).equals(id))
        if (!action) continue
        const about = { ...record, trace_id: record.root_hash, finality: 'finalized' } as const
        const text = write(writeAction(action, about, include_accounts))
        yield include_transactions ? withTransactions(text, fullTransactions(action, trace, texts)) : text
        await writer.rest()
      }
    }
    const { records, end } = writer.records(index.pages.actions(filter, sort), { limit, offset, sort, after: cursor })
    const text = await writer.list(written(records), (action) => action)
    const names = await namesFields(context, new Set([...named, ...texts.named]))
    return { text: `{"actions":${text},${names}}`, next: end() }
  },
})

/** Methods that tell of actions (contracts/v3.md 4.5). */
export const actionMethods: readonly GetMethod<unknown>[] = [actions]
