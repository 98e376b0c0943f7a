import { TonlithError } from '../common/errors.ts'
import type { BatchTransfer } from '../model/entities.ts'
import type { Address } from '../ton/address.ts'
import { NO_ADDRESS } from './addresses.ts'
import type { Entry } from './entries.ts'
import { u32Key, u32u64Key, u64Key } from './keys.ts'
import { readRow, rowWriter } from './row-bytes.ts'

export type TransferKind = BatchTransfer['_']

/** Value of `transfers`; addresses are interned ones. */
export interface TransferRow {
  kind: TransferKind
  aborted: boolean
  /** Who sends, burns or had it; NO_ADDRESS where that is nobody on the chain. */
  from: number
  /** Who is to get it; NO_ADDRESS for a burn. */
  to: number
  /** The wallet or item. */
  account: number
  /** The master or collection; NO_ADDRESS for an item of none. */
  parent: number
}

const KINDS: readonly TransferKind[] = ['jetton_transfer', 'jetton_burn', 'nft_transfer']
const ABORTED = 0x80

/** The row of a transfer; addresses that are new are interned. */
export const transferRow = (transfer: BatchTransfer, intern: (address: Address | null) => number): TransferRow => {
  const { _: kind, aborted } = transfer
  switch (transfer._) {
    case 'jetton_transfer': {
      const { source, destination, jetton_wallet, jetton_master } = transfer
      const [from, to] = [intern(source), intern(destination)]
      return { kind, aborted, from, to, account: intern(jetton_wallet), parent: intern(jetton_master) }
    }
    case 'jetton_burn': {
      const { owner, jetton_wallet, jetton_master } = transfer
      const from = intern(owner)
      return { kind, aborted, from, to: NO_ADDRESS, account: intern(jetton_wallet), parent: intern(jetton_master) }
    }
    case 'nft_transfer': {
      const { old_owner, new_owner, nft_item, nft_collection } = transfer
      const [from, to] = [intern(old_owner), intern(new_owner)]
      return { kind, aborted, from, to, account: intern(nft_item), parent: intern(nft_collection) }
    }
  }
}

export const encodeTransfer = ({ kind, aborted, from, to, account, parent }: TransferRow): Buffer =>
  rowWriter()
    .u8(KINDS.indexOf(kind) | (aborted ? ABORTED : 0))
    .u32(from)
    .u32(to)
    .u32(account)
    .u32(parent)
    .end()

/** Reads what encodeTransfer wrote. Throws `malformed`. */
export const decodeTransfer = (bytes: Buffer): TransferRow =>
  readRow('transfers', bytes, (row) => {
    const head = row.u8()
    const kind = KINDS[head & ~ABORTED]
    if (!kind) throw new TonlithError('malformed', 'index: a row of transfers is damaged')
    return { kind, aborted: head >= ABORTED, from: row.u32(), to: row.u32(), account: row.u32(), parent: row.u32() }
  })

/**
 * The lists of `transfer_lists` that each kind has. By `from`, `to`, `account` and `parent` their keys are: number of the
 * list, interned address, lt, tx; by `lt`: number, lt, tx; by `now`: number, now, lt, tx.
 */
const LISTS = ['lt', 'now', 'from', 'to', 'account', 'parent'] as const

export type TransferList = (typeof LISTS)[number]

/** Beginning of the keys of a list, with the address by which it is. */
export const transferListKey = (kind: TransferKind, list: TransferList, id?: number): Buffer => {
  const number = Buffer.of(KINDS.indexOf(kind) * LISTS.length + LISTS.indexOf(list))
  return id === undefined ? number : Buffer.concat([number, u32Key(id)])
}

/**
 * Entries of a transfer; an aborted jetton transfer, which no list shows, has none.
 * @param key place of its transaction (as txKey writes it), with its lt and time
 */
export const transferEntries = (
  row: TransferRow,
  { key, lt, now }: { key: Buffer; lt: bigint; now: number },
): Entry[] => {
  const { kind, aborted } = row
  if (kind === 'jetton_transfer' && aborted) return []
  const end = u64Key(lt, key)
  const keys = [
    Buffer.concat([transferListKey(kind, 'lt'), end]),
    Buffer.concat([transferListKey(kind, 'now'), u32u64Key(now, lt, key)]),
  ]
  for (const list of ['from', 'to', 'account', 'parent'] as const) {
    if (row[list] !== NO_ADDRESS) keys.push(Buffer.concat([transferListKey(kind, list, row[list]), end]))
  }
  return keys.map((key) => ['transfer_lists', key])
}
