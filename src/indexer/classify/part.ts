import { greater, lesser } from '../../common/bigint-order.ts'
import type { ActionColumns, ActionContent, ActionType, DetailsOf } from '../../model/action.ts'
import type { TraceMessage } from '../../model/trace.ts'
import type { Address } from '../../ton/address.ts'
import { sentAt, sentLt, type TraceNode } from './node.ts'

/** What a part of a trace is told to be. */
export interface Told {
  /** The name inside of the reference, which names the action id: not always the action's type. */
  btype: string
  /** Null for what is no action of its own. */
  content: ActionContent | null
  columns: ActionColumns
  failed: boolean
  /** Something about it is not as it should be. */
  broken?: boolean
  /** Accounts in whose feed it stands beside those of its transactions and columns. */
  feeds?: readonly (Address | null)[]
}

/**
 * A part of a trace: at first one message, then what matchers made of several parts. The parts that are part of no other
 * one form a tree along the messages.
 */
export interface Part extends Told {
  /** Its messages, the earliest first. */
  nodes: TraceNode[]
  /** What it was made of. */
  pieces: Part[]
  /** The part that it is a piece of. */
  whole: Part | null
  previous: Part | null
  /** In the order of their messages. */
  next: Part[]
  /** First 32 bits of the body of a part that is one message still; null of others and of bodies that are shorter. */
  opcode: number | null
  /** The node whose transaction sent its first message. */
  initiator: TraceNode | null
  start_lt: bigint
  end_lt: bigint
  start_utime: number
  end_utime: number
}

type Span = Pick<Part, 'start_lt' | 'end_lt' | 'start_utime' | 'end_utime'>

/** From the first message's sending to the last transaction, which for a message to the outside is one before it. */
export const spanOf = ([first, ...others]: readonly TraceNode[]): Span => {
  let [start_lt, start_utime] = [sentLt(first!), sentAt(first!)]
  let { lt: end_lt, now: end_utime } = first!.transaction
  for (const node of others) {
    start_lt = lesser(start_lt, sentLt(node))
    end_lt = greater(end_lt, node.transaction.lt)
    start_utime = Math.min(start_utime, sentAt(node))
    end_utime = Math.max(end_utime, node.transaction.now)
  }
  return { start_lt, end_lt: greater(start_lt, end_lt), start_utime, end_utime: Math.max(start_utime, end_utime) }
}

/** The part that one message is, without its place in the tree. */
export const partOf = (node: TraceNode, told: Told): Part => ({
  ...told,
  nodes: [node],
  pieces: [],
  whole: null,
  previous: null,
  next: [],
  opcode: node.message?.opcode ?? null,
  initiator: node.parent,
  ...spanOf([node]),
})

/** Links a part behind another one. */
export const follow = (previous: Part, next: Part): void => {
  previous.next.push(next)
  next.previous = previous
}

/** True for a message that is no transfer of TON: one with an opcode, and those that cross the border of the chain. */
export const isCall = (part: Part): boolean => part.btype === 'call_contract'

/** True for a message that was not merged yet and says one of these opcodes. */
export const calls = (part: Part, ...opcodes: number[]): boolean =>
  isCall(part) && part.opcode !== null && opcodes.includes(part.opcode)

/** The earliest message of a part. Throws where none caused its transaction. */
export const messageOf = (part: Part): TraceMessage => {
  const message = part.nodes[0]?.message
  if (!message) throw new TypeError('a part without a message')
  return message
}

/** True for a message to the outside, which no transaction takes. */
export const isEvent = ({ nodes }: Part): boolean => nodes[0]?.message?.kind === 'ext_out'

/** The details of a part that is an action of this type. */
export const detailsOf = <Type extends ActionType>(
  part: Part | null | undefined,
  type: Type,
): DetailsOf<Type> | undefined => (part?.content?.type === type ? (part.content.details as DetailsOf<Type>) : undefined)

/** Every part behind this one that is part of no other, nearest first, itself among them. */
export const partsFrom = (root: Part): Part[] => {
  const parts = [root]
  for (let i = 0; i < parts.length; i++) parts.push(...parts[i]!.next)
  return parts
}
