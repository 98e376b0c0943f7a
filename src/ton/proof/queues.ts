import type { BlockIdExt } from '../block-id.ts'
import type { Answer, Arguments } from '../tl/types.ts'
import { type OutMsgQueueInfo, parseOutMsgQueueInfo } from '../tlb/out-msg-queue.ts'
import { openStatePair } from './block.ts'
import { type Evidence, notProven, proving, sameId } from './evidence.ts'

/** The message queues in the state of the asked block. */
export const openQueues = (
  answer: { id: BlockIdExt; proof?: Buffer | undefined },
  asked: BlockIdExt,
  evidence: Evidence,
): OutMsgQueueInfo => {
  sameId(answer.id, asked)
  if (!answer.proof) throw notProven('message queue without a proof')
  return parseOutMsgQueueInfo(openStatePair(answer.proof, asked, evidence).state.out_msg_queue_info)
}

/** Answer to getBlockOutMsgQueueSize with a proof: number of messages in the outbound queue. Throws `proof`. */
export const checkOutMsgQueueSize = (
  answer: Answer<'liteServer.getBlockOutMsgQueueSize'>,
  request: Pick<Arguments<'liteServer.getBlockOutMsgQueueSize'>, 'id'>,
  evidence: Evidence,
): number =>
  proving('message queue', () => {
    const size = openQueues(answer, request.id, evidence).extra?.out_queue_size ?? null
    if (size === null) throw notProven('state that does not count its message queue')
    if (answer.size !== BigInt(size)) throw notProven('size of a message queue differs from its proof')
    return size
  })
