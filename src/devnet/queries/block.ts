import { hash } from 'node:crypto'
import { blockToBoc } from '../../ton/boc-writer.ts'
import type { Cell } from '../../ton/cell.ts'
import { parseBlock, parseMerkleUpdate } from '../../ton/tlb/block.ts'
import { parseBlockExtra } from '../../ton/tlb/block-extra.ts'
import { parseBlkPrevInfo, parseBlockInfo } from '../../ton/tlb/block-info.ts'
import { parseBlkMasterInfo } from '../../ton/tlb/ext-blk-ref.ts'
import { parseMcBlockDetails, parseMcBlockExtra } from '../../ton/tlb/mc-block-extra.ts'
import type { ChainBlock } from '../chain.ts'
import { BAD_REQUEST, liteError, NOT_READY } from '../lite-error.ts'
import { isFullId, loadPlainBlock } from '../load.ts'
import { bag, openAll, prove } from '../proofs.ts'
import type { Handlers } from '../query.ts'

/** States of later blocks are not given whole: they may be too large. */
const MAX_STATE_SEQNO = 1000

/** What `mode` of getBlockHeader adds to the header. */
const WITH_STATE_UPDATE = 1
const WITH_VALUE_FLOW = 2
const WITH_EXTRA = 16
const WITH_SHARD_HASHES = 32
const WITH_PREV_SIGNATURES = 64

const openExtra = (cell: Cell, mode: number): void => {
  const { custom } = parseBlockExtra(cell)
  if (!custom) return
  const { shard_hashes, details } = parseMcBlockExtra(custom)
  const { prev_blk_signatures } = parseMcBlockDetails(details)
  if (mode & WITH_SHARD_HASHES) openAll(shard_hashes)
  if (mode & WITH_PREV_SIGNATURES) openAll(prev_blk_signatures)
}

/** Bag of cells that proves a block's header, and what `mode` asks for besides. */
export const headerProof = ({ root }: ChainBlock, mode: number): Buffer =>
  bag(
    prove(root, (recorded) => {
      const block = parseBlock(recorded)
      const info = parseBlockInfo(block.info)
      if (mode & WITH_STATE_UPDATE) parseMerkleUpdate(block.state_update)
      if (info.master_ref) parseBlkMasterInfo(info.master_ref)
      parseBlkPrevInfo(info.prev_ref, info.after_merge)
      if (info.prev_vert_ref) parseBlkPrevInfo(info.prev_vert_ref, false)
      if (mode & WITH_VALUE_FLOW) openAll(block.value_flow)
      if (mode & WITH_EXTRA) openExtra(block.extra, mode)
    }).proof,
  )

export const blocks = {
  'liteServer.getBlock': ({ view }, { id }) => ({
    _: 'liteServer.blockData',
    id,
    data: loadPlainBlock(view, id).data,
  }),
  'liteServer.getBlockHeader': ({ view }, { id, mode }) => ({
    _: 'liteServer.blockHeader',
    id,
    mode,
    header_proof: headerProof(loadPlainBlock(view, id), mode),
  }),
  'liteServer.getState': ({ view }, { id }) => {
    if (!isFullId(id)) throw liteError(BAD_REQUEST, 'invalid BlockIdExt')
    if (id.seqno >>> 0 > MAX_STATE_SEQNO) throw liteError(BAD_REQUEST, 'cannot request total state: possibly too large')
    if (id.seqno === 0) {
      const zerostate = view.chain.zerostate(id.workchain)
      if (!zerostate?.id.root_hash.equals(id.root_hash)) throw liteError(NOT_READY, 'zerostate not in db')
      return { _: 'liteServer.blockState', id, root_hash: id.root_hash, file_hash: id.file_hash, data: zerostate.data }
    }
    const block = view.block(id)
    if (!block) throw liteError(NOT_READY, 'state not in db')
    const data = blockToBoc(block.state)
    const file_hash = hash('sha256', data, 'buffer')
    return { _: 'liteServer.blockState', id, root_hash: block.state.hash(), file_hash, data }
  },
} satisfies Partial<Handlers>
