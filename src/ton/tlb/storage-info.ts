import type { Builder } from '../builder.ts'
import type { Slice } from '../slice.ts'
import { malformed, maybe, storeMaybe } from './tag.ts'

/** TL-B StorageUsed: different cells and their bits. */
export interface StorageUsed {
  cells: bigint
  bits: bigint
}

/** TL-B StorageExtraInfo. */
export type StorageExtraInfo = { _: 'storage_extra_none' } | { _: 'storage_extra_info'; dict_hash: Buffer }

/**
 * TL-B StorageInfo. Before 2025 `used` ended in `public_cells` and there was no `storage_extra`; `public_cells` is 0
 * where the layout lacks it. `last_paid` in unix seconds, `due_payment` in nano-units.
 */
export interface StorageInfo {
  used: StorageUsed
  public_cells: bigint
  storage_extra: StorageExtraInfo
  last_paid: number
  due_payment: bigint | null
}

/** TL-B StorageUsed. */
export const loadStorageUsed = (slice: Slice): StorageUsed => ({ cells: slice.varUint(7), bits: slice.varUint(7) })

const loadStorageExtra = (slice: Slice): StorageExtraInfo => {
  const tag = slice.uint(3)
  if (tag === 0) return { _: 'storage_extra_none' }
  if (tag === 1) return { _: 'storage_extra_info', dict_hash: slice.bytes(32) }
  throw malformed('StorageExtraInfo')
}

/** TL-B StorageInfo of today. An old one with `public_cells` 0 reads the same. Throws `malformed`. */
export const loadStorageInfo = (slice: Slice): StorageInfo => ({
  used: loadStorageUsed(slice),
  public_cells: 0n,
  storage_extra: loadStorageExtra(slice),
  last_paid: slice.uint(32),
  due_payment: maybe(slice, (s) => s.coins()),
})

/** TL-B StorageInfo as it was before 2025. Throws `malformed`. */
export const loadOldStorageInfo = (slice: Slice): StorageInfo => ({
  used: loadStorageUsed(slice),
  public_cells: slice.varUint(7),
  storage_extra: { _: 'storage_extra_none' },
  last_paid: slice.uint(32),
  due_payment: maybe(slice, (s) => s.coins()),
})

const storeStorageExtra = (builder: Builder, extra: StorageExtraInfo): void => {
  if (extra._ === 'storage_extra_none') builder.uint(0, 3)
  else builder.uint(1, 3).bytes(extra.dict_hash)
}

/** Writes TL-B StorageInfo: in the form of before 2025 where it has public cells. */
export const storeStorageInfo = (builder: Builder, info: StorageInfo): Builder => {
  builder.varUint(info.used.cells, 7).varUint(info.used.bits, 7)
  if (info.public_cells > 0n) builder.varUint(info.public_cells, 7)
  else storeStorageExtra(builder, info.storage_extra)
  return storeMaybe(builder.uint(info.last_paid, 32), info.due_payment, (b, due) => b.coins(due))
}
