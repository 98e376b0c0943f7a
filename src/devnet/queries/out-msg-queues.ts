import type { BlockIdExt } from '../../ton/block-id.ts'
import { shardContains } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import { parseMcStateExtra } from '../../ton/tlb/mc-state-extra.ts'
import { parseOutMsgQueueInfo } from '../../ton/tlb/out-msg-queue.ts'
import { shardBlockId, shardEntries } from '../../ton/tlb/shard-hashes.ts'
import { parseShardStateUnsplit } from '../../ton/tlb/shard-state.ts'
import type { ChainView } from '../chain-view.ts'
import { BAD_REQUEST, liteError } from '../lite-error.ts'
import { loadBlock } from '../load.ts'
import { bag, openState, prove, stateRootProof } from '../proofs.ts'
import type { Handlers } from '../query.ts'

/** The queue length from which on a node takes no external messages for a shard. */
const EXT_MSG_QUEUE_SIZE_LIMIT = 8000
const WITH_SHARD = 1
const WITH_PROOF = 1

const queueSize = (out_msg_queue_info: Cell): number => {
  const size = parseOutMsgQueueInfo(out_msg_queue_info).extra?.out_queue_size
  if (typeof size !== 'number') throw liteError(BAD_REQUEST, 'no out_msg_queue_size in shard state')
  return size
}

const intersects = (a: bigint, b: bigint): boolean => shardContains(a, b) || shardContains(b, a)

/** The masterchain block and the newest block of each shard, as the head knows them. */
const newestBlocks = ({ head }: ChainView): BlockIdExt[] => {
  const { custom } = parseShardStateUnsplit(head.state)
  return [head.id, ...[...shardEntries(parseMcStateExtra(custom!).shard_hashes)].map(shardBlockId)]
}

const sizeAfter = (view: ChainView, id: BlockIdExt): number => {
  const state = view.block(id)?.state ?? view.chain.zerostate(id.workchain)?.root
  return state ? queueSize(parseShardStateUnsplit(state).out_msg_queue_info) : 0
}

export const outMsgQueues = {
  'liteServer.getOutMsgQueueSizes': ({ view }, { mode, wc, shard }) => ({
    _: 'liteServer.outMsgQueueSizes',
    shards: newestBlocks(view)
      .filter((id) => !(mode & WITH_SHARD) || (id.workchain === wc && intersects(id.shard, shard ?? 0n)))
      .map((id) => ({ id, size: sizeAfter(view, id) })),
    ext_msg_queue_size_limit: EXT_MSG_QUEUE_SIZE_LIMIT,
  }),
  'liteServer.getBlockOutMsgQueueSize': ({ view }, { mode, id }) => {
    const block = loadBlock(view, id, 'invalid BlockIdExt')
    const { value, proof } = prove(block.state, (root) => queueSize(openState(root).out_msg_queue_info))
    const proofs = mode & WITH_PROOF ? { proof: bag(stateRootProof(block), proof) } : {}
    return { _: 'liteServer.blockOutMsgQueueSize', mode, id, size: BigInt(value), ...proofs }
  },
} satisfies Partial<Handlers>
