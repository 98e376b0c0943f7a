import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import type { Slice } from '../ton/slice.ts'
import { readTaggedBody } from './transfer-bodies.ts'

/** What a pool tells the outside of a swap that it did. */
export const DEDUST_SWAP_EVENT = 0x9c610de3

/** Amounts in the assets' base units; null stands for TON. */
export interface DedustSwapEvent {
  asset_in: Address | null
  asset_out: Address | null
  amount_in: bigint
  amount_out: bigint
}

const loadAsset = (slice: Slice): Address | null => {
  if (slice.uint(4) === 0) return null
  return { workchain: slice.int(8), hash: Buffer.from(slice.bytes(32)) }
}

/** Undefined for another body. */
export const readDedustSwapEvent = (body: Cell): DedustSwapEvent | undefined =>
  readTaggedBody(body, DEDUST_SWAP_EVENT, (slice) => ({
    asset_in: loadAsset(slice),
    asset_out: loadAsset(slice),
    amount_in: slice.coins(),
    amount_out: slice.coins(),
  }))
