import { getConfigParams } from '../liteserver/client.ts'
import { ownBlockId } from '../model/block.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { PrevBlocks } from '../ton/prev-blocks.ts'
import { NEED_PREV_BLOCKS } from '../ton/proof/prev-blocks.ts'
import type { Chain } from './chain.ts'

/** Without views of the proof, which is not to be kept. */
const own = ({ last_mc_blocks, prev_key_block, last_mc_blocks_100 }: PrevBlocks): PrevBlocks => ({
  last_mc_blocks: last_mc_blocks.map(ownBlockId),
  prev_key_block: ownBlockId(prev_key_block),
  last_mc_blocks_100: last_mc_blocks_100.map(ownBlockId),
})

const load = ({ pool, trust }: Chain, id: BlockIdExt): Promise<PrevBlocks> =>
  pool.run(
    async (query) => own(trust.checkPrevBlocks(await getConfigParams(query, id, [], NEED_PREV_BLOCKS), { id })),
    { minSeqno: id.seqno },
  )

/** What contracts see of the chain behind a masterchain block. */
export const prevBlocksAt = (chain: Chain, id: BlockIdExt): Promise<PrevBlocks> =>
  chain.prevBlocks.get(String(id.seqno), () => load(chain, id))
