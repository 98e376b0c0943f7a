import type { Counters } from '../../ton/tlb/mc-state-extra.ts'

/** Fraction bits of the sums in which the tables are made; far more than any of them keeps. */
const SERIES_BITS = 320n
/** A quantity that decays by half of e every 2^16 units is nothing after this many times e. */
const MAX_WHOLE = 45
const SCALE_BITS = 32n
/** After as many seconds a count over 2,048 seconds is nothing. */
const SHORT_LIFE = 48 * 2048
const SHORT_STEP = 32

const shiftRounded = (value: bigint, bits: bigint): bigint => (value + (1n << (bits - 1n))) >> bits

/** e^(-numerator / 2^denominatorBits), scaled by 2^SERIES_BITS. */
const negativeExponential = (numerator: bigint, denominatorBits: bigint): bigint => {
  const one = 1n << SERIES_BITS
  let halvings = 0n
  while (numerator >> (denominatorBits + halvings)) halvings++
  let term = one
  let sum = 0n
  for (let i = 1n; term !== 0n; i++) {
    sum += term
    term = -(term * numerator) / (i << (denominatorBits + halvings))
  }
  for (; halvings > 0n; halvings--) sum = (sum * sum) >> SERIES_BITS
  return sum
}

const lossTable = (stepBits: bigint, keptBits: bigint): bigint[] =>
  Array.from({ length: 256 }, (_, i) =>
    shiftRounded((1n << SERIES_BITS) - negativeExponential(BigInt(i), stepBits), SERIES_BITS - keptBits),
  )

/** e^-i as 64 significant bits and the number of bits that they are behind the point. */
const wholeTable = (): { factor: bigint; bits: bigint }[] =>
  Array.from({ length: MAX_WHOLE + 1 }, (_, i) => {
    const value = negativeExponential(BigInt(i), 0n)
    const excess = BigInt(value.toString(2).length - 64)
    return { factor: shiftRounded(value, excess), bits: SERIES_BITS - excess }
  })

let tables: { coarse: bigint[]; fine: bigint[]; whole: { factor: bigint; bits: bigint }[] } | undefined

const madeTables = () => {
  tables ??= { coarse: lossTable(8n, 64n), fine: lossTable(16n, 72n), whole: wholeTable() }
  return tables
}

/**
 * value * e^(-k / 2^16), rounded as the node rounds it (td::umulnexps32), so that the last bit is the same.
 * `value` is an uint64, `k` an uint32.
 */
export const decayed = (value: bigint, k: number): bigint => {
  if (k === 0 || value === 0n) return value
  const times = Math.floor(k / 65536)
  if (times > MAX_WHOLE) return 0n
  const { coarse, fine, whole } = madeTables()
  const shift = BigInt(64 - value.toString(2).length)
  let x = value << shift
  const [second, third] = [(k >> 8) & 255, k & 255]
  if (third) x -= (shiftRounded(x * fine[third]!, 64n) + 0x80n) >> 8n
  if (second) x -= shiftRounded(x * coarse[second]!, 64n)
  if (times === 0) return shift === 0n ? x : shiftRounded(x, shift)
  const { factor, bits } = whole[times]!
  return shiftRounded(x * factor, bits + shift)
}

/** Counters after `count` more blocks at `now` (unix seconds), as the node counts them (DiscountedCounter). */
export const countedOn = (counters: Counters, count: number, now: number): Counters => {
  const scaled = BigInt(count) << SCALE_BITS
  if (counters.total === 0n) return { last_updated: now, total: BigInt(count), cnt2048: scaled, cnt65536: scaled }
  const passed = Math.max(0, now - counters.last_updated)
  return {
    last_updated: now,
    total: counters.total + BigInt(count),
    cnt2048: (passed >= SHORT_LIFE ? 0n : decayed(counters.cnt2048, passed * SHORT_STEP)) + scaled,
    cnt65536: decayed(counters.cnt65536, passed) + scaled,
  }
}
