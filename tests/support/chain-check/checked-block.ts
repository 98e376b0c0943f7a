import { hash } from 'node:crypto'
import { type BlockIdExt, MASTERCHAIN } from '../../../src/ton/block-id.ts'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { type Block, parseBlock } from '../../../src/ton/tlb/block.ts'
import { type BlockExtra, parseBlockExtra } from '../../../src/ton/tlb/block-extra.ts'
import { type BlockInfo, isHeaderOf, parseBlockInfo, prevBlockIds } from '../../../src/ton/tlb/block-info.ts'
import { masterBlockIdOf, parseBlkMasterInfo } from '../../../src/ton/tlb/ext-blk-ref.ts'
import { parseValueFlow, type ValueFlow } from '../../../src/ton/tlb/value-flow.ts'
import type { Counts } from '../counts.ts'
import { walkBlock } from '../walk-block.ts'
import { needOf } from './fault.ts'

/** A block as its maker gave it out. */
export interface RawBlock {
  id: BlockIdExt
  data: Buffer
}

/** A block whose bytes are what its id says, and that every parser reads to its last leaf. */
export interface ReadBlock extends RawBlock {
  root: Cell
  block: Block
  info: BlockInfo
  extra: BlockExtra
  flow: ValueFlow
  prev: BlockIdExt[]
  /** The masterchain block that it refers to; undefined for a masterchain block. */
  master: BlockIdExt | undefined
}

/** Throws ChainFault for a block whose bytes or header are not those of its id, and what parsers throw. */
export const readBlock = ({ id, data }: RawBlock, counts: Counts): ReadBlock => {
  const need = needOf(id)
  need(hash('sha256', data, 'buffer').equals(id.file_hash), 'the bytes have another hash')
  const root = parseBocRoot(data)
  need(root.hash().equals(id.root_hash), 'the root has another hash')
  const info = walkBlock(root, counts)
  need(isHeaderOf(info, id), 'the header is of another block')
  const block = parseBlock(root)
  need(info.not_master === (id.workchain !== MASTERCHAIN), 'not_master is wrong')
  return {
    id,
    data,
    root,
    block,
    info: parseBlockInfo(block.info),
    extra: parseBlockExtra(block.extra),
    flow: parseValueFlow(block.value_flow),
    prev: prevBlockIds(info),
    master: info.master_ref ? masterBlockIdOf(parseBlkMasterInfo(info.master_ref)) : undefined,
  }
}
