import { MASTERCHAIN } from '../../ton/block-id.ts'
import { beginCell } from '../../ton/builder.ts'
import { parseMcStateExtra, parseMcStateHistory } from '../../ton/tlb/mc-state-extra.ts'
import type { ChainBlock } from '../chain.ts'
import { BAD_REQUEST, liteError } from '../lite-error.ts'
import { isShard, loadMasterchainBlock, NO_BLOCK } from '../load.ts'
import { bag, openMcBlockExtra, openState, prove, stateRootProof } from '../proofs.ts'
import type { Handlers } from '../query.ts'
import { type ShardLeaf, shardLeaf } from '../shard-path.ts'

/** A shard's entry in the state of a masterchain block, with the two proofs that lead to it. */
export const provenShard = (
  master: ChainBlock,
  workchain: number,
  shard: bigint,
  exact: boolean,
): { found: ShardLeaf | null; proofs: Buffer } => {
  const { value, proof } = prove(master.state, (root) => {
    const { shard_hashes, history } = parseMcStateExtra(openState(root).custom!)
    parseMcStateHistory(history)
    return workchain === MASTERCHAIN ? null : shardLeaf(shard_hashes, workchain, shard, exact)
  })
  return { found: value, proofs: bag(stateRootProof(master), proof) }
}

export const shards = {
  'liteServer.getAllShardsInfo': ({ view }, { id }) => {
    const { root } = loadMasterchainBlock(view, id)
    const { value, proof } = prove(root, (recorded) => openMcBlockExtra(recorded).shard_hashes)
    return { _: 'liteServer.allShardsInfo', id, proof: bag(proof), data: bag(beginCell().maybeRef(value).endCell()) }
  },
  'liteServer.getShardInfo': ({ view }, { id, workchain, shard, exact }) => {
    if (!isShard(workchain, shard)) throw liteError(BAD_REQUEST, 'requested shard is invalid')
    const { found, proofs } = provenShard(loadMasterchainBlock(view, id), workchain, shard, exact)
    return {
      _: 'liteServer.shardInfo',
      id,
      shardblk: found?.id ?? NO_BLOCK,
      shard_proof: proofs,
      shard_descr: found ? bag(found.leaf) : bag(),
    }
  },
} satisfies Partial<Handlers>
