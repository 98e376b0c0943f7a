import { messageCellsOf } from '../../../model/batch-message.ts'
import type { StateRecord } from '../../../model/index-records.ts'
import { NO_ACCOUNT_STATE } from '../../../model/no-account-state.ts'
import type { ShownTransaction } from '../../../model/shown-trace.ts'
import { rawAddressUpper } from '../../../ton/address.ts'
import { extraCurrencies } from '../../../ton/tlb/currency.ts'
import { parseHashUpdate, parseTransaction } from '../../../ton/tlb/transaction.ts'
import { parseTransactionDescr } from '../../../ton/tlb/transaction-descr.ts'
import type { Wire } from '../go-json.ts'
import { description } from './description.ts'
import { message } from './messages.ts'
import { base64, base64OrNull, blockId, currencies, given } from './scalars.ts'

/** What a transaction's answer takes beside its record. */
export interface TransactionContext {
  hasIhrFee: boolean
  /** A state by the hash of its Account cell. */
  stateByHash(hash: Buffer): StateRecord | undefined
  /** Writes its messages, where not as they are written alone. */
  writeMessage?: typeof message
}

/** A transaction with what traces and address books take from it. */
export interface WrittenTransaction {
  wire: Wire
  hash: string
  inMsgHash: string | null
  outMsgHashes: string[]
  /** Account, source of what came in, destinations of what was sent. */
  addresses: string[]
}

const statusText = (status: string): string => status.replace('acc_state_', '')

const UNKNOWN_STATE = {
  balance: null,
  extra_currencies: null,
  account_status: null,
  frozen_hash: null,
  data_hash: null,
  code_hash: null,
}

const accountState = (hash: Buffer, { stateByHash }: TransactionContext): Wire => {
  const state = stateByHash(hash) ?? (hash.equals(NO_ACCOUNT_STATE.state_hash) ? NO_ACCOUNT_STATE : undefined)
  if (!state) return { hash: base64(hash), ...UNKNOWN_STATE }
  return {
    hash: base64(hash),
    balance: String(state.balance),
    extra_currencies: currencies(state.extra_currencies),
    account_status: state.status,
    frozen_hash: base64OrNull(state.frozen_hash),
    data_hash: base64OrNull(state.data_hash),
    code_hash: base64OrNull(state.code_hash),
  }
}

/** Transaction of contracts/v3.md 5.2. A state that the index has not seen is only known by its hash. Throws `malformed`. */
export const transaction = (record: ShownTransaction, context: TransactionContext): WrittenTransaction => {
  const parsed = parseTransaction(record.cell)
  const update = parseHashUpdate(parsed.state_update)
  const { in_msg, out_msgs } = messageCellsOf(parsed)
  const { writeMessage = message } = context
  const came = in_msg && writeMessage(in_msg, context)
  const sent = out_msgs.map((cell) => writeMessage(cell, context))
  const account = rawAddressUpper(record.account)
  const hash = base64(record.id.hash)
  return {
    hash,
    inMsgHash: in_msg && base64(in_msg.hash()),
    outMsgHashes: out_msgs.map((cell) => base64(cell.hash())),
    addresses: [account, came?.source, ...sent.map(({ destination }) => destination)].filter(
      (address) => address !== null && address !== undefined,
    ),
    wire: {
      account,
      hash,
      lt: String(record.id.lt),
      now: record.now,
      mc_block_seqno: record.mc_seqno,
      trace_id: given(record.trace_id, base64),
      trace_external_hash: given(record.trace_external_hash ?? null, base64),
      prev_trans_hash: base64(parsed.prev_trans_hash),
      prev_trans_lt: String(parsed.prev_trans_lt),
      orig_status: statusText(parsed.orig_status),
      end_status: statusText(parsed.end_status),
      total_fees: String(parsed.total_fees.grams),
      total_fees_extra_currencies: currencies(extraCurrencies(parsed.total_fees.other)),
      description: description(parseTransactionDescr(parsed.description)),
      block_ref: blockId(record.block),
      in_msg: came?.wire ?? null,
      out_msgs: sent.map(({ wire }) => wire),
      account_state_before: accountState(update.old_hash, context),
      account_state_after: accountState(update.new_hash, context),
      emulated: record.emulated ?? false,
      finality: record.emulated ? 'pending' : 'finalized',
    },
  }
}
