import type { AccountStatus } from '../model/account.ts'
import type { StateRecord } from '../model/index-records.ts'
import type { TraceRow, TraceState, TransactionKey } from '../model/trace-changes.ts'
import type { TransactionId } from '../model/transaction-id.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import { blockKey, readBlockKey } from './keys.ts'
import { cutShort, type RowReader, type RowWriter, readRow, rowWriter, uintAt } from './row-bytes.ts'

/**
 * Values of the tables. Their form belongs to the format number of the environment: a change of one is a new number.
 */

/** Value of `blocks`. */
export interface BlockRow {
  mc_seqno: number
  /** Place among the blocks that `mc_seqno` commits. */
  position: number
  global_id: number
  tx_count: number
  root_hash: Buffer
  file_hash: Buffer
  rand_seed: Buffer
  created_by: Buffer
  /** BoC of TL-B BlockInfo. */
  info: Buffer
}

export const encodeBlock = (row: BlockRow): Buffer =>
  rowWriter()
    .u32(row.mc_seqno)
    .u16(row.position)
    .i32(row.global_id)
    .u32(row.tx_count)
    .bytes(row.root_hash)
    .bytes(row.file_hash)
    .bytes(row.rand_seed)
    .bytes(row.created_by)
    .bytes(row.info)
    .end()

export const decodeBlock = (bytes: Buffer): BlockRow =>
  readRow('blocks', bytes, (row) => ({
    mc_seqno: row.u32(),
    position: row.u16(),
    global_id: row.i32(),
    tx_count: row.u32(),
    root_hash: row.bytes(32),
    file_hash: row.bytes(32),
    rand_seed: row.bytes(32),
    created_by: row.bytes(32),
    info: row.rest(),
  }))

/** Value of `transactions`: what filters need of one; its cell is in `tx_cells`. */
export interface TransactionRow extends CellPlace {
  /** Interned address of the account. */
  account: number
  lt: bigint
  now: number
  /** Place of its block among the blocks that the masterchain block commits. */
  position: number
  hash: Buffer
}

/** Where the cell of a transaction is found: in a group of cells (transaction-cells.ts). */
export interface CellPlace {
  /** How many cells stand before it in its group. */
  place: number
  /** How far it stands behind the first of its group, by index: `place`, where no transaction between them was left out. */
  distance: number
}

/** A distance that is the place is left out: it costs nothing where everything is kept. */
export const encodeTransaction = (row: TransactionRow): Buffer => {
  const writer = rowWriter().u32(row.account).u64(row.lt).u32(row.now).u16(row.position).u16(row.place).bytes(row.hash)
  return (row.distance === row.place ? writer : writer.u32(row.distance)).end()
}

const TRANSACTION_SIZE = 52
const HASH_AT = 20

/** Read by hand, as it is the row that lists read most. Throws `malformed`. */
export const decodeTransaction = (bytes: Buffer): TransactionRow => {
  const size = bytes.length
  if (size < TRANSACTION_SIZE || (size > TRANSACTION_SIZE && size < TRANSACTION_SIZE + 4))
    throw cutShort('transactions')
  const hash = Buffer.allocUnsafe(32)
  bytes.copy(hash, 0, HASH_AT, TRANSACTION_SIZE)
  const place = bytes.readUInt16BE(18)
  return {
    account: bytes.readUInt32BE(0),
    lt: bytes.readBigUInt64BE(4),
    now: bytes.readUInt32BE(12),
    position: bytes.readUInt16BE(16),
    place,
    hash,
    distance: size > TRANSACTION_SIZE ? bytes.readUInt32BE(TRANSACTION_SIZE) : place,
  }
}

const STATUSES: readonly AccountStatus[] = ['nonexist', 'uninit', 'active', 'frozen']
const HAS_FROZEN = 4
const HAS_CODE = 8
const HAS_DATA = 16

/** Value of `account_states`: a StateRecord without the hash that is its key. */
export type StateRow = Omit<StateRecord, 'state_hash'>

const writeState = (writer: RowWriter, state: StateRow): RowWriter => {
  const { frozen_hash, code_hash, data_hash } = state
  const present = (frozen_hash ? HAS_FROZEN : 0) | (code_hash ? HAS_CODE : 0) | (data_hash ? HAS_DATA : 0)
  writer.u8(STATUSES.indexOf(state.status) | present).uint(state.balance)
  writer.u16(state.extra_currencies.length)
  for (const [id, amount] of state.extra_currencies) writer.u32(id).uint(amount)
  for (const hash of [frozen_hash, code_hash, data_hash]) if (hash) writer.bytes(hash)
  return writer
}

const readState = (row: RowReader): StateRow => {
  const head = row.u8()
  const balance = row.uint()
  const extra_currencies = Array.from({ length: row.u16() }, (): [number, bigint] => [row.u32(), row.uint()])
  return {
    status: STATUSES[head & 3]!,
    balance,
    extra_currencies,
    frozen_hash: head & HAS_FROZEN ? row.bytes(32) : null,
    code_hash: head & HAS_CODE ? row.bytes(32) : null,
    data_hash: head & HAS_DATA ? row.bytes(32) : null,
  }
}

