import { TonlithError } from '../common/errors.ts'

/** A JSON number; a sign is read so that it can be refused in words. */
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,6}))?$/
/** TL-B VarUInteger 16 has at most 15 bytes. */
const MOST = (1n << 120n) - 1n
const MOST_DIGITS = MOST.toString().length
/** Longer texts are refused unread. */
const MAX_LENGTH = 1000

/** Decimals that a jetton can have: its master tells them in one byte. */
export const MAX_DECIMALS = 255

const refused = (why: string): TonlithError => new TonlithError('invalid', `amount ${why}`)

/**
 * The base units of an amount in whole units, exactly: no digit goes through a float.
 * @param text a decimal number as JSON writes it, with or without fraction and exponent: "10.5", "1e2"
 * @param decimals of the asset: 0 to MAX_DECIMALS
 * @throws TonlithError `invalid` for any other text, for zero and less, for more fraction digits than the asset has, and
 * for more than a message can carry
 */
export const rawAmountOf = (text: string, decimals: number): bigint => {
  const match = text.length <= MAX_LENGTH ? DECIMAL.exec(text) : null
  if (!match) throw refused('is not a decimal number')
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') throw refused('must be more than zero')
  if (sign === '-') throw refused('must not be negative')
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length + decimals
  if (zeros < 0) throw refused(`has more fraction digits than the asset has decimals: ${decimals}`)
  const raw = significant.length + zeros > MOST_DIGITS ? undefined : BigInt(significant + '0'.repeat(zeros))
  if (raw === undefined || raw > MOST) throw refused('is more than a message can carry')
  return raw
}

/** Base units, not negative, in whole units without trailing zeros: 1500000000n of 9 decimals is "1.5". */
export const amountText = (raw: bigint, decimals: number): string => {
  const digits = raw.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
