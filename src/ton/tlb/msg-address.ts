import type { Address } from '../address.ts'
import type { Builder } from '../builder.ts'
import type { BitString, Slice } from '../slice.ts'
import { malformed, maybe } from './tag.ts'

/** TL-B Anycast: the first bits of the address are replaced by `rewrite_pfx`. */
export interface Anycast {
  depth: number
  rewrite_pfx: BitString
}

export type MsgAddressExt = { _: 'addr_none' } | { _: 'addr_extern'; len: number; external_address: BitString }
export type MsgAddressInt =
  | { _: 'addr_std'; anycast: Anycast | null; workchain_id: number; address: Buffer }
  | { _: 'addr_var'; anycast: Anycast | null; addr_len: number; workchain_id: number; address: BitString }
export type MsgAddress = MsgAddressInt | MsgAddressExt

const MAX_ANYCAST_DEPTH = 30
const ACCOUNT_ID_BITS = 256

const loadAnycast = (slice: Slice): Anycast => {
  const depth = slice.uint(5)
  if (depth < 1 || depth > MAX_ANYCAST_DEPTH) throw malformed('Anycast')
  return { depth, rewrite_pfx: slice.bits(depth) }
}

/** TL-B MsgAddress, one of the four forms. Throws `malformed`. */
export const loadMsgAddress = (slice: Slice): MsgAddress => {
  switch (slice.uint(2)) {
    case 0:
      return { _: 'addr_none' }
    case 1: {
      const len = slice.uint(9)
      return { _: 'addr_extern', len, external_address: slice.bits(len) }
    }
    case 2: {
      const anycast = maybe(slice, loadAnycast)
      return { _: 'addr_std', anycast, workchain_id: slice.int(8), address: slice.bytes(32) }
    }
    default: {
      const anycast = maybe(slice, loadAnycast)
      const addr_len = slice.uint(9)
      return { _: 'addr_var', anycast, addr_len, workchain_id: slice.int(32), address: slice.bits(addr_len) }
    }
  }
}

/** TL-B MsgAddressInt. Throws `malformed` for an external address. */
export const loadMsgAddressInt = (slice: Slice): MsgAddressInt => {
  const address = loadMsgAddress(slice)
  if (address._ === 'addr_none' || address._ === 'addr_extern') throw malformed('MsgAddressInt')
  return address
}

/** TL-B MsgAddressExt. Throws `malformed` for an internal address. */
export const loadMsgAddressExt = (slice: Slice): MsgAddressExt => {
  const address = loadMsgAddress(slice)
  if (address._ !== 'addr_none' && address._ !== 'addr_extern') throw malformed('MsgAddressExt')
  return address
}

/** Writes an internal address as it was read. */
export const storeMsgAddressInt = (builder: Builder, address: MsgAddressInt): Builder => {
  builder.uint(address._ === 'addr_std' ? 2 : 3, 2)
  const { anycast } = address
  if (anycast) builder.bit(true).uint(anycast.depth, 5).bits(anycast.rewrite_pfx)
  else builder.bit(false)
  return address._ === 'addr_std'
    ? builder.int(address.workchain_id, 8).bytes(address.address)
    : builder.uint(address.addr_len, 9).int(address.workchain_id, 32).bits(address.address)
}

/** Writes an external address as it was read. */
export const storeMsgAddressExt = (builder: Builder, address: MsgAddressExt): Builder =>
  address._ === 'addr_none'
    ? builder.uint(0, 2)
    : builder.uint(1, 2).uint(address.len, 9).bits(address.external_address)

/** Writes TL-B addr_std without anycast. */
export const storeStdAddress = (builder: Builder, { workchain, hash }: Address): Builder =>
  storeMsgAddressInt(builder, { _: 'addr_std', anycast: null, workchain_id: workchain, address: hash })

const rewritten = (address: Buffer, anycast: Anycast | null): Buffer => {
  if (!anycast) return address
  const result = Buffer.from(address)
  const { depth, rewrite_pfx } = anycast
  for (let i = 0; i * 8 < depth; i++) {
    const mask = depth - i * 8 >= 8 ? 255 : (255 << (8 - (depth & 7))) & 255
    result[i] = (rewrite_pfx.bytes[i]! & mask) | (result[i]! & ~mask)
  }
  return result
}

/**
 * The account that an internal address names, anycast prefix applied (node: extract_std_address). Null for external
 * addresses and for addresses that are not 256 bits long.
 */
export const accountOf = (address: MsgAddress): Address | null => {
  if (address._ === 'addr_std')
    return { workchain: address.workchain_id, hash: rewritten(address.address, address.anycast) }
  if (address._ === 'addr_var' && address.addr_len === ACCOUNT_ID_BITS)
    return { workchain: address.workchain_id, hash: rewritten(address.address.bytes, address.anycast) }
  return null
}
