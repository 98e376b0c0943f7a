import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { parseMessage } from '../ton/tlb/message.ts'
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

/** Reads a message from its cell (TL-B Message Any). Throws `malformed`. */
export const readMessage = (cell: Cell): Message => {
  const { info, init, body } = parseMessage(cell)
  const internal = info._ === 'int_msg_info' ? info : undefined
  return {
    hash: cell.hash(),
    source: shown(info.src),
    destination: shown(info.dest),
    value: internal?.value.grams ?? 0n,
    extra_currencies: internal ? readExtraCurrencies(internal.value.other) : [],
    fwd_fee: internal?.fwd_fee ?? 0n,
    created_lt: info._ === 'ext_in_msg_info' ? 0n : info.created_lt,
    body,
    init,
  }
}
