import type { Address } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'

/**
 * A value in the details of an action. On the wire: an address raw in upper case, a bigint as decimal text, a cell as a
 * bag in base64; what is hex or a text of its own is a string already.
 */
export type DetailValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Address
  | Cell
  | readonly DetailValue[]
  | { readonly [name: string]: DetailValue }

/** What kind of action it is, with its details (contracts/v3.md 6.2): all keys in the order of the wire, null when unknown. */
export type ActionOf<
  Type extends string,
  Details extends { readonly [name: string]: DetailValue },
> = Type extends string ? { type: Type; details: Details } : never

/** Amounts of extra currencies by id. */
export type ExtraAmounts = { readonly [id: string]: bigint }
