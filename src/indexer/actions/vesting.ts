import { accountIn, needInteger, recordIn } from '../../contracts/fields.ts'
import type { Fields } from '../../contracts/tlb/values.ts'
import type { Address } from '../../ton/address.ts'
import { parseMessageRelaxed } from '../../ton/tlb/message-relaxed.ts'
import { accountOf } from '../../ton/tlb/msg-address.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'

const SEND = 0xa7733acd
const SEND_DONE = 0xf7733acd
const ADD = 0x7258a69b
const ADD_DONE = 0xf258a69b

/** A vesting wallet that is asked to send a message, and says that it did. */
export const vestingSendMessage: Matcher = {
  name: 'message of a vesting wallet',
  pattern: call(SEND, { bare: true, child: call(SEND_DONE) }),
  build: (start) => {
    const { source, destination: vesting, body } = messageOf(start)
    const query_id = needInteger(start.nodes[0]!.said(), 'query_id')
    const message_boc = body.ref(0)
    const { info } = parseMessageRelaxed(message_boc)
    const destination = accountOf(info.dest)
    const amount = info._ === 'int_msg_info' ? info.value.grams : null
    return {
      btype: 'vesting_send_message',
      content: {
        type: 'vesting_send_message',
        details: { query_id, message_boc, source, vesting, destination, amount },
      },
      columns: { source, destination: vesting, destination_secondary: destination, amount },
      failed: start.failed,
    }
  },
}

/** The accounts of the list that a request is: each link behind a reference. */
const listed = (request: Fields | undefined): Address[] => {
  const accounts: Address[] = []
  for (let link = request; link; link = recordIn(recordIn(link, 'next'), 'addresses')) {
    const account = accountIn(link, 'address')
    if (account) accounts.push(account)
  }
  return accounts
}

/** Accounts to which a vesting wallet may send what is still locked. */
export const vestingAddWhitelist: Matcher = {
  name: 'whitelist of a vesting wallet',
  pattern: call(ADD, { bare: true, child: call(ADD_DONE) }),
  build: (start) => {
    const { source, destination: vesting } = messageOf(start)
    const said = start.nodes[0]!.said()
    return {
      btype: 'vesting_add_whitelist',
      content: {
        type: 'vesting_add_whitelist',
        details: { query_id: needInteger(said, 'query_id'), accounts_added: listed(said), source, vesting },
      },
      columns: { source, destination: vesting },
      failed: start.failed,
    }
  },
}
