import { bytesKey } from '../../common/bytes-key.ts'
import type { Steps } from '../../common/steps.ts'
import { decodeBody } from '../../contracts/body.ts'
import type { Fields } from '../../contracts/tlb/values.ts'
import type { AccountStatus } from '../../model/account.ts'
import type { Trace, TraceMessage, TraceTransaction } from '../../model/trace.ts'
import { compareAddresses } from '../../ton/address.ts'

/** A message of a trace with the transaction that it belongs to. */
export interface TraceNode {
  /** Null where no message caused the transaction. */
  message: TraceMessage | null
  /** The transaction that took the message; the one that sent it, for a message to the outside. */
  transaction: TraceTransaction
  parent: TraceNode | null
  /** Messages that the transaction sent and that were taken or left the chain, in their order. */
  children: TraceNode[]
  /** The transaction was aborted. */
  failed: boolean
  /** A message that was meant to be sent and was not. */
  ghost: boolean
  /** What the message's body says (contracts/body.ts), decoded once; undefined for what is unknown. */
  said(): Fields | undefined
}

/** A node without its place in the tree. */
export const createNode = (message: TraceMessage | null, transaction: TraceTransaction, ghost = false): TraceNode => {
  let said: { fields: Fields | undefined } | undefined
  return {
    message,
    transaction,
    parent: null,
    children: [],
    failed: ghost || transaction.aborted,
    ghost,
    said: () => {
      said ??= { fields: message ? decodeBody(message.body) : undefined }
      return said.fields
    },
  }
}

/** Puts a node under the one whose transaction sent its message. */
export const adopt = (parent: TraceNode, child: TraceNode): void => {
  parent.children.push(child)
  child.parent = parent
}

/** When the node's message was sent; the transaction's lt where that is not told. */
export const sentLt = ({ message, transaction }: TraceNode): bigint => message?.created_lt ?? transaction.lt

/** Seconds; as `sentLt`. */
export const sentAt = ({ message, transaction }: TraceNode): number => message?.created_at ?? transaction.now

/** Ascending by lt, then workchain and account: the same for every order of arrival. */
const inOrder = (transactions: readonly TraceTransaction[]): TraceTransaction[] =>
  [...transactions].sort((a, b) => {
    if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1
    return compareAddresses(a.account, b.account)
  })

/**
 * The tree of a trace: every transaction under the one that sent the message which it took. More than one root where
 * transactions are missing; messages that nobody took yet are left out.
 */
export function* rootsOf({ transactions }: Trace): Steps<TraceNode[]> {
  const nodes = inOrder(transactions).map((transaction) => createNode(transaction.in_msg, transaction))
  const takers = new Map<string, TraceNode>()
  for (const node of nodes) if (node.message?.kind === 'internal') takers.set(bytesKey(node.message.hash), node)
  yield
  for (const node of nodes) {
    for (const message of node.transaction.out_msgs) {
      if (message.kind === 'ext_out') adopt(node, createNode(message, node.transaction))
      const taker = message.kind === 'internal' ? takers.get(bytesKey(message.hash)) : undefined
      if (taker && taker.parent === null && taker.transaction.lt > node.transaction.lt) adopt(node, taker)
    }
  }
  return nodes.filter(({ parent }) => parent === null)
}

/** An account came into being in a transaction with these. */
export const isDeployed = (orig_status: AccountStatus, end_status: AccountStatus): boolean =>
  end_status === 'active' && orig_status !== 'active' && orig_status !== 'frozen'

/** The account of the node came into being in its transaction. */
export const isDeployment = ({ message, ghost, transaction: { orig_status, end_status } }: TraceNode): boolean =>
  !ghost && message !== null && message.kind !== 'ext_out' && isDeployed(orig_status, end_status)
