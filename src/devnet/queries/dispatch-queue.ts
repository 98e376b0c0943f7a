import type { Cell } from '../../ton/cell.ts'
import { dictEntries } from '../../ton/dictionary.ts'
import type { LiteRequest } from '../../ton/tl/lite-api.ts'
import type { Bare } from '../../ton/tl/types.ts'
import { parseMsgEnvelope } from '../../ton/tlb/msg-envelope.ts'
import {
  type AccountDispatchQueue,
  dispatchedMessages,
  dispatchQueues,
  type OutMsgQueueExtra,
  parseOutMsgQueueInfo,
} from '../../ton/tlb/out-msg-queue.ts'
import { BAD_REQUEST, liteError } from '../lite-error.ts'
import { loadBlock } from '../load.ts'
import { metadataOf, NO_METADATA } from '../message-metadata.ts'
import { bag, openState, prove, stateRootProof } from '../proofs.ts'
import type { Handlers } from '../query.ts'

const MAX_ACCOUNTS = 64
const MAX_MESSAGES = 64
const MAX_WHOLE_MESSAGES = 16
const WITH_PROOF = 1

/** Flags of getDispatchQueueInfo and of getDispatchQueueMessages. */
const AFTER_ADDRESS = 2
const ONE_ACCOUNT = 2
const WITH_MESSAGES = 4

type QueueInfo = Bare<'liteServer.accountDispatchQueueInfo'>
type QueueMessage = Bare<'liteServer.dispatchQueueMessage'>
type MessagesRequest = Omit<LiteRequest<'liteServer.getDispatchQueueMessages'>, '_'>

const EMPTY: OutMsgQueueExtra['dispatch_queue'] = { root: null, extra: 0n }

const openQueue = (state: Cell): OutMsgQueueExtra['dispatch_queue'] =>
  parseOutMsgQueueInfo(openState(state).out_msg_queue_info).extra?.dispatch_queue ?? EMPTY

const edgeLt = ({ messages }: AccountDispatchQueue, reverse: boolean): bigint => {
  const { value } = dictEntries(messages, 64, { reverse }).next()
  return value ? value[0].readBigInt64BE(0) : 0n
}

const openInfo = (state: Cell, after: Buffer | undefined, most: number): { queues: QueueInfo[]; complete: boolean } => {
  const queues: QueueInfo[] = []
  for (const [addr, queue] of dispatchQueues(openQueue(state), after ? { after } : {})) {
    if (queues.length === most) return { queues, complete: false }
    queues.push({ addr, size: BigInt(queue.count), min_lt: edgeLt(queue, false), max_lt: edgeLt(queue, true) })
  }
  return { queues, complete: true }
}

interface OpenedMessages {
  messages: QueueMessage[]
  roots: Cell[]
  complete: boolean
}

const openMessages = (state: Cell, { mode, addr, after_lt, max_messages }: MessagesRequest): OpenedMessages => {
  const most = Math.min(max_messages, mode & WITH_MESSAGES ? MAX_WHOLE_MESSAGES : MAX_MESSAGES)
  const messages: QueueMessage[] = []
  const roots: Cell[] = []
  let after = after_lt > 0n ? after_lt : 0n
  for (const [sender, queue] of dispatchQueues(openQueue(state), { after: addr, inclusive: true })) {
    if (mode & ONE_ACCOUNT && !sender.equals(addr)) break
    for (const [lt, { out_msg }] of dispatchedMessages(queue, { after })) {
      if (messages.length === most) break
      const { msg, metadata } = parseMsgEnvelope(out_msg)
      roots.push(msg)
      messages.push({ addr: sender, lt, hash: msg.hash(), metadata: metadata ? metadataOf(metadata) : NO_METADATA })
    }
    if (messages.length === most) return { messages, roots, complete: false }
    after = 0n
  }
  return { messages, roots, complete: true }
}

export const dispatchQueue = {
  'liteServer.getDispatchQueueInfo': ({ view }, { mode, id, after_addr, max_accounts }) => {
    const block = loadBlock(view, id, 'invalid BlockIdExt')
    if (max_accounts <= 0) throw liteError(BAD_REQUEST, 'invalid max_accounts')
    const after = mode & AFTER_ADDRESS ? after_addr : undefined
    const { value, proof } = prove(block.state, (root) => openInfo(root, after, Math.min(max_accounts, MAX_ACCOUNTS)))
    return {
      _: 'liteServer.dispatchQueueInfo',
      mode,
      id,
      account_dispatch_queues: value.queues,
      complete: value.complete,
      ...(mode & WITH_PROOF && { proof: bag(stateRootProof(block), proof) }),
    }
  },
  'liteServer.getDispatchQueueMessages': ({ view }, request) => {
    const { mode, id, max_messages } = request
    const block = loadBlock(view, id, 'invalid BlockIdExt')
    if (max_messages <= 0) throw liteError(BAD_REQUEST, 'invalid max_messages')
    const { value, proof } = prove(block.state, (root) => openMessages(root, request))
    return {
      _: 'liteServer.dispatchQueueMessages',
      mode,
      id,
      messages: value.messages,
      complete: value.complete,
      ...(mode & WITH_PROOF && { proof: bag(stateRootProof(block), proof) }),
      ...(mode & WITH_MESSAGES && { messages_boc: bag(...value.roots) }),
    }
  },
} satisfies Partial<Handlers>
