import { createHash } from 'node:crypto'
import { TonlithError } from '../../common/errors.ts'

/** Bytes in front of a cursor that tell which list it is of. */
const MARK_BYTES = 4
/** Parameters that say which part of a list is asked for, not which list. */
const PART_OF_LIST = new Set(['limit', 'offset', 'cursor'])

const textOf = (value: unknown): string => {
  if (Buffer.isBuffer(value)) return value.toString('hex')
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? JSON.stringify(value) : `${value}`
  return `{${Object.entries(value)
    .map(([key, inner]) => `${key}:${textOf(inner)}`)
    .join()}}`
}

/** The cursors of one list: a place in it behind a mark of the list, so that no other list takes them. */
export interface ListCursors {
  write(place: Buffer): Buffer
  /** The place of a cursor. Throws `invalid` for one of another list. */
  read(cursor: Buffer): Buffer
}

/** The cursors of the list that a method gives for these values of its parameters. */
export const listCursors = (method: string, values: Readonly<Record<string, unknown>>): ListCursors => {
  const asked = Object.entries(values).filter(([name]) => !PART_OF_LIST.has(name))
  const mark = createHash('sha256')
    .update(textOf([method, asked]))
    .digest()
    .subarray(0, MARK_BYTES)
  return {
    write: (place) => Buffer.concat([mark, place]),
    read: (cursor) => {
      if (mark.equals(cursor.subarray(0, MARK_BYTES))) return cursor.subarray(MARK_BYTES)
      throw new TonlithError(
        'invalid',
        'the cursor is of another list: it goes with the filters and the order it came with',
      )
    },
  }
}
