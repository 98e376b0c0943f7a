import type { Builder } from '../builder.ts'
import type { Slice } from '../slice.ts'
import { expectTag, malformed } from './tag.ts'

/** TL-B ShardIdent; `shard_prefix` is the uint64 of the scheme, without the marker bit that a shard id carries. */
export interface ShardIdent {
  shard_pfx_bits: number
  workchain_id: number
  shard_prefix: bigint
}

const MAX_PREFIX_BITS = 60
const INVALID_WORKCHAIN = -0x80000000

/** TL-B ShardIdent. Throws `malformed`. */
export const loadShardIdent = (slice: Slice): ShardIdent => {
  expectTag(slice, 2, 0, 'ShardIdent')
  const ident = { shard_pfx_bits: slice.uint(6), workchain_id: slice.int(32), shard_prefix: slice.uintBig(64) }
  if (ident.shard_pfx_bits > MAX_PREFIX_BITS || ident.workchain_id === INVALID_WORKCHAIN) throw malformed('ShardIdent')
  return ident
}

/** Writes TL-B ShardIdent. */
export const storeShardIdent = (builder: Builder, ident: ShardIdent): Builder =>
  builder.uint(0, 2).uint(ident.shard_pfx_bits, 6).int(ident.workchain_id, 32).uint(ident.shard_prefix, 64)

/**
 * The shard id (signed int64: prefix, then a one bit, then zeros). Bits behind the prefix do not count: mainnet's
 * basechain zerostate has some.
 */
export const shardOf = ({ shard_pfx_bits, shard_prefix }: ShardIdent): bigint => {
  const marker = 1n << BigInt(63 - shard_pfx_bits)
  return BigInt.asIntN(64, (shard_prefix & -(marker << 1n)) | marker)
}

/** The lowest set bit of a shard id: the marker behind its prefix. */
const markerOf = (shard: bigint): bigint => {
  const s = BigInt.asUintN(64, shard)
  return s & -s
}

/** Length of the prefix of a shard id in bits (0 for an unsplit workchain). */
export const shardPrefixLength = (shard: bigint): number => {
  const marker = markerOf(shard)
  if (marker === 0n) throw malformed('shard id')
  return 64 - marker.toString(2).length
}

/** TL-B ShardIdent of a shard id (signed int64). Throws `malformed` for an id that is none. */
export const shardIdentOf = (workchain_id: number, shard: bigint): ShardIdent => ({
  shard_pfx_bits: shardPrefixLength(shard),
  workchain_id,
  shard_prefix: BigInt.asUintN(64, shard) - markerOf(shard),
})

/** The shard that a shard and its sibling came from or merge into. */
export const shardParent = (shard: bigint): bigint => {
  const marker = markerOf(shard)
  return BigInt.asIntN(64, (BigInt.asUintN(64, shard) - marker) | (marker << 1n))
}

/** The left (next prefix bit 0) or right (1) half of a shard. */
export const shardChild = (shard: bigint, right: boolean): bigint => {
  const half = markerOf(shard) >> 1n
  return BigInt.asIntN(64, BigInt.asUintN(64, shard) + (right ? half : -half))
}

/** The other half of the shard that this one is a half of; not for an unsplit workchain. */
export const shardSibling = (shard: bigint): bigint => {
  const parent = shardParent(shard)
  const left = shardChild(parent, false)
  return left === shard ? shardChild(parent, true) : left
}
