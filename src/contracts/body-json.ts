import { isTonlithError, TonlithError } from '../common/errors.ts'
import { serializeBoc } from '../ton/boc-writer.ts'
import { Cell } from '../ton/cell.ts'
import type { BitString } from '../ton/slice.ts'
import { decodeBody } from './body.ts'
import { type Fields, isBits, type Value } from './tlb/values.ts'

/** A value as JSON has it. */
export type BodyJson = null | boolean | string | readonly BodyJson[] | BodyObject
/** A record as JSON has it. */
export interface BodyObject {
  readonly [field: string]: BodyJson
}

/** Characters of one decoded body as JSON: a cell can stand in it many times. */
const MAX_CHARACTERS = 1 << 19
/** Different cells of one decoded body, each of which is written as a bag; one with references counts as several. */
const MAX_BAGS = 4096
const TREE_COST = 8

const bitsText = ({ bytes, length }: BitString): string => bytes.toString('hex', 0, (length + 7) >> 3).toUpperCase()

/** Writes a record: integers as decimal texts, bits in upper-case hex, cells as bags without checksum in base64. */
const writer = () => {
  let left = MAX_CHARACTERS
  let bagsLeft = MAX_BAGS
  const take = (text: string, length = text.length): string => {
    left -= length
    if (left < 0) throw new TonlithError('limit', 'too long')
    return text
  }
  const bags = new Map<Cell, string>()
  const bag = (cell: Cell): string => {
    const known = bags.get(cell)
    if (known !== undefined) return known
    bagsLeft -= cell.refCount === 0 ? 1 : TREE_COST
    if (bagsLeft < 0) throw new TonlithError('limit', 'too many cells')
    const text = serializeBoc([cell], { crc: false }).toString('base64')
    bags.set(cell, text)
    return text
  }
  const write = (value: Value): BodyJson => {
    if (typeof value === 'bigint') return take(String(value))
    if (typeof value === 'string') return take(value, JSON.stringify(value).length)
    if (typeof value === 'boolean') return value
    if (value === undefined) return null
    if (value instanceof Cell) return take(bag(value))
    if (Array.isArray(value)) return value.map(write)
    if (isBits(value)) return take(bitsText(value))
    return fields(value as Fields)
  }
  const fields = (record: Fields): BodyObject => {
    const out: Record<string, BodyJson> = {}
    for (const key in record) out[key] = write(record[key])
    return out
  }
  return fields
}

/**
 * A body or payload as API v3 tells it (contracts/v3.md 8): an object with `@type`; null for what is unknown and for what
 * would be too long.
 */
export const bodyJson = (cell: Cell): BodyObject | null => {
  const record = decodeBody(cell)
  if (!record) return null
  try {
    return writer()(record)
  } catch (error) {
    if (isTonlithError(error)) return null
    throw error
  }
}

/**
 * As `bodyJson`, for what stands in messages and transfers: a text comment has `comment` there, and its kind under `type`
 * as well.
 */
export const decodedPayload = (cell: Cell): BodyObject | null => {
  const said = bodyJson(cell)
  return said?.['@type'] === 'text_comment'
    ? { '@type': 'text_comment', comment: said.text ?? '', type: 'text_comment' }
    : said
}
