import type { BlockIdExt } from '../../ton/block-id.ts'
import { sameBlock, shardContains } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import type { Bare } from '../../ton/tl/types.ts'
import { prevBlockIds } from '../../ton/tlb/block-info.ts'
import { parseBlkMasterInfo } from '../../ton/tlb/ext-blk-ref.ts'
import type { ChainBlock } from '../chain.ts'
import type { ChainView } from '../chain-view.ts'
import { BAD_REQUEST, liteError } from '../lite-error.ts'
import { loadBlock } from '../load.ts'
import { bag, openHeader, openMcBlockExtra, prove } from '../proofs.ts'
import { shardLeaf } from '../shard-path.ts'

export type ShardBlockLink = Bare<'liteServer.shardBlockLink'>

/** Between two masterchain blocks a shard makes at most this many blocks. */
const MAX_LINKS = 8

const intersects = (a: bigint, b: bigint): boolean => shardContains(a, b) || shardContains(b, a)

/** Opens a header with all that it refers to; gives the previous blocks. */
export const openReferences = (root: Cell): BlockIdExt[] => {
  const info = openHeader(root)
  if (info.master_ref) parseBlkMasterInfo(info.master_ref)
  return prevBlockIds(info)
}

/**
 * Links from the masterchain block that committed a shard block down to the shard block: the newest block of the shard
 * as the masterchain block names it, then previous blocks.
 */
export const shardLinks = (view: ChainView, target: ChainBlock, master: ChainBlock): ShardBlockLink[] => {
  const { workchain, shard } = target.id
  const { value, proof } = prove(master.root, (root) =>
    shardLeaf(openMcBlockExtra(root).shard_hashes, workchain, shard | 1n, false),
  )
  if (!value) throw liteError(BAD_REQUEST, 'shard not found')
  const links: ShardBlockLink[] = [{ id: value.id, proof: bag(proof) }]
  for (let id = value.id; !sameBlock(id, target.id); ) {
    if (links.length === MAX_LINKS) throw liteError(BAD_REQUEST, 'proof chain is too long')
    const step = prove(loadBlock(view, id).root, openReferences)
    const prev = step.value.find((candidate) => intersects(candidate.shard, shard))
    if (!prev) throw liteError(BAD_REQUEST, 'failed to find block chain')
    links.push({ id: prev, proof: bag(step.proof) })
    id = prev
  }
  return links
}
