import type { StopSignal } from '../common/stop.ts'
import { getBlockOutMsgQueueSize, getOutMsgQueueSizes } from '../liteserver/client.ts'
import type { RunOptions } from '../liteserver/request.ts'
import { type BlockIdExt, MASTERCHAIN, SHARD_ALL } from '../ton/block-id.ts'
import { shardBlocks } from './blocks.ts'
import type { Chain } from './chain.ts'
import { headBlock } from './head.ts'

/** The outbound message queue that a block leaves behind. */
export interface OutMsgQueueSize {
  id: BlockIdExt
  /** Messages. */
  size: number
}

export interface OutMsgQueueSizes {
  /** Of the newest masterchain block, then of the shard blocks that it commits, left shards first. */
  shards: OutMsgQueueSize[]
  /** From this size on the liteserver's node takes no external messages for a shard; its word, which nothing proves. */
  ext_msg_queue_size_limit: number
}

const queueSize = async ({ pool, trust }: Chain, id: BlockIdExt, options: RunOptions): Promise<OutMsgQueueSize> => {
  // Zero states hold no messages, and liteservers do not answer about them.
  if (id.seqno === 0) return { id, size: 0 }
  const size = await pool.run(
    async (query) => trust.checkOutMsgQueueSize(await getBlockOutMsgQueueSize(query, id, true), { id }),
    options,
  )
  return { id, size }
}

const sizeLimit = ({ pool }: Chain, options: RunOptions): Promise<number> =>
  pool.run(async (query) => {
    const answer = await getOutMsgQueueSizes(query, { wc: MASTERCHAIN, shard: SHARD_ALL })
    return answer.ext_msg_queue_size_limit
  }, options)

/** The sizes of the outbound message queues of all shards at the head; one question for each, all at once. */
export const readOutMsgQueueSizes = async (chain: Chain, signal: StopSignal): Promise<OutMsgQueueSizes> => {
  const head = headBlock(chain).id
  const ids = [head, ...(await shardBlocks(chain, head.seqno, signal))]
  const options = { signal, minSeqno: head.seqno }
  const [ext_msg_queue_size_limit, ...shards] = await Promise.all([
    sizeLimit(chain, options),
    ...ids.map((id) => queueSize(chain, id, options)),
  ])
  return { shards, ext_msg_queue_size_limit }
}
