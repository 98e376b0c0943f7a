import { MASTERCHAIN } from '../../ton/block-id.ts'
import { BAD_REQUEST, liteError } from '../lite-error.ts'
import { isShard } from '../load.ts'
import type { Handlers } from '../query.ts'
import { shardLinks } from './shard-links.ts'

export const shardBlockProof = {
  'liteServer.getShardBlockProof': ({ view }, { id }) => {
    if (!isShard(id.workchain, id.shard)) throw liteError(BAD_REQUEST, 'invalid block id')
    if (id.workchain === MASTERCHAIN) return { _: 'liteServer.shardBlockProof', masterchain_id: id, links: [] }
    const block = view.block(id)
    if (!block) throw liteError(0, "block doesn't have masterchain ref")
    const master = view.masterchain(block.mc_seqno)!
    return { _: 'liteServer.shardBlockProof', masterchain_id: master.id, links: shardLinks(view, block, master) }
  },
} satisfies Partial<Handlers>
