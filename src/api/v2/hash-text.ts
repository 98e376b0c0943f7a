const HEX = /^[0-9a-fA-F]{64}$/
const STANDARD = /^[A-Za-z0-9+/]{43}=$/
const URL_SAFE = /^[A-Za-z0-9_-]{43}=?$/

/**
 * Reads a 256-bit hash from 64 hex digits of any case, 44 characters of padded base64 in either alphabet, or 43
 * characters of unpadded URL-safe base64 (contracts/v2.md 2.3). Undefined for all else, also for base64 whose unused
 * last bits are set.
 */
export const parseHash = (text: string): Buffer | undefined => {
  if (HEX.test(text)) return Buffer.from(text, 'hex')
  if (!STANDARD.test(text) && !URL_SAFE.test(text)) return undefined
  const hash = Buffer.from(text, 'base64')
  const alphabet = STANDARD.test(text) ? 'base64' : 'base64url'
  return hash.toString(alphabet).slice(0, 43) === text.slice(0, 43) ? hash : undefined
}
