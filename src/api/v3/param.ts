import { TonlithError } from '../../common/errors.ts'
import type { Address } from '../../ton/address.ts'
import { BOOLEAN, INT32, type JsonSchema, STRING } from '../json-schema.ts'
import {
  readAddress,
  readAddressOrNull,
  readAnyHash,
  readBool,
  readHash,
  readInt32,
  readOpcode,
  readShard,
  readSort,
  readUint64,
  readUtime,
} from './value-formats.ts'

/** One parameter of a v3 query, as data. */
export interface Param<T> {
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  /** Other names that it is sent under. */
  readonly aliases?: readonly string[]
  /** Left out of OpenAPI. */
  readonly hidden?: true
  /** Reads all values that were sent under its names, but for empty ones. Throws `invalid`. */
  read(values: readonly string[], name: string): T
}

interface Options {
  description?: string
  aliases?: readonly string[]
  hidden?: true
}

const MAX_SHOWN = 100
const shown = (text: string): string => JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

/** The refusal of a value, which it names together with its parameter. */
const notConverted = (name: string, value: string, what: string, index?: number): TonlithError =>
  new TonlithError(
    'invalid',
    `failed to decode: error converting value for ${index === undefined ? '' : `index ${index} of `}"${name}": ${shown(value)} is not ${what}`,
  )

interface Kind<T> {
  /** Completes "… is not". */
  what: string
  description: string
  schema: JsonSchema
  parse(text: string): T | undefined
}

const described = ({ description, aliases, hidden }: Options, otherwise: string) => ({
  description: description ?? otherwise,
  ...(aliases && { aliases }),
  ...(hidden && { hidden }),
})

/** Of a value that is sent repeatedly the last one counts. */
const optional =
  <T>(kind: Kind<T>) =>
  (options: Options = {}): Param<T | undefined> => ({
    required: false,
    ...described(options, kind.description),
    schema: kind.schema,
    read: (values, name) => {
      const text = values.at(-1)
      if (text === undefined) return undefined
      const value = kind.parse(text)
      if (value === undefined) throw notConverted(name, text, kind.what)
      return value
    },
  })

/** A list: repeated, or parted by commas where the whole is no value. */
const list =
  <T>(kind: Kind<T>) =>
  (options: Options = {}): Param<readonly T[]> => ({
    required: false,
    ...described(options, `${kind.description}; repeated, or parted by commas`),
    schema: { type: 'array', items: kind.schema },
    read: (values, name) => {
      const texts = values.flatMap((text) =>
        kind.parse(text) === undefined && text.includes(',') ? text.split(',').filter((part) => part !== '') : [text],
      )
      return texts.map((text, index) => {
        const value = kind.parse(text)
        if (value === undefined) throw notConverted(name, text, kind.what, index)
        return value
      })
    },
  })

const ADDRESS: Kind<Address> = {
  what: 'an address',
  description: 'Account address in any form',
  schema: STRING,
  parse: readAddress,
}
const HASH: Kind<Buffer> = {
  what: 'a hash',
  description: 'Hash: 64 hex digits, or 44 characters of base64 in either alphabet',
  schema: STRING,
  parse: readHash,
}
const DIGITS: JsonSchema = { type: 'string', pattern: '^[0-9]+$' }

export const address = optional(ADDRESS)
export const addresses = list(ADDRESS)
export const hash = optional(HASH)
export const hashes = list(HASH)
/** As hash, for methods that the reference does not have: it refuses what is not padded. */
export const anyHash = optional({
  ...HASH,
  description: `${HASH.description}, the URL-safe one also unpadded`,
  parse: readAnyHash,
})
export const addressOrNull = optional<Address | null>({
  what: 'an address or null',
  description: 'Account address in any form, or null for messages without one',
  schema: STRING,
  parse: readAddressOrNull,
})
export const shard = optional({
  what: 'a shard',
  description: 'Shard: hex, or a negative decimal',
  schema: STRING,
  parse: readShard,
})
export const opcode = optional({
  what: 'an opcode of 32 bits',
  description: 'Opcode: hex, or a decimal that cannot be hex; 100 is 0x100',
  schema: STRING,
  parse: readOpcode,
})
export const utime = optional({
  what: 'a time in seconds',
  description: 'Unix time in seconds, inclusive; a fraction is dropped',
  schema: { type: 'number', minimum: 0 },
  parse: readUtime,
})
export const lt = optional({
  what: 'an unsigned 64-bit number',
  description: 'Logical time',
  schema: DIGITS,
  parse: readUint64,
})
export const int32 = optional({ what: 'an int32', description: '', schema: INT32, parse: readInt32 })
export const seqno = optional({
  what: 'a seqno',
  description: '',
  schema: { ...INT32, minimum: 0 },
  parse: (text) => {
    const value = readInt32(text)
    return value !== undefined && value >= 0 ? value : undefined
  },
})
const bool = optional({ what: 'a boolean', description: '', schema: BOOLEAN, parse: readBool })
export const text = optional<string>({ what: 'a text', description: '', schema: STRING, parse: (value) => value })
/** Texts as they were given, at commas apart. */
export const texts = (options: Options = {}): Param<readonly string[]> => ({
  required: false,
  ...described(options, 'Repeated, or parted by commas'),
  schema: { type: 'array', items: STRING },
  read: (values) => values.flatMap((value) => value.split(',')).filter((value) => value !== ''),
})

const ALL_DIGITS = /^[0-9]+$/
const MAX_INDEX = 1n << 256n
const MAX_INDEX_DIGITS = 78

