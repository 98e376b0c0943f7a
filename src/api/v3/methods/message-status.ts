import type { Chain } from '../../../chain/chain.ts'
import { type MessageFailure, transactionFailure } from '../../../contracts/message-failure.ts'
import type { MessageRecord, TransactionRecord } from '../../../model/index-records.ts'
import type { IndexReader } from '../../../store/queries/index-reader.ts'
import type { Cell } from '../../../ton/cell.ts'
import { normalizedMessageHash } from '../../../ton/message-hash.ts'
import { parseMessageInfo } from '../../../ton/tlb/message.ts'
import { parseTransaction } from '../../../ton/tlb/transaction.ts'
import { parseTransactionDescr } from '../../../ton/tlb/transaction-descr.ts'
import { goJson, type Wire } from '../go-json.ts'
import { type CallContext, type GetMethod, get } from '../method.ts'
import { anyHash, required } from '../param.ts'
import { MESSAGE_STATUS } from '../schemas.ts'
import { base64OrNull } from '../serialize/scalars.ts'

type Context = CallContext<Chain>

/** What is known of a message. */
interface Status {
  status: 'unknown' | 'pending' | 'included' | 'finalised' | 'failed'
  msg_hash: Buffer | null
  msg_hash_norm: Buffer | null
  transaction?: { hash: Buffer; lt: bigint; mc_seqno: number | null; trace_id: Buffer | null }
  failure?: MessageFailure | null
}

const ONE = { limit: 1, offset: 0, sort: 'asc' } as const

const failureOf = (transaction: Cell): MessageFailure | null =>
  transactionFailure(parseTransactionDescr(parseTransaction(transaction).description))

/** Of a message that a transaction in the index took. */
const taken = (index: IndexReader, { cell }: MessageRecord, record: TransactionRecord): Status => {
  const [trace] = index.traces({ tx_hashes: [record.id.hash] }, ONE).records
  const failure = failureOf(record.cell)
  return {
    status: failure ? 'failed' : trace?.state === 'pending' ? 'included' : 'finalised',
    msg_hash: cell.hash(),
    msg_hash_norm: normalizedMessageHash(cell),
    transaction: { hash: record.id.hash, lt: record.id.lt, mc_seqno: record.mc_seqno, trace_id: record.trace_id },
    failure,
  }
}

/** Of a message that was sent, and that no transaction took: under way, or out of the chain. */
const sent = ({ cell }: MessageRecord, sender: TransactionRecord | undefined): Status => {
  const { trace_id = null } = sender ?? {}
  const isOut = parseMessageInfo(cell)._ === 'ext_out_msg_info'
  const transaction = sender && { hash: sender.id.hash, lt: sender.id.lt, mc_seqno: sender.mc_seqno, trace_id }
  return {
    status: isOut ? 'finalised' : 'pending',
    msg_hash: cell.hash(),
    msg_hash_norm: normalizedMessageHash(cell),
    ...(isOut && transaction && { transaction }),
  }
}

const inIndex = (index: IndexReader, wanted: Buffer): Status | undefined =>
  index.snapshot(() => {
    const [message] = index.messages({ hashes: [wanted] }, ONE).records
    if (!message) return undefined
    const { in_tx, out_tx } = message
    const [taker] = in_tx ? index.transactions({ hashes: [in_tx] }, ONE).records : []
    if (taker) return taken(index, message, taker)
    const [sender] = out_tx ? index.transactions({ hashes: [out_tx] }, ONE).records : []
    return sent(message, sender)
  })

/** Of an external message that was sent through this gateway. */
const inStore = ({ chain }: Context, wanted: Buffer): Status | undefined => {
  const pending = chain.pending?.byHash(wanted)
  if (!pending) {
    const ended = chain.pending?.ended(wanted)
    return ended && { status: 'failed', msg_hash: ended.hash, msg_hash_norm: ended.hash_norm, failure: ended.failure }
  }
  const about = { msg_hash: pending.hash, msg_hash_norm: pending.hash_norm }
  if (!pending.included) return { status: 'pending', ...about }
  const { cell } = pending.included
  const failure = failureOf(cell)
  const transaction = { hash: cell.hash(), lt: parseTransaction(cell).lt, mc_seqno: null, trace_id: cell.hash() }
  return { status: failure ? 'failed' : 'included', ...about, transaction, failure }
}

const failureWire = ({ phase, code, reason }: MessageFailure): Wire => ({ phase, code, reason })

const statusWire = ({ status, msg_hash, msg_hash_norm, transaction, failure }: Status): Wire => ({
  status,
  msg_hash: base64OrNull(msg_hash),
  msg_hash_norm: base64OrNull(msg_hash_norm),
  transaction_hash: base64OrNull(transaction?.hash ?? null),
  lt: transaction ? String(transaction.lt) : null,
  mc_block_seqno: transaction?.mc_seqno ?? null,
  trace_id: base64OrNull(transaction?.trace_id ?? null),
  failure: failure ? failureWire(failure) : null,
})

const messageStatus = get({
  name: 'messageStatus',
  group: 'blockchain',
  summary:
    'What became of a message: one that was sent through this gateway within the last ten minutes, or any that the index knows; and in plain words why it failed',
  params: {
    msg_hash: required(
      anyHash({ description: 'Hash of the message, normalised or not, in hex or either base64, padded or not' }),
      'msg_hash is required',
    ),
  },
  needsIndex: false,
  result: MESSAGE_STATUS,
  call: ({ msg_hash }, context: Context) => {
    const indexed = context.hasIndex ? inIndex(context.index(), msg_hash) : undefined
    const found = indexed ?? inStore(context, msg_hash)
    return { text: goJson(statusWire(found ?? { status: 'unknown', msg_hash: null, msg_hash_norm: null })) }
  },
})

/** What became of a message; contracts/v3.md has no such method. */
export const messageStatusMethods: readonly GetMethod<Chain>[] = [messageStatus]
