import { type BlockIdExt, blockIdText, MASTERCHAIN, SHARD_ALL, sameBlock } from '../block-id.ts'
import type { Answer, Arguments, Bare } from '../tl/types.ts'
import { prevBlockIds } from '../tlb/block-info.ts'
import { masterBlockIdOf } from '../tlb/ext-blk-ref.ts'
import { oldMcBlock, parseMcStateExtra, parseMcStateHistory } from '../tlb/mc-state-extra.ts'
import { exactShard, shardBlockId } from '../tlb/shard-hashes.ts'
import type { ShardStateUnsplit } from '../tlb/shard-state.ts'
import { openHeader } from './block.ts'
import { type Evidence, notProven, proofRoot, proving, sameId } from './evidence.ts'
import { shardHashesOfBlock } from './shards.ts'

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
      const entry = exactShard(shardHashesOfBlock(root, at, evidence), id.workchain, id.shard)
      if (!entry || !sameBlock(shardBlockId(entry), id)) throw notProven('shard block that no masterchain block names')
    } else if (!prevBlockIds(openHeader(root, at, evidence).info).some((prev) => sameBlock(prev, id))) {
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
