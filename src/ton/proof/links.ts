import { type BlockIdExt, blockIdText, MASTERCHAIN, SHARD_ALL, sameBlock } from '../block-id.ts'
import type { Cell } from '../cell.ts'
import type { Answer, Arguments, Bare } from '../tl/types.ts'
import { prevBlockIds } from '../tlb/block-info.ts'
import { masterBlockIdOf, parseBlkMasterInfo } from '../tlb/ext-blk-ref.ts'
import { parseMcBlockDetails } from '../tlb/mc-block-extra.ts'
import { oldMcBlock, parseMcStateExtra, parseMcStateHistory } from '../tlb/mc-state-extra.ts'
import { exactShard, shardBlockId, shardDescrFees } from '../tlb/shard-hashes.ts'
import type { ShardStateUnsplit } from '../tlb/shard-state.ts'
import { openHeader } from './block.ts'
import { type Evidence, notProven, proofRoot, proving, sameId } from './evidence.ts'
import { mcExtraOfBlock } from './shards.ts'

/** The shard blocks that a masterchain block brings in follow each other for at most this many steps. */
const MAX_SHARD_LINKS = 16

/** Refuses a masterchain block that a masterchain state does not list among its predecessors. */
export const inPrevBlocks = ({ custom }: ShardStateUnsplit, id: BlockIdExt): { key: boolean } => {
  if (!custom) throw notProven('previous blocks of a block outside of the masterchain')
  const { prev_blocks } = parseMcStateHistory(parseMcStateExtra(custom).history)
  const old = oldMcBlock(prev_blocks, id.seqno)
  if (!old || !sameBlock(masterBlockIdOf(old.blk_ref), id)) {
    throw notProven(`masterchain block ${blockIdText(id)} is not on this chain`)
  }
  return { key: old.key }
}

/** Whether a masterchain block names a shard block as the newest of its shard. Opens what the node opens for it. */
const namedByMaster = (root: Cell, mc_block: BlockIdExt, id: BlockIdExt, evidence: Evidence): boolean => {
  const { shard_hashes, details } = mcExtraOfBlock(root, mc_block, evidence)
  parseMcBlockDetails(details)
  const entry = exactShard(shard_hashes, id.workchain, id.shard)
  if (!entry) return false
  shardDescrFees(entry.descr)
  return sameBlock(shardBlockId(entry), id)
}

/** Whether a shard block names another one as its predecessor. Opens what the node opens for it. */
const isPrevious = (root: Cell, block: BlockIdExt, id: BlockIdExt, evidence: Evidence): boolean => {
  const { info } = openHeader(root, block, evidence)
  if (info.master_ref) parseBlkMasterInfo(info.master_ref)
  return prevBlockIds(info).some((prev) => sameBlock(prev, id))
}

/** Refuses links that do not lead from a masterchain block down to a shard block; gives the shard block. */
export const followShardLinks = (
  mc_block: BlockIdExt,
  links: readonly Bare<'liteServer.shardBlockLink'>[],
  evidence: Evidence,
): BlockIdExt => {
  if (links.length > MAX_SHARD_LINKS) throw notProven('too many shard block links')
  let at = mc_block
  for (const { id, proof } of links) {
    const root = proofRoot(proof)
    if (at === mc_block) {
      if (!namedByMaster(root, at, id, evidence)) throw notProven('shard block that no masterchain block names')
    } else if (!isPrevious(root, at, id, evidence)) {
      throw notProven('shard block that its successor does not name')
    }
    at = id
  }
  return at
}

/**
 * Answer to getShardBlockProof: the masterchain block that brought the asked block in. The caller must tie that one to
 * the chain. Throws `proof`.
 */
export const checkShardBlockProof = (
  answer: Answer<'liteServer.getShardBlockProof'>,
  request: Arguments<'liteServer.getShardBlockProof'>,
  evidence: Evidence,
): BlockIdExt =>
  proving('shard block', () => {
    const { masterchain_id, links } = answer
    if (masterchain_id.workchain !== MASTERCHAIN || masterchain_id.shard !== SHARD_ALL) {
      throw notProven('shard block without a masterchain block')
    }
    sameId(followShardLinks(masterchain_id, links, evidence), request.id)
    return masterchain_id
  })
