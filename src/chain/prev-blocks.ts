import { getConfigParams } from '../liteserver/client.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { PrevBlocks } from '../ton/prev-blocks.ts'
import { NEED_PREV_BLOCKS } from '../ton/proof/prev-blocks.ts'
import type { Chain } from './chain.ts'

const load = ({ pool, trust }: Chain, id: BlockIdExt): Promise<PrevBlocks> =>
  pool.run(async (query) => trust.checkPrevBlocks(await getConfigParams(query, id, [], NEED_PREV_BLOCKS), { id }), {
    minSeqno: id.seqno,
  })

/** What contracts see of the chain behind a masterchain block. */
export const prevBlocksAt = (chain: Chain, id: BlockIdExt): Promise<PrevBlocks> =>
  chain.prevBlocks.get(String(id.seqno), () => load(chain, id))