export const encodeState = (state: StateRow): Buffer => writeState(rowWriter(), state).end()

export const decodeState = (bytes: Buffer): StateRow => readRow('account_states', bytes, readState)

/** Value of `accounts`: the latest state of an account. */
export interface AccountRow extends StateRecord {
  last_transaction: TransactionId
  mc_seqno: number
  /** False where the cells of the data were nowhere to be had. */
  data_held: boolean
}

export const encodeAccount = (row: AccountRow): Buffer =>
  writeState(
    rowWriter()
      .u32(row.mc_seqno)
      .u8(row.data_held ? 1 : 0)
      .u64(row.last_transaction.lt)
      .bytes(row.last_transaction.hash)
      .bytes(row.state_hash),
    row,
  ).end()

export const decodeAccount = (bytes: Buffer): AccountRow =>
  readRow('accounts', bytes, (row) => ({
    mc_seqno: row.u32(),
    data_held: row.u8() === 1,
    last_transaction: { lt: row.u64(), hash: row.bytes(32) },
    state_hash: row.bytes(32),
    ...readState(row),
  }))

const TRACE_STATES: readonly TraceState[] = ['complete', 'pending', 'broken']
const HAS_EXTERNAL = 4
const HAS_NORM = 8

/** Value of `traces`; the root's place is its key. */
export const encodeTrace = (trace: TraceRow): Buffer => {
  const { external_hash, external_hash_norm } = trace
  const writer = rowWriter()
    .u8(TRACE_STATES.indexOf(trace.state) | (external_hash ? HAS_EXTERNAL : 0) | (external_hash_norm ? HAS_NORM : 0))
    .bytes(trace.root_hash)
    .uint(BigInt(trace.nodes))
    .uint(BigInt(trace.edges))
    .uint(BigInt(trace.pending_edges))
    .u64(trace.start_lt)
    .uint(trace.end_lt - trace.start_lt)
    .u32(trace.start_utime)
    .u32(trace.end_utime)
    .u32(trace.mc_seqno_start)
    .u32(trace.mc_seqno_end)
  for (const hash of [external_hash, external_hash_norm]) if (hash) writer.bytes(hash)
  return writer.end()
}

export const decodeTrace = (root: TransactionKey, bytes: Buffer): TraceRow =>
  readRow('traces', bytes, (row) => {
    const head = row.u8()
    const root_hash = row.bytes(32)
    const [nodes, edges, pending_edges] = [Number(row.uint()), Number(row.uint()), Number(row.uint())]
    const start_lt = row.u64()
    return {
      root,
      root_hash,
      state: TRACE_STATES[head & 3]!,
      nodes,
      edges,
      pending_edges,
      start_lt,
      end_lt: start_lt + row.uint(),
      start_utime: row.u32(),
      end_utime: row.u32(),
      mc_seqno_start: row.u32(),
      mc_seqno_end: row.u32(),
      external_hash: head & HAS_EXTERNAL ? row.bytes(32) : null,
      external_hash_norm: head & HAS_NORM ? row.bytes(32) : null,
    }
  })

/** Where the counts of a trace's row stand, and how many they are. */
const COUNTS_AT = 33
const COUNTS = 3

/**
 * When a trace ended: what decodeTrace tells, without the rest. Read by hand, as a busy account has many traces that are
 * under way. Throws `malformed`.
 */
export const decodeTraceEnd = (bytes: Buffer): Pick<TraceRow, 'end_lt' | 'end_utime'> => {
  let at = COUNTS_AT
  for (let counts = 0; counts < COUNTS; counts++) at += 1 + (bytes[at] ?? 0)
  const lengthAt = at + 8
  const length = bytes[lengthAt] ?? 0
  const utimeAt = lengthAt + 1 + length + 4
  if (utimeAt + 4 > bytes.length) throw cutShort('traces')
  return {
    end_lt: bytes.readBigUInt64BE(at) + uintAt(bytes, lengthAt + 1, length),
    end_utime: bytes.readUInt32BE(utimeAt),
  }
}

/** The hash of a trace's root: what decodeTrace tells, without the rest. */
export const decodeTraceRootHash = (bytes: Buffer): Buffer =>
  readRow('traces', bytes, (row) => {
    row.skip(1)
    return row.bytes(32)
  })

/** Value of `shard_tops`: block keys, each with root and file hash. */
export const encodeShardTops = (ids: readonly BlockIdExt[]): Buffer =>
  Buffer.concat(ids.flatMap((id) => [blockKey(id), id.root_hash, id.file_hash]))

const SHARD_TOP_SIZE = 16 + 32 + 32

export const decodeShardTops = (bytes: Buffer): BlockIdExt[] =>
  readRow('shard_tops', bytes, (row) =>
    Array.from({ length: Math.floor(bytes.length / SHARD_TOP_SIZE) }, () => ({
      ...readBlockKey(row.bytes(16)),
      root_hash: row.bytes(32),
      file_hash: row.bytes(32),
    })),
  )
