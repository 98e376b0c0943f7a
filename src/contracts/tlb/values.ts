import { isTonlithError, TonlithError } from '../../common/errors.ts'
import { Cell } from '../../ton/cell.ts'
import type { BitString, Slice } from '../../ton/slice.ts'

/** What a TL-B record holds, in the order of its fields; `@type` is the constructor, missing where it has no name. */
export interface Fields {
  '@type'?: string
  [field: string]: Value
}

/** A value of a TL-B type: integers of all sizes are bigint, Bool is boolean, texts are strings. */
export type Value = undefined | bigint | boolean | string | BitString | Cell | readonly Value[] | Fields

/** What the reading of one body may still spend, so that no body costs more than a fixed time. */
export interface Budget {
  /** Records that may still be read. What costs more than a record counts as several. */
  records: number
  /** How many records stand in each other now. */
  nesting: number
  /** How many known bodies stand in each other now. */
  bodies: number
}

/** Reads one value. Throws `malformed`. */
export type Read = (slice: Slice, budget: Budget) => Value

/** 255 transfers of jettons, as many as a wallet sends at once, take up a third of it. */
const MAX_RECORDS = 24_576
/** Records that a constructor that does not fit counts as. */
const FAILURE_COST = 16
const MAX_NESTING = 300

/** A new budget. */
export const createBudget = (): Budget => ({ records: MAX_RECORDS, nesting: 0, bodies: 0 })

/** The failure of a reading. */
export const mismatch = (message: string): TonlithError => new TonlithError('malformed', message)

/** Counts what is as much work as so many records. Throws `malformed` when there is too much of it. */
export const charge = (budget: Budget, records: number): void => {
  budget.records -= records
  if (budget.records < 0) throw mismatch('too many records')
}

/** Counts a record that is read. Throws `malformed` when there are too many of them. */
export const enter = (budget: Budget): void => {
  charge(budget, 1)
  if (++budget.nesting > MAX_NESTING) throw mismatch('records too deep')
}

/** Whether a value is a record, not a list, a cell or a run of bits. */
export const isFields = (value: Value): value is Fields =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof Cell) && !isBits(value)

/** Whether a value is a run of bits. */
export const isBits = (value: Value): value is BitString =>
  typeof value === 'object' && 'bytes' in value && 'length' in value && Buffer.isBuffer(value.bytes)

/** Reads with `read`, or gives undefined where it does not fit. The slice moves only where it fits. */
export const attempt = (read: Read, slice: Slice, budget: Budget): Value => {
  const { nesting, bodies } = budget
  const inner = slice.clone()
  try {
    const value = read(inner, budget)
    slice.skip(slice.remainingBits - inner.remainingBits).skipRefs(slice.remainingRefs - inner.remainingRefs)
    return value
  } catch (error) {
    if (!isTonlithError(error)) throw error
    budget.records -= FAILURE_COST
    Object.assign(budget, { nesting, bodies })
    return undefined
  }
}
