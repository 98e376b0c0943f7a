import { TonlithError } from '../../common/errors.ts'
import type { Slice } from '../slice.ts'

/** The error for cells that do not hold the TL-B type that they should. */
export const malformed = (type: string): TonlithError => new TonlithError('malformed', `not a ${type}`)

/** Reads a constructor tag of up to 48 bits. Throws `malformed` when it is another one. */
export const expectTag = (slice: Slice, bits: number, tag: number, type: string): void => {
  if (slice.remainingBits < bits || slice.uint(bits) !== tag) throw malformed(type)
}

/** TL-B Maybe X: null for nothing. */
export const maybe = <T>(slice: Slice, load: (slice: Slice) => T): T | null => (slice.bit() ? load(slice) : null)
