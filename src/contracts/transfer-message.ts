import type { Address } from '../ton/address.ts'
import { beginCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import type { CurrencyCollection } from '../ton/tlb/currency.ts'
import { buildMessage } from '../ton/tlb/message.ts'
import type { MsgAddressInt } from '../ton/tlb/msg-address.ts'

/** What an internal message carries, and where. */
export interface Transfer {
  from: Address
  to: Address
  bounce: boolean
  value: CurrencyCollection
  /** TL-B ^StateInit. */
  init: Cell | null
  body: Cell | null
}

const standard = ({ workchain, hash }: Address): MsgAddressInt => ({
  _: 'addr_std',
  anycast: null,
  workchain_id: workchain,
  address: hash,
})

/** TL-B ^(MessageRelaxed Any) as wallets write it: StateInit and body in cells of their own, what the node fills in is 0. */
export const transferMessage = ({ from, to, bounce, value, init, body }: Transfer): Cell =>
  buildMessage({
    info: {
      _: 'int_msg_info',
      ihr_disabled: true,
      bounce,
      bounced: false,
      src: standard(from),
      dest: standard(to),
      value,
      extra_flags: 0n,
      fwd_fee: 0n,
      created_lt: 0n,
      created_at: 0,
    },
    init,
    init_in_ref: true,
    body: body ?? beginCell().endCell(),
    body_in_ref: body !== null,
  })
