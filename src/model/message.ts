import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import type { ExtraCurrency } from './extra-currency.ts'

/** A message as API answers show it. Amounts are nano-units and 0 where the kind of message has none. */
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
