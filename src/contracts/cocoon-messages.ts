import { rawAddressUpper } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse, type Slice } from '../ton/slice.ts'
import { loadMsgAddress } from '../ton/tlb/msg-address.ts'
import { readOrNone } from './get-methods.ts'

/**
 * What clients are told of a message that a proxy signed (`cocoon_payout_payload` and its kin). The reference takes the
 * tokens and the address from right behind the query id, where the message has `send_excess_to` and the signature: they
 * are not those of the signed payload, and which form of address it is depends on chance. They are told the same here.
 */
export interface SignedByProxy {
  query_id: bigint
  tokens: bigint
  /** `length;hex` of an external address, else raw in upper case; null where none can be read. */
  expected_address: string | null
}

const addressText = (slice: Slice): string | null => {
  const address = loadMsgAddress(slice)
  if (address._ === 'addr_std') return rawAddressUpper({ workchain: address.workchain_id, hash: address.address })
  if (address._ !== 'addr_extern' || address.len === 0) return null
  const { bytes, length } = address.external_address
  const value = BigInt(`0x${bytes.toString('hex')}`) >> BigInt(bytes.length * 8 - length)
  return `${length};${value.toString(16)}`
}

/** Throws `malformed` for a body that ends before the tokens do. */
export const readSignedByProxy = (body: Cell): SignedByProxy => {
  const slice = beginParse(body).skip(32)
  return {
    query_id: slice.uintBig(64),
    tokens: slice.uintBig(64),
    expected_address: readOrNone(() => addressText(slice)) ?? null,
  }
}

/** The query id of `cocoon_register_proxy#927c7cb5 query_id:uint64 proxy_info:Any`. Throws `malformed` where it is cut off. */
export const readProxyRegistration = (body: Cell): { query_id: bigint } => ({
  query_id: beginParse(body).skip(32).uintBig(64),
})
