import type { Builder } from '../builder.ts'
import type { Slice } from '../slice.ts'
import { malformed } from './tag.ts'

/** TL-B IntermediateAddress; `addr_pfx` is the unsigned 64-bit prefix. */
export type IntermediateAddress =
  | { _: 'interm_addr_regular'; use_dest_bits: number }
  | { _: 'interm_addr_simple'; workchain_id: number; addr_pfx: bigint }
  | { _: 'interm_addr_ext'; workchain_id: number; addr_pfx: bigint }

const MAX_DEST_BITS = 96

/** TL-B IntermediateAddress. Throws `malformed`. */
export const loadIntermediateAddress = (slice: Slice): IntermediateAddress => {
  if (!slice.bit()) {
    const use_dest_bits = slice.uint(7)
    if (use_dest_bits > MAX_DEST_BITS) throw malformed('IntermediateAddress')
    return { _: 'interm_addr_regular', use_dest_bits }
  }
  return slice.bit()
    ? { _: 'interm_addr_ext', workchain_id: slice.int(32), addr_pfx: slice.uintBig(64) }
    : { _: 'interm_addr_simple', workchain_id: slice.int(8), addr_pfx: slice.uintBig(64) }
}

/** Writes TL-B IntermediateAddress. */
export const storeIntermediateAddress = (builder: Builder, address: IntermediateAddress): Builder => {
  switch (address._) {
    case 'interm_addr_regular':
      return builder.bit(false).uint(address.use_dest_bits, 7)
    case 'interm_addr_simple':
      return builder.uint(0b10, 2).int(address.workchain_id, 8).uint(address.addr_pfx, 64)
    case 'interm_addr_ext':
      return builder.uint(0b11, 2).int(address.workchain_id, 32).uint(address.addr_pfx, 64)
  }
}
