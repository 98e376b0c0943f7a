import { isTonlithError, TonlithError } from '../../common/errors.ts'
import { isJsonObject, type Json } from '../../common/lossless-json.ts'
import type { Cell } from '../../ton/cell.ts'
import { makeCell } from '../../ton/data-cell.ts'
import { MAX_MESSAGE_CELLS } from '../../ton/external-message.ts'
import { ref } from '../json-schema.ts'
import { type CellKind, cellKind } from './cell-param.ts'

/** Deeper ones no message may have, nor larger ones. */
const MAX_DEPTH = 1024
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

const malformed = (): TonlithError => new TonlithError('malformed', 'cell object')

const field = (object: Json, name: string): Json | undefined => {
  if (!isJsonObject(object)) throw malformed()
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Data bits: `len` of them stand at the front of the bytes; the last partial byte gets its completion tag. */
const readData = (data: Json | undefined): { bytes: Uint8Array; bits: number } => {
  const [b64, bits] = [field(data ?? null, 'b64'), field(data ?? null, 'len')]
  if (typeof b64 !== 'string' || !BASE64.test(b64) || typeof bits !== 'number' || !Number.isInteger(bits) || bits < 0)
    throw malformed()
  const size = (bits + 7) >> 3
  const bytes = Uint8Array.from(Buffer.from(b64, 'base64').subarray(0, size))
  if (bytes.length < size) throw malformed()
  const tag = 0x80 >> (bits & 7)
  if (bits & 7) bytes[size - 1] = (bytes[size - 1]! & -tag) | tag
  return { bytes, bits }
}

/** `left` counts down the cells that the tree may still have. */
const readObject = (object: Json, depth: number, left: { cells: number }): Cell => {
  const refs = field(object, 'refs') ?? []
  if (depth > MAX_DEPTH || --left.cells < 0 || !Array.isArray(refs)) throw malformed()
  const { bytes, bits } = readData(field(object, 'data'))
  const children = refs.map((child: Json) => readObject(child, depth + 1, left))
  return makeCell(bytes, bits, children, field(object, 'special') === true)
}

/** The status of the reference for what is no cell object (contracts/v2.md 12). */
const BAD_CELL = 400

const isEmpty = (input: Json | undefined): boolean =>
  input === undefined || input === null || input === '' || (isJsonObject(input) && Object.keys(input).length === 0)

/**
 * Cells written out as trees of `{data: {b64, len}, refs, special}`, the form of old clients; an empty object stands for
 * none. What is no such tree is refused with the status and, in `refusal`, the words of the reference.
 */
export const cellObjects = (refusal: string): CellKind =>
  cellKind(
    { schema: ref('LegacyCellObject') },
    (input) => {
      try {
        return readObject(input ?? null, 0, { cells: MAX_MESSAGE_CELLS })
      } catch (cause) {
        if (!isTonlithError(cause)) throw cause
        throw new TonlithError('unsupported', refusal, { code: BAD_CELL, cause })
      }
    },
    isEmpty,
  )
