import { coinsText } from '../../common/coins-text.ts'
import { transactionFailure } from '../../contracts/message-failure.ts'
import { opcodeName } from '../../contracts/opcodes.ts'
import { textComment } from '../../contracts/text-comment.ts'
import { opcodeText } from '../../model/batch-message.ts'
import type { TransactionRecord } from '../../model/index-records.ts'
import type { TraceMessage } from '../../model/trace.ts'
import { readTraceMessage } from '../../model/trace-transaction.ts'
import type { IndexReader } from '../../store/queries/index-reader.ts'
import { type Address, rawAddress } from '../../ton/address.ts'
import { outMsgs, parseTransaction } from '../../ton/tlb/transaction.ts'
import { parseTransactionDescr } from '../../ton/tlb/transaction-descr.ts'
import { type Html, html } from '../html.ts'
import { shortName, timeOfSeconds } from './format.ts'

/** A transaction with those that its messages led to. */
export interface TraceNode {
  readonly account: Address
  readonly hash: Buffer
  readonly now: number
  readonly message: TraceMessage | null
  /** Why it failed, in plain words; null where it did not. */
  readonly failure: string | null
  readonly children: readonly TraceNode[]
}

/** A trace as the index has it. */
export interface ShownTrace {
  readonly root: TraceNode
  readonly count: number
  /** True where it has more transactions than are shown. */
  readonly isCut: boolean
}

/** Transactions of a trace that are shown. */
export const MAX_SHOWN = 200
const MAX_COMMENT = 200

const nodeOf = (
  { account, id, now, cell }: TransactionRecord,
  byMessage: ReadonlyMap<string, TransactionRecord>,
): TraceNode => {
  const transaction = parseTransaction(cell)
  const failure = transactionFailure(parseTransactionDescr(transaction.description))
  const children = Array.from(outMsgs(transaction), (message) => byMessage.get(message.hash().toString('hex')))
  return {
    account,
    hash: id.hash,
    now,
    message: transaction.in_msg && readTraceMessage(transaction.in_msg),
    failure: failure && (failure.code === null ? failure.reason : `${failure.reason} (code ${failure.code})`),
    // A message is older than the transaction that takes it, so that this ends.
    children: children.flatMap((child) => (child && child.id.lt > id.lt ? [nodeOf(child, byMessage)] : [])),
  }
}

/**
 * The trace of this id, its transactions in the order of their messages; undefined where the index does not have it.
 * @throws as IndexReader does
 */
export const readTrace = (index: IndexReader, trace_id: Buffer): ShownTrace | undefined =>
  index.snapshot(() => {
    const [trace] = index.traces({ trace_ids: [trace_id] }, { limit: 1, offset: 0, sort: 'desc' }).records
    if (!trace) return undefined
    const transactions = [...index.traceTransactions(trace, MAX_SHOWN)]
    const root = transactions.find(({ id }) => id.hash.equals(trace_id))
    if (!root) return undefined
    const byMessage = new Map(
      transactions.flatMap((record) => {
        const { in_msg } = parseTransaction(record.cell)
        return in_msg ? [[in_msg.hash().toString('hex'), record] as const] : []
      }),
    )
    return { root: nodeOf(root, byMessage), count: trace.nodes, isCut: trace.nodes > transactions.length }
  })

const whatOf = ({ kind, opcode, body, bounced }: TraceMessage): string => {
  if (bounced) return 'bounced'
  const comment = textComment(body)
  if (comment !== null) return `“${comment.slice(0, MAX_COMMENT)}${comment.length > MAX_COMMENT ? '…' : ''}”`
  if (kind === 'ext_in') return 'external message'
  if (opcode === null) return 'plain transfer'
  return opcodeName(opcode) ?? opcodeText(opcode)
}

/** An account that the reader knows. */
export interface NamedAccount {
  readonly name: string
  /** As it is written elsewhere on the page. */
  readonly address: string
}

interface Naming {
  readonly known: ReadonlyMap<string, NamedAccount>
  /** How the address of any other account is written. */
  shown(address: Address): string
}

const nodeItem = (node: TraceNode, naming: Naming): Html => {
  const { account, message, failure, now, children } = node
  const { name, address } = naming.known.get(rawAddress(account)) ?? { name: 'Account', address: naming.shown(account) }
  return html`<li><div class="node ${failure === null ? 'good' : 'bad'}"><p><strong>${name}</strong> ${shortName(address)}${
    message &&
    message.kind !== 'ext_in' &&
    html` <span class="amount">${coinsText(message.value)} <span class="unit">TON</span></span>`
  }</p><p class="quiet">${message ? whatOf(message) : 'no message'} · ${timeOfSeconds(now)}${
    failure !== null && html` · <span class="failed">failed: ${failure}</span>`
  }</p></div>${children.length > 0 && html`<ul>${children.map((child) => nodeItem(child, naming))}</ul>`}</li>`
}

/**
 * A trace as a list in lists.
 * @param known accounts by their raw address
 * @param shown how the address of any other account is written
 */
export const traceTree = (
  { root, count, isCut }: ShownTrace,
  known: ReadonlyMap<string, NamedAccount>,
  shown: (address: Address) => string,
): Html =>
  html`<ul class="trace">${nodeItem(root, { known, shown })}</ul>${
    isCut && html`<p class="quiet">The first ${MAX_SHOWN} of ${count} transactions.</p>`
  }`
