import { type Address, compareAddresses, rawAddress } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse } from '../ton/slice.ts'
import { loadShardAccount } from '../ton/tlb/account.ts'
import { parseMessageInfo } from '../ton/tlb/message.ts'
import { parseTransaction } from '../ton/tlb/transaction.ts'
import { type Account, readAccountCell } from './account.ts'
import { messageCells, otherNormOf } from './batch-message.ts'
import type { EmulatedTrace, EmulatedTransaction } from './emulated-trace.ts'
import type { StateRecord, TraceRecord, TransactionRecord } from './index-records.ts'
import { NO_TRANSACTION } from './transaction-id.ts'

/** A transaction as answers show it, whether it happened or not. */
export interface ShownTransaction extends Omit<TransactionRecord, 'trace_id'> {
  /** Null while the root of the trace has not happened. */
  trace_id: Buffer | null
  /** Hash of the message that began the trace, where that is told beside each transaction. */
  trace_external_hash?: Buffer
  /** True where it has not happened. */
  emulated?: boolean
}

/** What answers tell of a trace beside its transactions. */
export interface ShownTrace extends Omit<TraceRecord, 'root' | 'root_hash'> {
  /** Null while the root has not happened. */
  root_hash: Buffer | null
  /** Whether something of it is missing; left out where its state tells. */
  is_incomplete?: boolean
}

/** A trace that has not happened, or not wholly, as answers show it. Its accounts are not part of it. */
export interface PendingView {
  trace: ShownTrace
  /** Of the network when it was emulated; undefined while it was not. */
  global_version: number | undefined
  /** By lt, then workchain and account. */
  transactions: ShownTransaction[]
  /** States before and after its transactions by the hash (hex) of the Account's cell. */
  states: ReadonlyMap<string, StateRecord>
  /** Those that have code, as the trace first finds them or makes them. */
  contracts: readonly EmulatedContract[]
}

/** A contract as it is in a trace. */
export interface EmulatedContract extends Pick<Account, 'address' | 'balance' | 'extra_currencies' | 'data'> {
  code: Cell
}

const accountOf = (entry: Cell): Cell => loadShardAccount(beginParse(entry)).account

const stateOf = (address: Address, account: Cell): StateRecord => {
  const { status, balance, extra_currencies, frozen_hash, code, data } = readAccountCell(
    address,
    account,
    NO_TRANSACTION,
  )
  return {
    state_hash: account.hash(),
    status,
    balance,
    extra_currencies: extra_currencies.map(({ id, amount }) => [id, amount]),
    frozen_hash,
    code_hash: code?.hash() ?? null,
    data_hash: data?.hash() ?? null,
  }
}

const statesOf = (transactions: readonly EmulatedTransaction[]): Map<string, StateRecord> => {
  const states = new Map<string, StateRecord>()
  for (const { account, before, after } of transactions)
    for (const entry of [before, after]) {
      const cell = accountOf(entry)
      states.getOrInsertComputed(cell.hash().toString('hex'), () => stateOf(account, cell))
    }
  return states
}

const contractsOf = (transactions: readonly EmulatedTransaction[]): EmulatedContract[] => {
  const found = new Map<string, EmulatedContract>()
  for (const { account, before, after } of transactions)
    for (const entry of [before, after]) {
      const name = rawAddress(account)
      if (found.has(name)) continue
      const { code, ...others } = readAccountCell(account, accountOf(entry), NO_TRANSACTION)
      if (code) found.set(name, { ...others, code })
    }
  return [...found.values()]
}

const inOrder = (a: ShownTransaction, b: ShownTransaction): number =>
  (a.id.lt < b.id.lt ? -1 : a.id.lt > b.id.lt ? 1 : 0) || compareAddresses(a.account, b.account)

const nameOf = (cell: Cell): string => cell.hash().toString('latin1')

/** What the messages of transactions come to: those that arrived or left the chain, and those under way. */
const edgesOf = (transactions: readonly ShownTransaction[]): { edges: number; pending_edges: number } => {
  const messages = transactions.map(({ cell }) => messageCells(cell))
  const taken = new Set(messages.flatMap(({ in_msg }) => (in_msg ? nameOf(in_msg) : [])))
  const sent = messages.flatMap(({ out_msgs }) => out_msgs).filter((message) => !taken.has(nameOf(message)))
  const underWay = sent.filter((message) => parseMessageInfo(message)._ === 'int_msg_info')
  return { edges: taken.size + sent.length - underWay.length, pending_edges: underWay.length }
}

/** A trace of which nothing is known but its message. */
const bare = (message: Cell): ShownTrace => ({
  root_hash: null,
  external_hash: message.hash(),
  external_hash_norm: otherNormOf(message),
  state: 'pending',
  nodes: 0,
  edges: 0,
  pending_edges: 1,
  start_lt: 0n,
  end_lt: 0n,
  start_utime: 0,
  end_utime: 0,
  mc_seqno_start: 0,
  mc_seqno_end: 0,
  is_incomplete: true,
})

/** What answers show of a message that was sent, and of what is going to follow from it, where that is known. */
export const pendingView = (message: Cell, emulated: EmulatedTrace | undefined): PendingView => {
  const trace = bare(message)
  const made = emulated?.transactions ?? []
  const [root] = made
  const global_version = emulated?.global_version
  if (!root) return { trace, global_version, transactions: [], states: new Map(), contracts: [] }
  const root_hash = root.emulated ? null : root.cell.hash()
  const transactions = made
    .map(({ account, cell, shard, mc_seqno, emulated }): ShownTransaction => {
      const { lt, now } = parseTransaction(cell)
      return {
        account,
        id: { lt, hash: cell.hash() },
        now,
        block: { workchain: account.workchain, shard, seqno: 0 },
        mc_seqno,
        trace_id: root_hash,
        trace_external_hash: message.hash(),
        emulated,
        cell,
      }
    })
    .sort(inOrder)
  const last = transactions.at(-1)!
  return {
    trace: {
      ...trace,
      root_hash,
      nodes: transactions.length,
      ...edgesOf(transactions),
      start_lt: transactions[0]!.id.lt,
      end_lt: last.id.lt,
      start_utime: Math.min(...transactions.map(({ now }) => now)),
      end_utime: Math.max(...transactions.map(({ now }) => now)),
      mc_seqno_start: root.emulated ? 0 : root.mc_seqno,
      mc_seqno_end: Math.max(...transactions.map(({ mc_seqno }) => mc_seqno)),
      is_incomplete: emulated?.is_incomplete ?? true,
    },
    global_version,
    transactions,
    states: statesOf(made),
    contracts: contractsOf(made),
  }
}
