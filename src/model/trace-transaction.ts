import { bytesKey } from '../common/bytes-key.ts'
import type { Cell } from '../ton/cell.ts'
import { type CommonMsgInfo, parseMessage } from '../ton/tlb/message.ts'
import {
  outMsgs,
  parseTransaction,
  parseTransactionDescription,
  parseTransactionMessages,
} from '../ton/tlb/transaction.ts'
import { parseTransactionDescr, type TransactionDescr } from '../ton/tlb/transaction-descr.ts'
import { accountStatus } from './account.ts'
import type { BatchMessage, BatchTransaction } from './batch.ts'
import { headOf, opcodeOf } from './batch-message.ts'
import { readExtraCurrencies } from './extra-currency.ts'
import type { TraceMessage, TraceTransaction } from './trace.ts'

const DESCR: Record<TransactionDescr['_'], TraceTransaction['descr']> = {
  trans_ord: 'ord',
  trans_tick_tock: 'tick_tock',
  trans_storage: 'storage',
  trans_split_prepare: 'split_prepare',
  trans_split_install: 'split_install',
  trans_merge_prepare: 'merge_prepare',
  trans_merge_install: 'merge_install',
}

type Amounts = Pick<TraceMessage, 'value' | 'extra_currencies' | 'bounce' | 'bounced'>

const noAmounts = (): Amounts => ({ value: 0n, extra_currencies: [], bounce: false, bounced: false })

const amountsOf = (info: CommonMsgInfo): Amounts => {
  if (info._ !== 'int_msg_info') return noAmounts()
  const { value, bounce, bounced } = info
  return { value: value.grams, extra_currencies: readExtraCurrencies(value.other), bounce, bounced }
}

/** Reads a message from its cell (TL-B Message Any). Throws `malformed`. */
export const readTraceMessage = (cell: Cell): TraceMessage => {
  const { info, init, body } = parseMessage(cell)
  return { ...headOf(info), hash: cell.hash(), ...amountsOf(info), opcode: opcodeOf(body), body, init }
}

type Outcome = Pick<TraceTransaction, 'descr' | 'aborted' | 'skipped' | 'exit_code'>

const outcomeOf = (description: Cell): Outcome => {
  const descr = parseTransactionDescr(description)
  const phase = 'compute_ph' in descr ? descr.compute_ph : undefined
  return {
    descr: DESCR[descr._],
    aborted: 'aborted' in descr && descr.aborted,
    skipped: phase?._ === 'tr_phase_compute_skipped' ? phase.reason : null,
    exit_code: phase?._ === 'tr_phase_compute_vm' ? phase.exit_code : null,
  }
}

const byCreatedLt = (a: TraceMessage, b: TraceMessage): number => {
  const [x, y] = [a.created_lt ?? 0n, b.created_lt ?? 0n]
  return x < y ? -1 : x > y ? 1 : 0
}

/** Reads a message from its cell. */
type ReadMessage = (cell: Cell) => TraceMessage

/** As readTraceMessage, each message once: both of its sides are given the same. */
export const messageReader = (): ReadMessage => {
  const known = new Map<string, TraceMessage>()
  return (cell) => known.getOrInsertComputed(cell.hash().toString('latin1'), () => readTraceMessage(cell))
}

/**
 * Reads a transaction from its cell, which does not name the workchain of its account. Throws `malformed`.
 * @param read reads its messages
 */
export const readTraceTransaction = (
  workchain: number,
  cell: Cell,
  read: ReadMessage = readTraceMessage,
): TraceTransaction => {
  const transaction = parseTransaction(cell)
  return {
    account: { workchain, hash: transaction.account_addr },
    hash: cell.hash(),
    lt: transaction.lt,
    now: transaction.now,
    orig_status: accountStatus(transaction.orig_status),
    end_status: accountStatus(transaction.end_status),
    ...outcomeOf(transaction.description),
    in_msg: transaction.in_msg && read(transaction.in_msg),
    out_msgs: Array.from(outMsgs(transaction), read).sort(byCreatedLt),
  }
}

/** A message to the outside as a batch has it: it carries no state of an account. */
const eventOf = ({
  kind,
  hash,
  source,
  destination,
  created_lt,
  created_at,
  opcode,
  body,
}: BatchMessage): TraceMessage => ({
  ...{ kind, hash, source, destination, created_lt, created_at, opcode, body },
  ...noAmounts(),
  init: null,
})

/**
 * As readTraceTransaction of each transaction of a trace that is read for the index already, for two thirds of the work.
 * Undefined where one sent a message that none of them took: it stands in that transaction's cell alone. Throws
 * `malformed`.
 */
export const knownTraceTransactions = (known: readonly BatchTransaction[]): TraceTransaction[] | undefined => {
  const taken = known.map(({ cell }) => {
    const { in_msg } = parseTransactionMessages(cell)
    return in_msg && readTraceMessage(in_msg)
  })
  const byHash = new Map(taken.flatMap((message) => (message ? [[bytesKey(message.hash), message]] : [])))
  const told: TraceTransaction[] = []
  for (const [i, { account, id, now, orig_status, end_status, cell, out_msgs }] of known.entries()) {
    const sent = out_msgs.map((one) => (one.kind === 'ext_out' ? eventOf(one) : byHash.get(bytesKey(one.hash))))
    if (!sent.every((message) => message !== undefined)) return undefined
    told.push({
      ...{ account, hash: id.hash, lt: id.lt, now, orig_status, end_status },
      ...outcomeOf(parseTransactionDescription(cell)),
      in_msg: taken[i]!,
      out_msgs: sent,
    })
  }
  return told
}
