import { TonlithError } from '../../common/errors.ts'
import { parseBoc } from '../boc.ts'
import type { Cell } from '../cell.ts'
import { dictEntries } from '../dictionary.ts'
import type { Answer, Arguments, Bare } from '../tl/types.ts'
import { accountOf } from '../tlb/msg-address.ts'
import { type MsgEnvelope, type MsgMetadata, parseMsgEnvelope } from '../tlb/msg-envelope.ts'
import {
  type AccountDispatchQueue,
  dispatchedMessages,
  dispatchQueues,
  type OutMsgQueueInfo,
} from '../tlb/out-msg-queue.ts'
import { type Evidence, isOver, notProven, proving } from './evidence.ts'
import { openQueues } from './queues.ts'

/** The delayed messages of one sender: how many, and the lowest and highest lt. */
export type SenderQueue = Bare<'liteServer.accountDispatchQueueInfo'>
/** One delayed message as getDispatchQueueMessages names it. */
export type DelayedMessage = Bare<'liteServer.dispatchQueueMessage'>

/** One part of a list, and whether it reaches the end. */
export interface ProvenPart<T> {
  items: T[]
  complete: boolean
}

const AFTER_ADDR = 2
const ONE_ACCOUNT = 2
const MESSAGES_BOC = 4

interface SentMessage {
  addr: Buffer
  lt: bigint
  envelope: MsgEnvelope
}

const queueOf = ({ extra }: OutMsgQueueInfo) => extra?.dispatch_queue ?? { root: null, extra: 0n }

const ltOf = (key: Buffer | undefined): bigint => {
  if (!key) throw new TonlithError('malformed', 'empty dispatch queue')
  return key.readBigUInt64BE(0)
}

const lastLt = ({ messages }: AccountDispatchQueue): bigint => {
  const first = dictEntries(messages, 64, { reverse: true }).next()
  return ltOf(first.done ? undefined : first.value[0])
}

const firstLt = ({ messages }: AccountDispatchQueue): bigint => {
  const first = dictEntries(messages, 64).next()
  return ltOf(first.done ? undefined : first.value[0])
}

/** Refuses a list that is not the beginning of the walk, or that misnames its end. */
const compare = <T, P>(
  given: readonly T[],
  complete: boolean,
  walk: Iterator<P>,
  same: (given: T, proven: P) => boolean,
): void => {
  for (const each of given) {
    const next = walk.next()
    if (next.done || !same(each, next.value)) throw notProven('dispatch queue differs from its proof')
  }
  if (complete && !isOver(walk)) throw notProven('dispatch queue that misnames its end')
}

/** Answer to getDispatchQueueInfo with a proof: senders with delayed messages, without gaps. Throws `proof`. */
export const checkDispatchQueueInfo = (
  answer: Answer<'liteServer.getDispatchQueueInfo'>,
  request: Pick<Arguments<'liteServer.getDispatchQueueInfo'>, 'id' | 'mode' | 'after_addr'>,
  evidence: Evidence,
): ProvenPart<SenderQueue> =>
  proving('dispatch queue', () => {
    const { mode, after_addr } = request
    const range = mode & AFTER_ADDR && after_addr ? { after: after_addr } : {}
    const walk = dispatchQueues(queueOf(openQueues(answer, request.id, evidence)), range)
    const items = answer.account_dispatch_queues
    compare(items, answer.complete, walk, (given, [sender, queue]) => {
      const sameEnds = given.min_lt === firstLt(queue) && given.max_lt === lastLt(queue)
      return sameEnds && given.addr.equals(sender) && given.size === BigInt(queue.count)
    })
    return { items, complete: answer.complete }
  })

function* messagesFrom(
  info: OutMsgQueueInfo,
  { addr, after_lt, mode }: Pick<Arguments<'liteServer.getDispatchQueueMessages'>, 'addr' | 'after_lt' | 'mode'>,
): Generator<SentMessage> {
  for (const [sender, queue] of dispatchQueues(queueOf(info), { after: addr, inclusive: true })) {
    const first = sender.equals(addr)
    if (mode & ONE_ACCOUNT && !first) return
    for (const [lt, { out_msg }] of dispatchedMessages(queue, first ? { after: after_lt } : {}))
      yield { addr: sender, lt, envelope: parseMsgEnvelope(out_msg) }
  }
}

const sameMetadata = (given: DelayedMessage['metadata'], proven: MsgMetadata | null): boolean => {
  if (!proven) return given.initiator_lt === 0n
  const initiator = accountOf(proven.initiator_addr)
  return (
    given.depth === proven.depth &&
    given.initiator_lt === proven.initiator_lt &&
    given.initiator.workchain === initiator?.workchain &&
    given.initiator.id.equals(initiator.hash)
  )
}

const checkBoc = (boc: Buffer | undefined, messages: readonly DelayedMessage[], evidence: Evidence): Cell[] => {
  const cells = boc && boc.length > 0 ? parseBoc(boc) : []
  if (cells.length !== messages.length) throw notProven('another number of delayed messages than said')
  for (const [i, cell] of cells.entries()) evidence.match(cell, messages[i]!.hash, 'delayed message')
  return cells
}

/**
 * Answer to getDispatchQueueMessages with a proof: delayed messages from the asked place on, without gaps, and their
 * cells where the mode asks for them. Throws `proof`.
 */
export const checkDispatchQueueMessages = (
  answer: Answer<'liteServer.getDispatchQueueMessages'>,
  request: Pick<Arguments<'liteServer.getDispatchQueueMessages'>, 'id' | 'mode' | 'addr' | 'after_lt'>,
  evidence: Evidence,
): ProvenPart<DelayedMessage> & { cells: Cell[] } =>
  proving('dispatch queue', () => {
    const walk = messagesFrom(openQueues(answer, request.id, evidence), request)
    compare(answer.messages, answer.complete, walk, (given, { addr, lt, envelope }) => {
      const same = given.addr.equals(addr) && given.lt === lt && given.hash.equals(envelope.msg.hash(0))
      return same && sameMetadata(given.metadata, envelope.metadata)
    })
    const cells = request.mode & MESSAGES_BOC ? checkBoc(answer.messages_boc, answer.messages, evidence) : []
    return { items: answer.messages, complete: answer.complete, cells }
  })
