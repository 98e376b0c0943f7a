import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import { expectTag, malformed, parseCell } from './tag.ts'

/** TL-B ParamLimits. */
export interface ParamLimits {
  underload: number
  soft_limit: number
  hard_limit: number
}

/** TL-B BlockLimits (configuration parameters 22 and 23); the last two are null in the first form. */
export interface BlockLimits {
  _: 'block_limits' | 'block_limits_v2'
  bytes: ParamLimits
  gas: ParamLimits
  lt_delta: ParamLimits
  collated_data: ParamLimits | null
  imported_msg_queue: { max_bytes: number; max_msgs: number } | null
}

const BLOCK_LIMITS = 0x5d
const BLOCK_LIMITS_V2 = 0x5e

const loadParamLimits = (slice: Slice): ParamLimits => {
  expectTag(slice, 8, 0xc3, 'ParamLimits')
  return { underload: slice.uint(32), soft_limit: slice.uint(32), hard_limit: slice.uint(32) }
}

const loadImportedMsgQueueLimits = (slice: Slice): { max_bytes: number; max_msgs: number } => {
  expectTag(slice, 8, 0xd3, 'ImportedMsgQueueLimits')
  return { max_bytes: slice.uint(32), max_msgs: slice.uint(32) }
}

const loadBlockLimits = (slice: Slice): BlockLimits => {
  const tag = slice.uint(8)
  if (tag !== BLOCK_LIMITS && tag !== BLOCK_LIMITS_V2) throw malformed('BlockLimits')
  const v2 = tag === BLOCK_LIMITS_V2
  return {
    _: v2 ? 'block_limits_v2' : 'block_limits',
    bytes: loadParamLimits(slice),
    gas: loadParamLimits(slice),
    lt_delta: loadParamLimits(slice),
    collated_data: v2 ? loadParamLimits(slice) : null,
    imported_msg_queue: v2 ? loadImportedMsgQueueLimits(slice) : null,
  }
}

/** Configuration parameters 22 (masterchain) and 23. Throws `malformed`. */
export const parseBlockLimits = (cell: Cell): BlockLimits => parseCell(cell, loadBlockLimits)
