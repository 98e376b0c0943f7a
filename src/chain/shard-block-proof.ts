import { TonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import { getBlockProof, getShardBlockProof } from '../liteserver/client.ts'
import type { Query } from '../liteserver/query.ts'
import { type BlockIdExt, sameBlock } from '../ton/block-id.ts'
import { checkBlockProof } from '../ton/block-proof.ts'
import { notProven } from '../ton/proof/evidence.ts'
import type { Bare, Boxed } from '../ton/tl/types.ts'
import { type BlockQuery, lookupBlock, pinBlock } from './blocks.ts'
import type { Chain } from './chain.ts'

/** A link of a block proof back to an older masterchain block. */
export type BlockLinkBack = Extract<Boxed<'liteServer.BlockLink'>, { _: 'liteServer.blockLinkBack' }>

/** The way from a masterchain block to a block of any chain. */
export interface ShardBlockProof {
  /** The masterchain block that the proof starts from. */
  from: BlockIdExt
  /** The masterchain block that brought the proved block in. */
  mc_id: BlockIdExt
  /** From mc_id down to the proved block; none for a masterchain block. */
  links: readonly Bare<'liteServer.shardBlockLink'>[]
  /** From `from` back to mc_id; none when they are the same. */
  mc_proof: readonly BlockLinkBack[]
}

const tooOld = (): TonlithError => new TonlithError('unsupported', 'from mc block is too old', { code: 500 })

const wayBack = async (query: Query, from: BlockIdExt, to: BlockIdExt): Promise<readonly BlockLinkBack[]> => {
  if (sameBlock(from, to)) return []
  if (from.seqno < to.seqno) throw tooOld()
  const answer = await getBlockProof(query, from, to)
  const { complete } = checkBlockProof(answer, { known_block: from, target_block: to })
  const links = answer.steps.filter((step): step is BlockLinkBack => step._ === 'liteServer.blockLinkBack')
  if (!complete || links.length < answer.steps.length) throw notProven('way back that is not complete')
  return links
}

/**
 * The proof that a block (by shard and seqno) is on the chain, for whoever trusts the masterchain block with the seqno
 * `from` (the newest one when undefined). Every link is checked. Throws `unsupported` when `from` is older than the
 * masterchain block that brought the block in.
 */
export const readShardBlockProof = async (
  chain: Chain,
  block: Pick<BlockQuery, 'workchain' | 'shard'> & { seqno: number },
  from: number | undefined,
  signal: StopSignal,
): Promise<ShardBlockProof> => {
  if (from === 0) throw tooOld()
  const [{ id }, start] = await Promise.all([lookupBlock(chain, block, signal), pinBlock(chain, from, signal)])
  return chain.pool.run(
    async (query) => {
      const answer = await getShardBlockProof(query, id)
      const mc_id = chain.trust.checkShardBlockProof(answer, { id })
      return { from: start.id, mc_id, links: answer.links, mc_proof: await wayBack(query, start.id, mc_id) }
    },
    { signal, minSeqno: start.id.seqno },
  )
}
