import { hash } from 'node:crypto'
import { TonlithError } from '../common/errors.ts'
import { type BlockIdExt, blockIdText } from '../ton/block-id.ts'
import { parseBocRoot } from '../ton/boc.ts'
import type { Cell } from '../ton/cell.ts'
import { type Block, parseBlock } from '../ton/tlb/block.ts'
import { type BlockInfo, isHeaderOf, parseBlockInfo, prevBlockIds } from '../ton/tlb/block-info.ts'

/** A block whose bytes are known to be those that its id names. */
export interface OpenedBlock {
  id: BlockIdExt
  root: Cell
  block: Block
  info: BlockInfo
  /** The block before it; two after a merge, left shard first. Seqno 0 stands for a zerostate. */
  prev: BlockIdExt[]
}

const wrong = (id: BlockIdExt, what: string): TonlithError =>
  new TonlithError('proof', `block ${blockIdText(id)} ${what}`)

/**
 * Opens the bytes of a block (answer to liteServer.getBlock) and checks them against its id: SHA-256 is the file hash,
 * the root cell has the root hash, the header names the same workchain, shard and seqno. Throws `proof` when the bytes
 * are those of another block, `malformed` or `limit` when bytes with the right file hash are no block.
 */
export const openBlock = (id: BlockIdExt, bytes: Buffer): OpenedBlock => {
  if (!hash('sha256', bytes, 'buffer').equals(id.file_hash)) throw wrong(id, 'does not have its file hash')
  const root = parseBocRoot(bytes)
  if (!root.hash().equals(id.root_hash)) throw wrong(id, 'does not have its root hash')
  const opened = checkedBlock(id, root)
  if (!isHeaderOf(opened.info, id)) throw wrong(id, 'has the header of another block')
  return opened
}

/** A block of which openBlock has checked the bytes and the id, by its root cell. Throws `malformed`. */
export const checkedBlock = (id: BlockIdExt, root: Cell): OpenedBlock => {
  const block = parseBlock(root)
  const info = parseBlockInfo(block.info)
  return { id, root, block, info, prev: prevBlockIds(info) }
}
