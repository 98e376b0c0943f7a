import type { Cell } from '../cell.ts'
import { beginParse } from '../slice.ts'
import { expectTag } from './tag.ts'

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
}

/** TL-B BlockExtra: reads its root cell only. Throws `malformed`. */
export const parseBlockExtra = (cell: Cell): BlockExtra => {
  const slice = beginParse(cell)
  expectTag(slice, 32, 0x4a33f6fd, 'BlockExtra')
  return {
    in_msg_descr: slice.ref(),
    out_msg_descr: slice.ref(),
    account_blocks: slice.ref(),
    rand_seed: slice.bytes(32),
    created_by: slice.bytes(32),
    custom: slice.maybeRef(),
  }
}
