import { TonlithError } from '../../common/errors.ts'
import { MASTERCHAIN, shardContains } from '../../ton/block-id.ts'
import type { IntermediateAddress } from '../../ton/tlb/intermediate-address.ts'
import { accountOf, type MsgAddressInt } from '../../ton/tlb/msg-address.ts'

/** Workchain and first 64 bits (unsigned) of an account id: what messages are routed by. */
export interface AddressPrefix {
  workchain: number
  prefix: bigint
}

export interface ShardId {
  workchain: number
  /** Signed int64. */
  shard: bigint
}

/** Bits of a whole AddressPrefix. */
const ADDRESS_BITS = 96
const WORKCHAIN_BITS = 32
const MASK_64 = (1n << 64n) - 1n
/** Bits of the prefix that one hop corrects. */
const HOP_BITS = 4

/** Where an internal address lies. Throws `malformed` for one that is not 256 bits long. */
export const prefixOf = (address: MsgAddressInt): AddressPrefix => {
  const account = accountOf(address)
  if (!account) throw new TonlithError('malformed', 'an internal address of another length')
  return { workchain: account.workchain, prefix: account.hash.readBigUInt64BE(0) }
}

export const shardHolds = ({ workchain, shard }: ShardId, address: AddressPrefix): boolean =>
  workchain === address.workchain && shardContains(shard, address.prefix)

/** The first `bits` (0 to 96) bits of `destination`, the others of `source`. */
export const interpolate = (source: AddressPrefix, destination: AddressPrefix, bits: number): AddressPrefix => {
  if (bits <= 0) return source
  if (bits >= ADDRESS_BITS) return destination
  if (bits >= WORKCHAIN_BITS) {
    const mask = MASK_64 >> BigInt(bits - WORKCHAIN_BITS)
    return {
      workchain: destination.workchain,
      prefix: (destination.prefix & ~mask & MASK_64) | (source.prefix & mask),
    }
  }
  const mask = -1 >>> bits
  return { workchain: (destination.workchain & ~mask) | (source.workchain & mask), prefix: source.prefix }
}

/** How many bits of the destination an address of an envelope has. Throws `unsupported` for the forms that no node writes. */
export const destinationBits = (address: IntermediateAddress): number => {
  if (address._ !== 'interm_addr_regular') throw new TonlithError('unsupported', 'an intermediate address without bits')
  return address.use_dest_bits
}

/** The form in which the node writes intermediate addresses. */
export const hopAddress = (use_dest_bits: number): IntermediateAddress => ({ _: 'interm_addr_regular', use_dest_bits })

const leadingZeroes = (value: bigint): number => (value === 0n ? 64 : 64 - value.toString(2).length)

/** Current and next hop of a message, as numbers of bits of its destination. */
export interface Route {
  cur: number
  next: number
}

/**
 * Hypercube routing out of `shard` (node: perform_hypercube_routing): from `source`, which lies in it, to `destination`;
 * one hop corrects the next hexadecimal digit that leads out of the shard.
 */
export const route = (source: AddressPrefix, destination: AddressPrefix, shard: ShardId): Route => {
  if (!shardHolds(shard, source)) throw new TonlithError('internal', 'a message starts outside of the shard')
  if (shardHolds(shard, destination)) return { cur: ADDRESS_BITS, next: ADDRESS_BITS }
  if (source.workchain === MASTERCHAIN || destination.workchain === MASTERCHAIN) return { cur: 0, next: ADDRESS_BITS }
  if (source.workchain !== destination.workchain) return { cur: 0, next: WORKCHAIN_BITS }
  const from = source.prefix
  const difference = destination.prefix ^ from
  let bits = leadingZeroes(difference) & -HOP_BITS
  let mask = MASK_64 >> BigInt(bits)
  do {
    mask >>= BigInt(HOP_BITS)
    bits += HOP_BITS
  } while (shardContains(shard.shard, from ^ (difference & ~mask & MASK_64)))
  return { cur: WORKCHAIN_BITS - HOP_BITS + bits, next: WORKCHAIN_BITS + bits }
}
