import { MASTERCHAIN, sameBlock, shardContains } from '../../ton/block-id.ts'
import { BAD_REQUEST, liteError } from '../lite-error.ts'
import { isFullId, loadBlock, loadMasterchainBlock } from '../load.ts'
import { bag, openHeader, prove, stateRootProof } from '../proofs.ts'
import type { Handlers } from '../query.ts'
import { ancestorProof } from './block-links.ts'
import { lookedUp, lookupKey } from './lookup.ts'
import { openReferences, shardLinks } from './shard-links.ts'

export const lookupProof = {
  'liteServer.lookupBlockWithProof': ({ view }, request) => {
    const { mode, mc_block_id, id: wanted } = request
    const by = lookupKey(mode)
    if (mc_block_id.workchain !== MASTERCHAIN || !isFullId(mc_block_id))
      throw liteError(BAD_REQUEST, 'masterchain block id must be specified')
    const block = lookedUp(view, request)
    if (block.mc_seqno > mc_block_id.seqno >>> 0)
      throw liteError(0, "specified mc block is older than block's masterchain ref")
    const header = prove(block.root, openReferences)
    const prev = header.value.find((id) => shardContains(id.shard, wanted.shard))
    if (by !== 'seqno' && !prev) throw liteError(BAD_REQUEST, 'failed to choose previous block')
    const prev_header = by === 'seqno' || !prev ? bag() : bag(prove(loadBlock(view, prev).root, openHeader).proof)
    const master = view.masterchain(block.mc_seqno)!
    const shard_links = block.id.workchain === MASTERCHAIN ? [] : shardLinks(view, block, master)
    const client = loadMasterchainBlock(view, mc_block_id)
    const same = sameBlock(client.id, master.id)
    return {
      _: 'liteServer.lookupBlockResult',
      id: block.id,
      mode,
      mc_block_id: master.id,
      client_mc_state_proof: same ? bag() : bag(stateRootProof(client)),
      mc_block_proof: same ? bag() : bag(ancestorProof(client.state, master.id.seqno)),
      shard_links,
      header: bag(header.proof),
      prev_header,
    }
  },
} satisfies Partial<Handlers>
