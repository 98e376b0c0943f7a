import { hash } from 'node:crypto'
import { TonlithError } from '../common/errors.ts'
import { MASTERCHAIN } from './block-id.ts'
import { crc32c } from './crc.ts'
import type { CatchainConfig, ValidatorSet } from './tlb/validators.ts'

/** One member of a validator subset. In a shard's subset every weight is 1. */
export interface Validator {
  public_key: Buffer
  weight: bigint
  adnl_addr: Buffer
}

/** The validators that sign the blocks of one shard under one catchain seqno, in the order of the node's own list. */
export interface ValidatorSubset {
  catchain_seqno: number
  validators: Validator[]
  total_weight: bigint
  /** What a block's header calls gen_validator_list_hash_short. */
  validator_list_hash_short: number
}

const HASH_MAGIC = -1877581587
const MASK_64 = (1n << 64n) - 1n

/** The node's ValidatorSetPRNG: next64() hands out the big-endian words of SHA-512 over seed, shard and catchain seqno. */
const randomOf = (workchain: number, shard: bigint, catchain_seqno: number): ((range: bigint) => bigint) => {
  const state = Buffer.alloc(48)
  state.writeBigUInt64BE(BigInt.asUintN(64, shard), 32)
  state.writeInt32BE(workchain, 40)
  state.writeUInt32BE(catchain_seqno, 44)
  let words = Buffer.alloc(0)
  const next64 = (): bigint => {
    if (words.length === 0) {
      words = hash('sha512', state, 'buffer')
      for (let i = 31; i >= 0; i--) {
        state[i] = (state[i]! + 1) & 255
        if (state[i] !== 0) break
      }
    }
    const word = words.readBigUInt64BE(0)
    words = words.subarray(8)
    return word
  }
  return (range) => ((range & MASK_64) * next64()) >> 64n
}

/** Positions of the first `count` validators in the order in which the masterchain's session lists them. */
const shuffled = (count: number, random: (range: bigint) => bigint): number[] => {
  const order: number[] = []
  for (let i = 0; i < count; i++) {
    const j = Number(random(BigInt(i + 1)))
    order[i] = order[j] ?? i
    order[j] = i
  }
  return order
}

/** `count` different positions, drawn by weight without replacement. */
const drawn = (set: ValidatorSet, count: number, random: (range: bigint) => bigint): number[] => {
  const starts: bigint[] = []
  let sum = 0n
  for (const { weight } of set.list) {
    starts.push(sum)
    sum += weight
  }
  const at = (point: bigint): number => {
    let low = 0
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= point) low = middle
      else high = middle
    }
    return low
  }
  const order: number[] = []
  const holes: { start: bigint; weight: bigint }[] = []
  let left = set.total_weight
  for (let i = 0; i < count; i++) {
    let point = random(left)
    for (const hole of holes) {
      if (point < hole.start) break
      point += hole.weight
    }
    const index = at(point)
    order.push(index)
    const hole = { start: starts[index]!, weight: set.list[index]!.weight }
    const place = holes.findIndex(({ start }) => start > hole.start)
    holes.splice(place < 0 ? holes.length : place, 0, hole)
    left -= hole.weight
  }
  return order
}

/** The node's compute_validator_set_hash: CRC-32C over a little-endian list of keys, weights and ADNL addresses. */
export const validatorListHashShort = (catchain_seqno: number, validators: readonly Validator[]): number => {
  const bytes = Buffer.alloc(12 + validators.length * 72)
  bytes.writeInt32LE(HASH_MAGIC, 0)
  bytes.writeUInt32LE(catchain_seqno, 4)
  bytes.writeUInt32LE(validators.length, 8)
  let at = 12
  for (const { public_key, weight, adnl_addr } of validators) {
    bytes.set(public_key, at)
    bytes.writeBigUInt64LE(weight, at + 32)
    bytes.set(adnl_addr, at + 40)
    at += 72
  }
  return crc32c(bytes)
}

/**
 * The validators that are to sign the blocks of a shard (signed int64 prefix) while `catchain_seqno` rules, drawn from a
 * whole ValidatorSet by the rules of configuration parameter 28. Throws `malformed` when the set is empty.
 */
export const validatorSubset = (
  set: ValidatorSet,
  config: CatchainConfig,
  shard: { workchain: number; shard: bigint },
  catchain_seqno: number,
): ValidatorSubset => {
  const master = shard.workchain === MASTERCHAIN
  const count = Math.min(master ? set.main : config.shard_validators_num, set.list.length)
  if (count === 0) throw new TonlithError('malformed', 'empty validator set')
  const random = randomOf(shard.workchain, shard.shard, catchain_seqno)
  const order = !master
    ? drawn(set, count, random)
    : config.shuffle_mc_validators
      ? shuffled(count, random)
      : Array.from({ length: count }, (_, i) => i)
  const validators = order.map((index) => {
    const { public_key, weight, adnl_addr } = set.list[index]!
    return { public_key, weight: master ? weight : 1n, adnl_addr }
  })
  return {
    catchain_seqno,
    validators,
    total_weight: validators.reduce((sum, { weight }) => sum + weight, 0n),
    validator_list_hash_short: validatorListHashShort(catchain_seqno, validators),
  }
}
