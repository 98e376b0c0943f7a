import type { Steps } from '../../common/steps.ts'
import { readComment } from '../../contracts/comment.ts'
import type { ExtraAmounts } from '../../model/actions/content.ts'
import { opcodeText } from '../../model/batch-message.ts'
import type { ExtraCurrency } from '../../model/extra-currency.ts'
import type { TraceMessage } from '../../model/trace.ts'
import { isDeployment, type TraceNode } from './node.ts'
import { follow, type Part, partOf, type Told } from './part.ts'
import { isStep } from './step.ts'

const ENCRYPTED_COMMENT = 0x2167da4b

const extraAmounts = (amounts: readonly ExtraCurrency[]): ExtraAmounts =>
  Object.fromEntries(amounts.map(({ id, amount }) => [String(id), amount]))

/** True for a message that is a transfer of TON, so that it is no call. */
export const isTransfer = ({ kind, opcode }: Pick<TraceMessage, 'kind' | 'opcode'>): boolean =>
  kind === 'internal' && (opcode === null || opcode === 0 || opcode === ENCRYPTED_COMMENT)

/** Sent TON stays with an account that has no code yet, and with one that the message left no gas for. */
const isTransferFailed = ({ failed, ghost, message, transaction }: TraceNode): boolean =>
  failed &&
  (ghost || message!.bounce || (transaction.end_status !== 'uninit' && transaction.skipped !== 'cskip_no_gas'))

const tonTransfer = (node: TraceNode, message: TraceMessage): Told => {
  const { source, destination, value } = message
  const comment = readComment(message.body)
  return {
    btype: 'ton_transfer',
    content: {
      type: 'ton_transfer',
      details: {
        source: source!,
        destination: destination!,
        value,
        value_extra_currencies: extraAmounts(message.extra_currencies),
        comment: comment?.text ?? null,
        encrypted: message.opcode === ENCRYPTED_COMMENT,
      },
    },
    columns: { source, destination, value, opcode: null },
    failed: isTransferFailed(node),
  }
}

/** A call without money that fails changes nothing, as a rule: it told something to one who did not listen. */
const isCallFailed = ({ failed, ghost }: TraceNode, { value, opcode, extra_currencies }: TraceMessage): boolean =>
  failed && (ghost || value > 0n || !opcode || extra_currencies.length > 0)

const sides = ({ source, destination, value, opcode }: TraceMessage) => ({ source, destination, value, opcode })
const shownSides = ({ source, destination, value, opcode }: TraceMessage) => ({
  opcode: opcode === null ? null : opcodeText(opcode),
  source,
  destination,
  value,
})

const callContract = (node: TraceNode, message: TraceMessage): Told => ({
  btype: 'call_contract',
  content: {
    type: 'call_contract',
    details: { ...shownSides(message), extra_currencies: extraAmounts(message.extra_currencies) },
  },
  columns: sides(message),
  failed: isCallFailed(node, message),
})

/** What a transaction is that no message caused. */
const uncaused = ({ transaction, failed }: TraceNode): Told => ({
  btype: transaction.descr === 'tick_tock' ? 'tick_tock' : 'empty',
  content: transaction.descr === 'tick_tock' ? { type: 'tick_tock', details: {} } : null,
  columns: {},
  failed,
})

const deployment = (node: TraceNode, message: TraceMessage): Part =>
  partOf(node, {
    btype: 'contract_deploy',
    content: { type: 'contract_deploy', details: shownSides(message) },
    columns: sides(message),
    failed: node.failed,
  })

/** The part that one node is. */
export const basicPart = (node: TraceNode): Part => {
  const { message } = node
  if (!message) return partOf(node, uncaused(node))
  const part = partOf(node, isTransfer(message) ? tonTransfer(node, message) : callContract(node, message))
  if (isDeployment(node)) {
    const deploy = deployment(node, message)
    deploy.whole = part
    part.pieces.push(deploy)
  }
  return part
}

/** The part in front of all others, with a part for every node of the trees behind it. */
export function* basicParts(roots: readonly TraceNode[]): Steps<Part> {
  const start: Part = {
    btype: 'root',
    content: null,
    columns: {},
    failed: false,
    nodes: [],
    pieces: [],
    whole: null,
    previous: null,
    next: [],
    opcode: null,
    initiator: null,
    start_lt: 0n,
    end_lt: 0n,
    start_utime: 0,
    end_utime: 0,
  }
  const waiting = roots.map((node) => ({ node, previous: start }))
  for (let i = 0; i < waiting.length; i++) {
    if (isStep(i)) yield
    const { node, previous } = waiting[i]!
    const part = basicPart(node)
    follow(previous, part)
    for (const child of node.children) waiting.push({ node: child, previous: part })
  }
  return start
}
