import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'

/** A value of a parsed body. Addresses that name no account are null; bytes and cells are shown in base64. */
export type BodyValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Buffer
  | Cell
  | Address
  | readonly Address[]
  | { readonly [name: string]: BodyValue }

/** What a message's body asks for, in the words of contracts/v3.md 5.9: its type, and its fields in their order. */
export interface ParsedBody {
  type: string
  fields: { readonly [name: string]: BodyValue }
}
