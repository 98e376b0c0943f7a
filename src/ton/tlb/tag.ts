import { TonlithError } from '../../common/errors.ts'
import { type Builder, beginCell } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { beginParse, type Slice } from '../slice.ts'

/** The error for cells that do not hold the TL-B type that they should. */
export const malformed = (type: string): TonlithError => new TonlithError('malformed', `not a ${type}`)

/** Reads a constructor tag of up to 48 bits. Throws `malformed` when it is another one. */
export const expectTag = (slice: Slice, bits: number, tag: number, type: string): void => {
  if (slice.remainingBits < bits || slice.uint(bits) !== tag) throw malformed(type)
}

/** Reads an ordinary cell that holds one value and nothing else. Throws `malformed`. */
export const parseCell = <T>(cell: Cell, load: (slice: Slice) => T): T => {
  const slice = beginParse(cell)
  const value = load(slice)
  slice.expectEnd()
  return value
}

/** TL-B Maybe X: null for nothing. */
export const maybe = <T>(slice: Slice, load: (slice: Slice) => T): T | null => (slice.bit() ? load(slice) : null)

/** A cell that holds one value and nothing else. */
export const buildCell = <T>(store: (builder: Builder, value: T) => unknown, value: T): Cell => {
  const builder = beginCell()
  store(builder, value)
  return builder.endCell()
}

/** Writes TL-B Maybe X: null for nothing. */
export const storeMaybe = <T>(
  builder: Builder,
  value: T | null,
  store: (builder: Builder, value: T) => unknown,
): Builder => {
  if (value === null) return builder.bit(false)
  store(builder.bit(true), value)
  return builder
}
