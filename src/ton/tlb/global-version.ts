import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import { expectTag, parseCell } from './tag.ts'

/** TL-B GlobalVersion: version of the protocol and capability bits. */
export interface GlobalVersion {
  version: number
  capabilities: bigint
}

/** TL-B GlobalVersion (`capabilities#c4`). Throws `malformed`. */
export const loadGlobalVersion = (slice: Slice): GlobalVersion => {
  expectTag(slice, 8, 0xc4, 'GlobalVersion')
  return { version: slice.uint(32), capabilities: slice.uintBig(64) }
}

/** Writes TL-B GlobalVersion. */
export const storeGlobalVersion = (builder: Builder, { version, capabilities }: GlobalVersion): Builder =>
  builder.uint(0xc4, 8).uint(version, 32).uint(capabilities, 64)

/** Configuration parameter 8. Throws `malformed`. */
export const parseGlobalVersion = (cell: Cell): GlobalVersion => parseCell(cell, loadGlobalVersion)
