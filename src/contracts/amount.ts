import { TonlithError } from '../common/errors.ts'
import type { Slice } from '../ton/slice.ts'

/** TL-B Grams in a place that the API describes as int64. Throws `malformed` for an amount beyond it. */
export const readAmount = (slice: Slice): bigint => {
  const amount = slice.coins()
  if (amount >> 63n !== 0n) throw new TonlithError('malformed', 'amount does not fit int64')
  return amount
}

/**
 * As readAmount, and in the one form that the node takes for valid: without leading zero bytes. Throws `malformed`
 * otherwise.
 */
export const readCanonicalAmount = (slice: Slice): bigint => {
  const form = slice.clone()
  if (form.uint(4) > 0 && form.uint(8) === 0) throw new TonlithError('malformed', 'amount with leading zeros')
  return readAmount(slice)
}
