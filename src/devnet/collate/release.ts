import type { Steps } from '../../common/steps.ts'
import type { AugDict } from '../../ton/tlb/aug-dict.ts'
import { accountOf } from '../../ton/tlb/msg-address.ts'
import { buildMsgEnvelope, type MsgMetadata, parseMsgEnvelope } from '../../ton/tlb/msg-envelope.ts'
import { accountQueue, oldestMessage, oldestSender, withoutMessage, withoutSender } from './dispatch-queue.ts'
import { type Draft, idKey, reachLt } from './draft.ts'
import { checkFull } from './fullness.ts'
import { laterLt } from './lt.ts'
import { countDispatchQueue, undeferMessage } from './recorded.ts'

/** What one round over the dispatch queue may let out (node: CollatorOptions). */
interface Round {
  total: number
  /** Of one chain of messages. */
  initiator: number
}

const ALL = Number.MAX_SAFE_INTEGER
const ROUND_TOTAL = 150
const SECOND_ROUND_INITIATOR = 20
/** What the third round lets out of one chain of messages while the out-queue is not longer than this. */
const THIRD_ROUND_INITIATOR = [
  { queue: 256, count: 10 },
  { queue: 512, count: 2 },
  { queue: 1500, count: 1 },
] as const
const DEFER_MESSAGES_AFTER = 10

const roundsOf = (draft: Draft): Round[] => [
  { total: ALL, initiator: ALL },
  { total: ROUND_TOTAL, initiator: SECOND_ROUND_INITIATOR },
  {
    total: ROUND_TOTAL,
    initiator: THIRD_ROUND_INITIATOR.find(({ queue }) => draft.queue.size <= queue)?.count ?? 0,
  },
]

const initiatorKey = ({ initiator_addr, initiator_lt }: MsgMetadata): string => {
  const address = accountOf(initiator_addr)
  return `${address?.workchain}:${address?.hash.toString('hex')}:${initiator_lt}`
}

/** Lets the oldest message of a sender out: it goes on as if it was made now. */
const letOut = (draft: Draft, sender: Buffer): MsgMetadata | null => {
  const { lt: created_lt, message } = oldestMessage(accountQueue(draft.dispatch_queue, sender))
  undeferMessage(draft, sender, created_lt)
  draft.load.knowTree(message.out_msg)
  const key = idKey(sender)
  draft.sent.set(key, (draft.sent.get(key) ?? 0) + 1)
  const waited = parseMsgEnvelope(message.out_msg)
  const before = laterLt(draft.released_lt.get(key) ?? 0n, draft.accounts.known(sender)?.end_lt ?? 0n)
  const lt = laterLt(before, draft.start_lt) + 1n
  draft.released_lt.set(key, lt)
  reachLt(draft, lt + 1n)
  const envelope = { ...waited, _: 'msg_envelope_v2', emitted_lt: lt } as const
  const cell = buildMsgEnvelope(envelope)
  draft.load.addCells(cell)
  draft.released.set(key, (draft.released.get(key) ?? 0) + 1)
  draft.load.addWaiting(1)
  draft.fresh.push({
    lt,
    message: waited.msg,
    metadata: waited.metadata,
    from: { _: 'dispatch_queue', envelope, cell },
  })
  return waited.metadata
}

function* letOutRound(draft: Draft, first: boolean, { total, initiator }: Round, second: boolean): Steps<boolean> {
  let left: AugDict<bigint> = draft.dispatch_queue
  const counts = new Map<string, number>()
  let count = 0
  for (let sender = oldestSender(left); sender; sender = oldestSender(left)) {
    if (checkFull(draft)) return false
    const { lt } = oldestMessage(accountQueue(left, sender))
    const metadata = letOut(draft, sender)
    const many = second && (draft.sent.get(idKey(sender)) ?? 0) >= DEFER_MESSAGES_AFTER
    left = first || many ? withoutSender(left, sender) : withoutMessage(left, sender, lt)
    if (metadata) {
      const key = initiatorKey(metadata)
      const sum = (counts.get(key) ?? 0) + 1
      counts.set(key, sum)
      if (sum >= initiator) left = withoutSender(left, sender)
    }
    count++
    if (count >= total) {
      draft.dispatch_bound = true
      return true
    }
    yield
  }
  return true
}

/**
 * Lets messages out of the dispatch queue (node: Collator::process_dispatch_queue): one of every sender, then more within
 * bounds. They go on in the order of their new lts.
 */
export function* releaseMessages(draft: Draft): Steps<void> {
  draft.dispatch_left = true
  for (const [index, round] of roundsOf(draft).entries()) {
    if (round.initiator === 0) continue
    const whole = yield* letOutRound(draft, index === 0, round, index === 1)
    draft.dispatch_changes++
    countDispatchQueue(draft)
    if (!whole) return
    if (index === 0) draft.dispatch_left = false
  }
}
