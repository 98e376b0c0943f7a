import { type IntendedMessage, intendedMessages } from '../../contracts/wallet-payload.ts'
import { opcodeOf } from '../../model/batch-message.ts'
import { readExtraCurrencies } from '../../model/extra-currency.ts'
import type { TraceMessage, TraceTransaction } from '../../model/trace.ts'
import type { Cell } from '../../ton/cell.ts'
import { accountOf } from '../../ton/tlb/msg-address.ts'
import { adopt, createNode, type TraceNode } from './node.ts'

/** The transaction in which a wallet sent nothing. */
type Sender = Pick<TraceTransaction, 'account' | 'lt' | 'now'>

const ghostOf = ({ info, body, hash }: IntendedMessage, { account, lt, now }: Sender): TraceMessage | undefined => {
  const destination = info._ === 'int_msg_info' ? accountOf(info.dest) : null
  if (info._ !== 'int_msg_info' || !destination) return undefined
  return {
    kind: 'internal',
    hash,
    source: account,
    destination,
    value: info.value.grams,
    extra_currencies: readExtraCurrencies(info.value.other),
    bounce: false,
    bounced: false,
    created_lt: lt,
    created_at: now,
    opcode: opcodeOf(body),
    body,
    init: null,
  }
}

/** What a wallet was asked to send by the body of a message from outside, as messages. */
export const ghostMessages = (body: Cell, sender: Sender): TraceMessage[] =>
  intendedMessages(body).flatMap((intended) => ghostOf(intended, sender) ?? [])

/**
 * The tree of a trace in which a wallet took a message from outside and sent nothing: with what it was asked to send, as
 * messages that failed. Undefined for any other trace.
 */
export const withGhosts = (root: TraceNode): TraceNode | undefined => {
  const { message, transaction } = root
  if (message?.kind !== 'ext_in' || transaction.out_msgs.length > 0) return undefined
  const again = createNode(message, transaction)
  for (const ghost of ghostMessages(message.body, transaction)) adopt(again, createNode(ghost, transaction, true))
  return again.children.length > 0 ? again : undefined
}