/** NFT indexes in decimal, up to 256 bits. */
export const indexes = (options: Options = {}): Param<readonly bigint[]> => ({
  required: false,
  ...described(options, 'Repeated, or parted by commas'),
  schema: { type: 'array', items: DIGITS },
  read: (values, name) => {
    const given = texts().read(values, name)
    if (!given.every((text) => ALL_DIGITS.test(text))) throw refusal(`${name} should contain digits only`)
    const numbers = given.map((text) => (text.length > MAX_INDEX_DIGITS ? MAX_INDEX : BigInt(text)))
    if (numbers.some((number) => number >= MAX_INDEX)) throw refusal(`${name} should not exceed 256 bits`)
    return numbers
  },
})

/** A yes or no that has a value when it is not sent. */
export const flag = (otherwise: boolean, options: Options = {}): Param<boolean> => {
  const param = bool(options)
  return {
    ...param,
    schema: { ...BOOLEAN, default: otherwise },
    read: (values, name) => param.read(values, name) ?? otherwise,
  }
}

/** A parameter that must be sent; `missing` is the refusal, with status 422 unless told. */
export const required = <T>(param: Param<T | undefined>, missing: string, code?: number): Param<T> => ({
  ...param,
  required: true,
  read: (values, name) => {
    const value = param.read(values, name)
    if (value === undefined) throw refusal(missing, code)
    return value
  },
})

/** A list of which at least one must be sent. */
export const requiredList = <T>(param: Param<readonly T[]>, missing: string): Param<readonly T[]> => ({
  ...param,
  required: true,
  read: (values, name) => {
    const list = param.read(values, name)
    if (list.length === 0) throw refusal(missing)
    return list
  },
})

/** The refusal of a request: `invalid`, or one that names another status. */
export const refusal = (message: string, code?: number): TonlithError =>
  code === undefined ? new TonlithError('invalid', message) : new TonlithError('unsupported', message, { code })

const BOTH = 'both'

/** `in`, `out` or `both`, which is as if not sent. */
export const transferDirection = (description: string): Param<'in' | 'out' | undefined> => ({
  required: false,
  description,
  schema: { type: 'string', enum: ['in', 'out', BOTH] },
  read: (values) => {
    const value = values.at(-1)
    if (value === BOTH) return undefined
    if (!isDirection(value)) throw refusal(`direction should be one of: in, out, both; it is ${shown(value ?? '')}`)
    return value
  },
})

const DIRECTIONS = new Set(['in', 'out'])
const isDirection = (value: string | undefined): value is 'in' | 'out' | undefined =>
  value === undefined || DIRECTIONS.has(value)

/** `in` or `out`. */
export const direction = (options: Options = {}): Param<'in' | 'out' | undefined> => ({
  required: false,
  ...described(options, 'in or out'),
  schema: { type: 'string', enum: ['in', 'out'] },
  read: (values) => {
    const value = values.at(-1)
    if (!isDirection(value)) throw refusal(`direction should be one of: in, out; it is ${shown(value ?? '')}`)
    return value
  },
})

export const DEFAULT_LIMIT = 100
export const MAX_LIMIT = 1000

/** Numbers below these two minima are taken as the minimum, as the reference takes them (contracts/v3.md 2.3). */
const limit: Param<number> = {
  required: false,
  description: 'Rows of the answer; less than 1 is taken as 1',
  schema: { ...INT32, default: DEFAULT_LIMIT, minimum: 1, maximum: MAX_LIMIT },
  read: (values, name) => {
    const value = int32().read(values, name) ?? DEFAULT_LIMIT
    if (value > MAX_LIMIT) throw refusal(`limit is not allowed: ${value} > ${MAX_LIMIT}`)
    return Math.max(1, value)
  },
}

const offset: Param<number> = {
  required: false,
  description: 'Rows left out in front, less than 0 is taken as 0; a cursor is cheaper where it is deep',
  schema: { ...INT32, default: 0, minimum: 0 },
  read: (values, name) => Math.max(0, int32().read(values, name) ?? 0),
}

const SORT_SCHEMA: JsonSchema = { type: 'string', enum: ['asc', 'desc'] }

/** An order that is only in force when it is sent. */
export const optionalSort = (description: string): Param<'asc' | 'desc' | undefined> => ({
  required: false,
  description,
  schema: SORT_SCHEMA,
  read: (values) => {
    const value = values.at(-1)
    const order = value === undefined ? undefined : readSort(value)
    if (value !== undefined && !order) throw refusal(`wrong value for sort parameter: ${shown(value)}`)
    return order
  },
})

const sent = optionalSort('asc or desc')
const sort: Param<'asc' | 'desc'> = {
  ...sent,
  schema: { ...SORT_SCHEMA, default: 'desc' },
  read: (values, name) => sent.read(values, name) ?? 'desc',
}

const CURSOR = /^[A-Za-z0-9_-]{1,2000}$/

const cursor: Param<Buffer | undefined> = {
  required: false,
  description: 'X-Next-Cursor of the page before, asked with the same filters and order',
  schema: STRING,
  read: (values, name) => {
    const value = values.at(-1)
    if (value === undefined) return undefined
    if (!CURSOR.test(value)) throw notConverted(name, value, 'a cursor')
    return Buffer.from(value, 'base64url')
  },
}

/** The parameters of lists without an order of choice. */
export const PAGE_ONLY = { limit, offset, cursor }
/** The parameters of lists. */
export const PAGE = { limit, offset, sort, cursor }

export const minSeqno: Param<number | undefined> = seqno({
  description: 'Masterchain seqno that the answer must reflect: waited for, else 409',
})
