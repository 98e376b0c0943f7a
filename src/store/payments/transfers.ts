import { TonlithError } from '../../common/errors.ts'
import { bytesOfUlid } from '../../common/ulid.ts'
import type { Transfer, TransferStatus } from '../../model/payments.ts'
import { transferStatus } from '../../model/transfer-status.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import { behind, u32Key } from '../keys.ts'
import { keysIn } from '../scan.ts'
import { NO_VALUE } from '../tables.ts'
import type { PaymentStore } from './environment.ts'
import { expiryIn, lastUlid, ownerKey, pairKey, unpaidKey } from './keys.ts'
import { type ListPage, newestFirst, type PageRequest } from './newest-first.ts'
import { decodeTransfer, encodeTransfer } from './rows.ts'

/** How many transfers of one owner may be kept that nothing was paid for; all that have no merchant have one owner. */
export interface UnpaidLimits {
  readonly ofMerchant: number
  readonly ofNobody: number
}

/** The transfer with this reference. */
export const findTransfer = ({ tables }: PaymentStore, reference: string): Transfer | undefined => {
  const bytes = tables.transfers.get(bytesOfUlid(reference))
  return bytes && decodeTransfer(bytes)
}

/** The transfer whose body has this representation hash. */
export const findTransferByBody = ({ tables }: PaymentStore, hash: Buffer): Transfer | undefined => {
  const reference = tables.transfers_by_body.get(hash)
  const bytes = reference && tables.transfers.get(reference)
  return bytes && decodeTransfer(bytes)
}

/** False while nobody has ever asked for a transfer: there is nothing to look for then. Cheap. */
export const hasTransfers = ({ tables }: PaymentStore): boolean => {
  for (const _ of tables.transfers.getKeys({ limit: 1 })) return true
  return false
}

/** Which transfers are wanted; what is left out does not matter. */
export interface TransferFilter {
  status?: TransferStatus
  /** Who was to pay, or has paid. */
  sender?: Address
}

const isFrom = ({ sender, payments }: Transfer, address: Address): boolean =>
  sameAddress(sender, address) || payments.some((payment) => sameAddress(payment.sender, address))

/** The transfers of all networks with this reference and later ones, in the order of their references. */
export function* transfersFrom({ tables }: PaymentStore, reference: string): Generator<Transfer> {
  for (const key of keysIn(tables.transfers, { from: bytesOfUlid(reference) }, 'asc')) {
    const bytes = tables.transfers.get(key)
    if (bytes) yield decodeTransfer(bytes)
  }
}

/** A merchant's transfers, the newest first. For a page of some of them see fullPage. @param now unix seconds, for the status */
export const listTransfers = (
  store: PaymentStore,
  merchant: string,
  request: PageRequest & TransferFilter,
  now: number,
): ListPage<Transfer> =>
  newestFirst(store.tables.transfers_by_merchant, merchant, request, (reference) => {
    const transfer = findTransfer(store, reference)
    if (!transfer) return undefined
    const { status, sender } = request
    if (status !== undefined && transferStatus(transfer, now) !== status) return undefined
    return sender === undefined || isFrom(transfer, sender) ? transfer : undefined
  })

const unpaidCount = ({ tables }: PaymentStore, merchant: string | null): number =>
  tables.unpaid_counts.get(ownerKey(merchant))?.readUInt32BE(0) ?? 0

const addToUnpaidCount = (store: PaymentStore, merchant: string | null, change: 1 | -1): void =>
  void store.tables.unpaid_counts.putSync(ownerKey(merchant), u32Key(unpaidCount(store, merchant) + change))

/** Puts a transfer among those that nothing was paid for; within a transaction. */
export const enterUnpaid = (store: PaymentStore, { merchant, expires, reference }: Transfer): void => {
  store.tables.unpaid.putSync(unpaidKey(merchant, expires, reference), NO_VALUE)
  addToUnpaidCount(store, merchant, 1)
}

/** Takes a transfer out of those that nothing was paid for; within a transaction. */
export const leaveUnpaid = (store: PaymentStore, { merchant, expires, reference }: Transfer): void => {
  if (store.tables.unpaid.removeSync(unpaidKey(merchant, expires, reference))) addToUnpaidCount(store, merchant, -1)
}

const removeTransfer = (store: PaymentStore, transfer: Transfer): void => {
  const { tables } = store
  leaveUnpaid(store, transfer)
  tables.transfers.removeSync(bytesOfUlid(transfer.reference))
  tables.transfers_by_body.removeSync(transfer.body_hash)
  if (transfer.merchant !== null)
    tables.transfers_by_merchant.removeSync(pairKey(transfer.merchant, transfer.reference))
}

/** Removes transfers of one owner that expired before `time` (unix seconds) and were not paid, the oldest first. */
const removeExpired = (store: PaymentStore, owner: Buffer, time: number, limit: number): number => {
  const end = behind(owner)
  const keys = Array.from(store.tables.unpaid.getKeys({ start: owner, ...(end && { end }), limit }), (key) =>
    Buffer.from(key),
  ).filter((key) => expiryIn(key) < time)
  for (const key of keys) {
    const transfer = findTransfer(store, lastUlid(key))
    if (transfer) removeTransfer(store, transfer)
  }
  return keys.length
}

/** Expired transfers that make room for a new one, at most. */
const ROOM = 10

/**
 * Keeps a new transfer. Where its owner has as many unpaid ones as it may, the oldest of these that has expired makes room.
 * @throws TonlithError `limit` when none has expired; as Environment.transaction does
 */
export const addTransfer = (store: PaymentStore, transfer: Transfer, limits: UnpaidLimits): void =>
  store.transaction(() => {
    const { reference, merchant } = transfer
    const limit = merchant === null ? limits.ofNobody : limits.ofMerchant
    const full = (): boolean => unpaidCount(store, merchant) >= limit
    if (full()) removeExpired(store, ownerKey(merchant), transfer.created, ROOM)
    if (full()) throw new TonlithError('limit', `there are ${limit} transfers that wait to be paid already`)
    const { tables } = store
    tables.transfers.putSync(bytesOfUlid(reference), encodeTransfer(transfer))
    tables.transfers_by_body.putSync(transfer.body_hash, bytesOfUlid(reference))
    if (merchant !== null) tables.transfers_by_merchant.putSync(pairKey(merchant, reference), NO_VALUE)
    enterUnpaid(store, transfer)
  })

/**
 * Removes transfers that expired before `time` (unix seconds) and that nothing was paid for.
 * @param limit how many of each owner, at most
 * @returns how many these were
 */
export const pruneTransfers = (store: PaymentStore, time: number, limit: number): number => {
  const owners = Array.from(store.tables.unpaid_counts.getKeys(), (key) => Buffer.from(key))
  let removed = 0
  for (const owner of owners) removed += store.transaction(() => removeExpired(store, owner, time, limit))
  return removed
}
