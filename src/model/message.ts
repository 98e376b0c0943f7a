import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { type CommonMsgInfo, parseMessage } from '../ton/tlb/message.ts'
import { accountOf, type MsgAddress } from '../ton/tlb/msg-address.ts'
import { type ExtraCurrency, readExtraCurrencies } from './extra-currency.ts'

/** A message as API answers show it. Amounts are nano-units, and 0 where the kind of message has none. */
export interface Message {
  /** Hash of the message cell as stored. */
  hash: Buffer
  /** Undefined for external, empty and variable-length addresses. */
  source: Address | undefined
  destination: Address | undefined
  value: bigint
  extra_currencies: ExtraCurrency[]
  fwd_fee: bigint
  /** 0 for an external message that came in. */
  created_lt: bigint
  /** The body in a cell of its own, whether it was stored inline or by reference. */
  body: Cell
  /** The StateInit in a cell of its own, or null. */
  init: Cell | null
}

const shown = (address: MsgAddress): Address | undefined =>
  address._ === 'addr_std' ? (accountOf(address) ?? undefined) : undefined

const amounts = (info: CommonMsgInfo): Pick<Message, 'value' | 'extra_currencies' | 'fwd_fee' | 'created_lt'> => {
  const created_lt = info._ === 'ext_in_msg_info' ? 0n : info.created_lt
  if (info._ !== 'int_msg_info') return { value: 0n, extra_currencies: [], fwd_fee: 0n, created_lt }
  const { value, fwd_fee } = info
  return { value: value.grams, extra_currencies: readExtraCurrencies(value.other), fwd_fee, created_lt }
}

/** Reads a message from its cell (TL-B Message Any). Throws `malformed`. */
export const readMessage = (cell: Cell): Message => {
  const { info, init, body } = parseMessage(cell)
  return { hash: cell.hash(), source: shown(info.src), destination: shown(info.dest), ...amounts(info), body, init }
}
