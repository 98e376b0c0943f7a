import type { Chain } from '../../src/devnet/chain.ts'
import { newBlocks, shardTops } from '../../src/indexer/new-blocks.ts'
import { type OpenedBlock, openBlock } from '../../src/indexer/opened-block.ts'
import { parseBatch } from '../../src/indexer/parse.ts'
import type { Batch } from '../../src/model/batch.ts'
import type { BlockIdExt } from '../../src/ton/block-id.ts'

const openFrom = (chain: Chain, id: BlockIdExt): OpenedBlock => {
  const block = chain.block(id)
  if (!block) throw new Error(`block ${id.workchain}:${id.seqno} is not recorded`)
  return openBlock(id, block.data)
}

/** The batch of one recorded masterchain block, with the shard blocks that the walk finds. */
export const recordedBatch = (chain: Chain, seqno: number): Batch => {
  const before = seqno > 1 ? shardTops(openFrom(chain, chain.masterchain(seqno - 1)!.id)) : []
  const masterchain = openFrom(chain, chain.masterchain(seqno)!.id)
  const { blocks } = newBlocks(before, shardTops(masterchain), (id) => openFrom(chain, id))
  return parseBatch(masterchain, blocks)
}

/** The batches of all recorded masterchain blocks, in order. */
export function* recordedBatches(chain: Chain): Generator<Batch> {
  for (let seqno = 1; seqno <= chain.last; seqno++) yield recordedBatch(chain, seqno)
}
