import { type Address, rawAddressUpper } from '../../../ton/address.ts'
import type { BlockIdExt } from '../../../ton/block-id.ts'
import { cellToBoc } from '../../../ton/boc-writer.ts'
import type { Cell } from '../../../ton/cell.ts'
import { accountOf, type MsgAddress } from '../../../ton/tlb/msg-address.ts'
import type { Wire } from '../go-json.ts'

/** Base64, as hashes and bags of cells are written. */
export const base64 = (bytes: Buffer): string => bytes.toString('base64')

export const base64OrNull = (bytes: Buffer | null): string | null => bytes && base64(bytes)

/** A shard as upper-case hex of its uint64, without leading zeros. */
export const shardText = (shard: bigint): string => BigInt.asUintN(64, shard).toString(16).toUpperCase()

/** Amounts of extra currencies by id. */
export const currencies = (amounts: readonly (readonly [id: number, amount: bigint])[]): Wire =>
  Object.fromEntries(amounts.map(([id, amount]) => [String(id), String(amount)]))

/** An object whose `name` is left out where there is nothing. */
export const given = <T, W extends Wire>(value: T | null, write: (value: T) => W): W | undefined =>
  value === null ? undefined : write(value)

/** BlockId of contracts/v3.md 5.1. */
export const blockId = ({ workchain, shard, seqno }: Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>): Wire => ({
  workchain,
  shard: shardText(shard),
  seqno,
})

/** An address in the raw form; null for none. */
export const addressOrNull = (address: Address | null): string | null => address && rawAddressUpper(address)

/** The account that a message address names, or the word for one that names none (contracts/v3.md 13). */
export const msgAddressText = (address: MsgAddress): string => addressOrNull(accountOf(address)) ?? address._

/** A bag of cells in base64. */
export const bocText = (cell: Cell): string => base64(cellToBoc(cell))

/** A bag of cells in base64; null for none. */
export const bocOrNull = (cell: Cell | null): string | null => cell && bocText(cell)
