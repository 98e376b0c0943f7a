import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { MERKLE_UPDATE } from '../cell.ts'
import { beginExotic, type Slice } from '../slice.ts'
import { buildCell, expectTag, malformed, parseCell } from './tag.ts'

/** TL-B Block with its parts still closed. */
export interface Block {
  global_id: number
  /** parseBlockInfo */
  info: Cell
  /** parseValueFlow */
  value_flow: Cell
  /** parseMerkleUpdate */
  state_update: Cell
  /** parseBlockExtra */
  extra: Cell
}

/** TL-B MERKLE_UPDATE X: hashes, depths and visible parts of the value before and after. */
export interface MerkleUpdate {
  old_hash: Buffer
  new_hash: Buffer
  old_depth: number
  new_depth: number
  old: Cell
  new: Cell
}

const BLOCK = 0x11ef55aa

const loadBlock = (slice: Slice): Block => {
  expectTag(slice, 32, BLOCK, 'Block')
  return {
    global_id: slice.int(32),
    info: slice.ref(),
    value_flow: slice.ref(),
    state_update: slice.ref(),
    extra: slice.ref(),
  }
}

/** Reads the root cell of a block (TL-B Block) and opens nothing else. Throws `malformed`. */
export const parseBlock = (cell: Cell): Block => parseCell(cell, loadBlock)

const storeBlock = (builder: Builder, { global_id, info, value_flow, state_update, extra }: Block): Builder =>
  builder.uint(BLOCK, 32).int(global_id, 32).ref(info).ref(value_flow).ref(state_update).ref(extra)

/** The root cell of TL-B Block. */
export const buildBlock = (block: Block): Cell => buildCell(storeBlock, block)

/** TL-B !merkle_update. Throws `malformed` for another cell. */
export const parseMerkleUpdate = (cell: Cell): MerkleUpdate => {
  if (cell.type !== MERKLE_UPDATE) throw malformed('MERKLE_UPDATE')
  const slice = beginExotic(cell).skip(8)
  return {
    old_hash: slice.bytes(32),
    new_hash: slice.bytes(32),
    old_depth: slice.uint(16),
    new_depth: slice.uint(16),
    old: slice.ref(),
    new: slice.ref(),
  }
}
