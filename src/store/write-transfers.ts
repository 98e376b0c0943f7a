import type { Batch } from '../model/batch.ts'
import { transactionKey } from '../model/trace-changes.ts'
import type { Entry } from './entries.ts'
import type { IndexStore } from './index-store.ts'
import { txKey } from './keys.ts'
import type { Tables } from './tables.ts'
import { decodeTransfer, encodeTransfer, type TransferRow, transferEntries, transferRow } from './transfers.ts'
import { putEntries, removeEntries, sorted } from './write-entries.ts'

/** The transfer that a transaction (as txKey writes its place) asked for. Throws `malformed`. */
export const transferAt = ({ transfers }: Pick<Tables, 'transfers'>, key: Buffer): TransferRow | undefined => {
  const bytes = transfers.get(key)
  return bytes && decodeTransfer(bytes)
}

/** Writes the transfers that the transactions of a batch asked for, one for each at most; one that is stored stays. */
export const writeTransfers = (
  { tables, addresses }: Pick<IndexStore, 'tables' | 'addresses'>,
  { mc, transactions, transfers = [] }: Pick<Batch, 'mc' | 'transactions' | 'transfers'>,
): void => {
  const entries: Entry[] = []
  for (const transfer of transfers) {
    const { index, id, now } = transactions[transfer.transaction]!
    const key = txKey(transactionKey(mc.seqno, index))
    if (tables.transfers.doesExist(key)) continue
    const row = transferRow(transfer, addresses.intern)
    tables.transfers.putSync(key, encodeTransfer(row))
    entries.push(...transferEntries(row, { key, lt: id.lt, now }))
  }
  putEntries(tables, sorted(entries))
}

/** Removes what is stored of the transfer of a transaction. */
export const removeTransfer = (tables: Tables, at: { key: Buffer; lt: bigint; now: number }): void => {
  const row = transferAt(tables, at.key)
  if (!row) return
  removeEntries(tables, transferEntries(row, at))
  tables.transfers.removeSync(at.key)
}
