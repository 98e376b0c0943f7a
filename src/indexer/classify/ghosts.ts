import { type IntendedMessage, intendedMessages } from '../../contracts/wallet-payload.ts'
import { opcodeOf } from '../../model/batch-message.ts'
import { readExtraCurrencies } from '../../model/extra-currency.ts'
import type { TraceTransaction } from '../../model/trace.ts'
import { accountOf } from '../../ton/tlb/msg-address.ts'
import { adopt, createNode, type TraceNode } from './node.ts'

const ghostOf = ({ info, body, hash }: IntendedMessage, transaction: TraceTransaction): TraceNode | undefined => {
  if (info._ !== 'int_msg_info') return undefined
  const message = {
    kind: 'internal',
    hash,
    source: transaction.account,
    destination: accountOf(info.dest),
    value: info.value.grams,
    extra_currencies: readExtraCurrencies(info.value.other),
    bounce: false,
    bounced: false,
    created_lt: transaction.lt,
    created_at: transaction.now,
    opcode: opcodeOf(body),
    body,
    init: null,
  } as const
  return message.destination ? createNode(message, transaction, true) : undefined
}

/**
 * The tree of a trace in which a wallet took a message from outside and sent nothing: with what it was asked to send, as
 * messages that failed. Undefined for any other trace.
 */
export const withGhosts = (root: TraceNode): TraceNode | undefined => {
  const { message, transaction } = root
  if (message?.kind !== 'ext_in' || transaction.out_msgs.length > 0) return undefined
  const again = createNode(message, transaction)
  for (const intended of intendedMessages(message.body)) {
    const ghost = ghostOf(intended, transaction)
    if (ghost) adopt(again, ghost)
  }
  return again.children.length > 0 ? again : undefined
}
