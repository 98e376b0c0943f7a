import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import { buildCell, malformed, parseCell } from './tag.ts'

/** TL-B BlockExtra with its parts still closed. */
export interface BlockExtra {
  /** inMsgEntries, inMsg */
  in_msg_descr: Cell
  /** outMsgEntries, outMsg */
  out_msg_descr: Cell
  /** accountBlocks, accountBlock, blockTransactions */
  account_blocks: Cell
  rand_seed: Buffer
  /** Public key of the validator that made the block; zero in a masterchain block of old. */
  created_by: Buffer
  /** parseMcBlockExtra; null outside of the masterchain */
  custom: Cell | null
  /** A cell that an experimental build of another node adds (tag 4a33f6fb), on private networks only. */
  wc_custom: Cell | null
}

const BLOCK_EXTRA = 0x4a33f6fd
const BLOCK_EXTRA_EXPERIMENTAL = 0x4a33f6fb

const loadBlockExtra = (slice: Slice): BlockExtra => {
  const tag = slice.uint(32)
  if (tag !== BLOCK_EXTRA && tag !== BLOCK_EXTRA_EXPERIMENTAL) throw malformed('BlockExtra')
  return {
    in_msg_descr: slice.ref(),
    out_msg_descr: slice.ref(),
    account_blocks: slice.ref(),
    rand_seed: slice.bytes(32),
    created_by: slice.bytes(32),
    custom: slice.maybeRef(),
    wc_custom: tag === BLOCK_EXTRA_EXPERIMENTAL ? slice.maybeRef() : null,
  }
}

/** TL-B BlockExtra: reads its root cell only. Throws `malformed`. */
export const parseBlockExtra = (cell: Cell): BlockExtra => parseCell(cell, loadBlockExtra)

const storeBlockExtra = (builder: Builder, extra: BlockExtra): void => {
  builder
    .uint(extra.wc_custom ? BLOCK_EXTRA_EXPERIMENTAL : BLOCK_EXTRA, 32)
    .ref(extra.in_msg_descr)
    .ref(extra.out_msg_descr)
    .ref(extra.account_blocks)
    .bytes(extra.rand_seed)
    .bytes(extra.created_by)
    .maybeRef(extra.custom)
  if (extra.wc_custom) builder.maybeRef(extra.wc_custom)
}

/** TL-B ^BlockExtra; the experimental form only where it carries something. */
export const buildBlockExtra = (extra: BlockExtra): Cell => buildCell(storeBlockExtra, extra)
