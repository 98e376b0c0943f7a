import { hash, randomBytes } from 'node:crypto'
import { TonlithError } from '../common/errors.ts'
import { ULID_LENGTH } from '../common/ulid.ts'
import type { PaymentCursor } from '../model/payments.ts'
import { addressKey, readAddressKey, u64Key } from './keys.ts'
import type { FoundPayment } from './payments/paid.ts'
import { readRow, rowWriter } from './row-bytes.ts'
import { firstKey, someKeys } from './scan.ts'
import type { Tables } from './tables.ts'

type PaymentTables = Pick<Tables, 'meta' | 'payment_events'>

const IDENTITY = Buffer.from('payments')
const IDENTITY_BYTES = 16
const ADDRESS_BYTES = 36
const NUMBER_BYTES = 8
const DIGEST_BYTES = 8
const SUCCESS = 0
const FAILED = 1

/** A row of `payment_events`: the masterchain block that it was found with, and the payment. */
export interface PaymentRow extends FoundPayment {
  mc_seqno: number
}

const encode = ({ mc_seqno, reference, payment }: PaymentRow): Buffer => {
  const { status, raw_amount, sender, tx_hash, trace_id, utime, error_code, error_message } = payment
  return rowWriter()
    .u32(mc_seqno)
    .bytes(Buffer.from(reference, 'latin1'))
    .u8(status === 'success' ? SUCCESS : FAILED)
    .uint(raw_amount)
    .bytes(addressKey(sender))
    .bytes(tx_hash)
    .bytes(trace_id)
    .u32(utime)
    .i32(error_code ?? 0)
    .bytes(Buffer.from(error_message ?? ''))
    .end()
}

const decode = (bytes: Buffer): PaymentRow =>
  readRow('payment_events', bytes, (row) => {
    const mc_seqno = row.u32()
    const reference = row.bytes(ULID_LENGTH).toString('latin1')
    const failed = row.u8() === FAILED
    const payment = {
      status: failed ? ('failed' as const) : ('success' as const),
      raw_amount: row.uint(),
      sender: readAddressKey(row.bytes(ADDRESS_BYTES)),
      tx_hash: row.bytes(32),
      trace_id: row.bytes(32),
      utime: row.u32(),
    }
    const [error_code, error_message] = [row.i32(), row.rest().toString()]
    const error = failed ? { error_code, error_message } : { error_code: null, error_message: null }
    return { mc_seqno, reference, payment: { ...payment, ...error } }
  })

const numberOf = (key: Buffer): bigint => key.readBigUInt64BE(0)

const lastKey = ({ payment_events }: PaymentTables): Buffer | undefined => firstKey(payment_events, {}, 'desc')

/**
 * Appends payments that were found with a masterchain block, within a transaction. Rows are numbered in the order in which
 * they are written; the first one gives the index its identity, which no other index has.
 */
export const appendPayments = (tables: PaymentTables, mc_seqno: number, found: readonly FoundPayment[]): void => {
  if (found.length === 0) return
  if (!tables.meta.doesExist(IDENTITY)) tables.meta.putSync(IDENTITY, randomBytes(IDENTITY_BYTES))
  const last = lastKey(tables)
  let number = last ? numberOf(last) : 0n
  for (const one of found) tables.payment_events.putSync(u64Key(++number), encode({ ...one, mc_seqno }))
}

/** Payments behind a cursor. */
export interface PaymentsBehind {
  found: FoundPayment[]
  /** Where the last of them stands; undefined where there is none. */
  cursor: PaymentCursor | undefined
}

/** Number and digest of a row. */
const positionOf = (key: Buffer, row: Buffer): Buffer =>
  Buffer.concat([key, hash('sha256', row, 'buffer').subarray(0, DIGEST_BYTES)])

/**
 * The key behind which a cursor goes on: undefined where it does not lead into this index as it is, but into another one
 * or an older copy of this. Its row may be pruned, if younger ones are there.
 */
const startOf = (tables: PaymentTables, index: string, cursor: PaymentCursor): Buffer | undefined => {
  const key = cursor.position.subarray(0, NUMBER_BYTES)
  const last = lastKey(tables)
  if (cursor.index !== index || !last || numberOf(last) < numberOf(key)) return undefined
  const row = tables.payment_events.get(key)
  return !row || positionOf(key, row).equals(cursor.position) ? key : undefined
}

/**
 * The payments that were found behind `cursor`, the oldest first; all that are there where the cursor does not fit.
 * @throws TonlithError `malformed` for a damaged row
 */
export const paymentsBehind = (
  tables: PaymentTables,
  cursor: PaymentCursor | undefined,
  limit: number,
): PaymentsBehind => {
  const index = tables.meta.get(IDENTITY)?.toString('hex')
  if (index === undefined) return { found: [], cursor: undefined }
  const after = cursor && startOf(tables, index, cursor)
  const keys = someKeys(tables.payment_events, {}, 'asc', limit, { after })
  const rows = keys.map((key) => {
    const bytes = tables.payment_events.get(key)
    if (!bytes) throw new TonlithError('malformed', 'index: a row of payment_events is gone')
    return { position: positionOf(key, bytes), row: decode(bytes) }
  })
  const position = rows.at(-1)?.position
  return {
    found: rows.map(({ row: { reference, payment } }) => ({ reference, payment })),
    cursor: position && { index, position },
  }
}

/** All payments that were found and are still kept here, the oldest first. Throws `malformed` for a damaged row. */
export const foundPayments = ({ payment_events }: Pick<PaymentTables, 'payment_events'>): PaymentRow[] =>
  Array.from(payment_events.getRange(), ({ value }) => decode(value))

/** Rows that are removed in one step, at most. */
const PIECE = 1000

/** Removes payments that were found with this masterchain block or before; the newest row stays, as the count goes on from it. */
export const prunePayments = (tables: PaymentTables, mc_seqno: number): void => {
  const keys = someKeys(tables.payment_events, {}, 'asc', PIECE + 1)
  for (const key of keys.slice(0, -1)) {
    const bytes = tables.payment_events.get(key)
    if (bytes && decode(bytes).mc_seqno > mc_seqno) return
    tables.payment_events.removeSync(key)
  }
}
