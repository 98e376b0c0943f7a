const DECIMALS = 9
/** TL-B Grams has at most 15 bytes. */
const MOST = (1n << 120n) - 1n

/**
 * Nano-units of an amount that is written in whole units with up to nine decimals: `1.5` is 1500000000n. Undefined for
 * any other text, and for what no message can carry.
 */
export const parseCoins = (text: string): bigint | undefined => {
  const [, whole, decimals = ''] = /^(\d{1,30})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const nano = BigInt(whole + decimals.padEnd(DECIMALS, '0'))
  return nano <= MOST ? nano : undefined
}

/** An amount of nano-units, not negative, in whole units without trailing zeros: 1500000000n is `1.5`. */
export const coinsText = (nano: bigint): string => {
  const digits = nano.toString().padStart(DECIMALS + 1, '0')
  const decimals = digits.slice(-DECIMALS).replace(/0+$/, '')
  return digits.slice(0, -DECIMALS) + (decimals && `.${decimals}`)
}
