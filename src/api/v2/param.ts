import { TonlithError } from '../../common/errors.ts'
import type { Json } from '../../common/lossless-json.ts'
import { type GivenAddress, rawAddress, tryParseAddress } from '../../ton/address.ts'
import { INT32, INT64, type JsonSchema, STRING } from '../json-schema.ts'
import { parseHash } from './hash-text.ts'

/**
 * One parameter of a v2 method, as data. Values arrive as text (GET) or as JSON (POST, JSON-RPC); a kind reads both
 * (contracts/v2.md 2). The texts of refusals are bare, as spec.md lists them.
 */
export interface Param<T> {
  /** False when a request may leave it out. */
  readonly required: boolean
  readonly description: string
  /** How OpenAPI describes it in a query. */
  readonly schema: JsonSchema
  /** How OpenAPI describes it in a JSON body, where that is another way. */
  readonly bodySchema?: JsonSchema
  /** Set for a list, which a query repeats. */
  readonly isList?: true
  /** Reads the value; `undefined` means that it was not sent. Throws `invalid`. */
  read(input: Json | undefined, name: string): T
  /** Checks the bounds of a value after all parameters were read. Throws `invalid`. */
  check?(value: T, name: string): void
  /** Canonical text: equal texts mean equal requests, whatever the spelling. */
  key(value: T): string
}

interface Described {
  optional?: true
  description?: string
}
/** `T` where the options give a default or demand the parameter, else `T | undefined`. */
type Maybe<T, O> = O extends { default: unknown } ? T : O extends { optional: true } ? T | undefined : T

const invalid = (message: string): TonlithError => new TonlithError('invalid', message)
const unparsable = (name: string): TonlithError => invalid(`failed to parse ${name}`)
const textKey = (value: unknown): string => (value === undefined ? '' : String(value))
const hexKey = (value: Buffer): string => value.toString('hex')
const isAbsent = (input: Json | undefined): input is undefined | null => input === undefined || input === null

const DECIMAL = /^[+-]?[0-9]{1,80}$/

const integerOf = (input: Json): bigint | undefined => {
  if (typeof input === 'bigint') return input
  if (typeof input === 'number') return Number.isSafeInteger(input) ? BigInt(input) : undefined
  return typeof input === 'string' && DECIMAL.test(input) ? BigInt(input.replace('+', '')) : undefined
}

const readInteger = (input: Json, name: string, bits: 32 | 64): bigint => {
  const value = integerOf(input)
  if (value === undefined || BigInt.asIntN(bits, value) !== value) throw unparsable(name)
  return value
}

interface IntegerOptions extends Described {
  default?: number
  /** Refuse values below 1, or below 0, or above `max`, with the texts of the reference. */
  positive?: true
  nonNegative?: true
  max?: number
  /** The refusal when a required value was not sent; "failed to parse <name>" unless given. */
  missing?: string
}

const integer = <T extends number | bigint>(
  bits: 32 | 64,
  convert: (value: bigint) => T,
  schema: JsonSchema,
  options: IntegerOptions,
): Param<T | undefined> => {
  const { positive, nonNegative, max, missing } = options
  const optional = options.optional === true || options.default !== undefined
  const minimum = positive ? 1 : nonNegative ? 0 : undefined
  return {
    required: !optional,
    description: options.description ?? '',
    schema: {
      ...schema,
      ...(minimum === undefined || schema.type !== 'integer' ? {} : { minimum }),
      ...(max === undefined ? {} : { maximum: max }),
      ...(options.default === undefined
        ? {}
        : { default: schema.type === 'integer' ? options.default : String(options.default) }),
    },
    bodySchema: { oneOf: [bits === 32 ? INT32 : INT64, { type: 'string', pattern: '^[+-]?[0-9]+$' }] },
    read: (input, name) => {
      if (!isAbsent(input)) return convert(readInteger(input, name, bits))
      if (options.default !== undefined) return convert(BigInt(options.default))
      if (optional) return undefined
      throw missing === undefined ? unparsable(name) : invalid(missing)
    },
    check: (value, name) => {
      if (value === undefined) return
      if (positive && value <= 0) throw invalid(`${name} should be positive`)
      if (nonNegative && value < 0) throw invalid(`${name} should be non-negative`)
      if (max !== undefined && value > max) throw invalid(`${name} should be less or equal ${max}`)
    },
    key: textKey,
  }
}

/** A signed 32-bit integer, given as number. */
export const int32 = <const O extends IntegerOptions>(options: O): Param<Maybe<number, O>> =>
  integer(32, Number, INT32, options) as Param<Maybe<number, O>>

/** A signed 64-bit integer, given as bigint: lt and its like. A string in OpenAPI, since a double cannot hold it. */
export const int64 = <const O extends IntegerOptions>(options: O): Param<Maybe<bigint, O>> =>
  integer(64, (value) => value, { type: 'string', pattern: '^[+-]?[0-9]+$' }, options) as Param<Maybe<bigint, O>>

/** A page size: read as 64-bit integer, from 1 to `max`, given as number. */
export const count = (options: { default: number; max: number; description?: string }): Param<number> =>
  integer(64, Number, INT64, { ...options, positive: true }) as Param<number>

/**
 * A shard prefix: signed decimal int64, neither hex nor unsigned (contracts/v2.md 2.4). Digits alone are a decimal: the
 * reference takes "8000000000000000" for one too.
 */
export const shard = (options: { missing?: string } = {}): Param<bigint> =>
  int64({
    description: 'Shard prefix as signed 64-bit decimal; -9223372036854775808 is the whole workchain',
    ...options,
  }) as Param<bigint>

/** A value written as one text. The empty text counts as not sent. */
const written = <T, const O extends Described>(
  options: O,
  what: {
    description: string
    /** What refusals call it; the parameter's name unless given. */
    label?: string | undefined
    parse(text: string): T | undefined
    key(value: T): string
  },
): Param<Maybe<T, O>> => {
  const param: Param<T | undefined> = {
    required: options.optional !== true,
    description: options.description ?? what.description,
    schema: STRING,
    read: (input, name) => {
      const label = what.label ?? name
      if (isAbsent(input) || input === '') {
        if (options.optional) return undefined
        throw invalid(`empty ${label}`)
      }
      const value = typeof input === 'string' ? what.parse(input) : undefined
      if (value === undefined) throw unparsable(label)
      return value
    },
    key: (value) => (value === undefined ? '' : what.key(value)),
  }
  return param as Param<Maybe<T, O>>
}

interface AddressOptions extends Described {
  /** What refusals call it; "address" unless given. */
  label?: string
  /** Set where the answer shows the form that was asked with, so that other spellings are other requests. */
  keepsForm?: true
}

/** An account address in the raw or a friendly form, in either base64 alphabet. */
export const address = <const O extends AddressOptions>(options: O): Param<Maybe<GivenAddress, O>> =>
  written<GivenAddress, O>(options, {
    description: 'Account address, raw (workchain:hex) or user-friendly (base64)',
    label: options.label ?? 'address',
    parse: tryParseAddress,
    key: (value) => {
      const form = options.keepsForm && value.flags ? `/${value.flags.bounceable}/${value.flags.testOnly}` : ''
      return rawAddress(value) + form
    },
  })

/** A 256-bit hash in hex or base64, given as 32 bytes. The empty text counts as not sent. */
export const hash = <const O extends Described>(options: O): Param<Maybe<Buffer, O>> =>
  written<Buffer, O>(options, {
    description: '256-bit hash: 64 hex digits, or base64 in either alphabet',
    parse: parseHash,
    key: hexKey,
  })

/**
 * A list of 256-bit hashes, each given once: repeated in a query, an array (or one text) in a JSON body. Empty texts count
 * as not sent, and so does the whole list.
 */
export const hashes = ({ max, description }: { max: number; description: string }): Param<readonly Buffer[]> => ({
  required: false,
  description,
  schema: { type: 'array', items: STRING, maxItems: max },
  isList: true,
  read: (input, name) => {
    const found = new Map<string, Buffer>()
    for (const each of isAbsent(input) ? [] : [input].flat()) {
      if (each === '') continue
      const hash = typeof each === 'string' ? parseHash(each) : undefined
      if (!hash) throw unparsable(name)
      found.set(hash.toString('hex'), hash)
    }
    return [...found.values()]
  },
  check: (value, name) => {
    if (value.length > max) throw invalid(`too many ${name} requested, ${max} maximum`)
  },
  key: (value) => value.map(hexKey).sort().join('+'),
})

/** The account id after which a page starts, in any form of an address (its workchain is dropped) or of a hash. */
export const afterHash = <const O extends Described>(options: O): Param<Maybe<Buffer, O>> =>
  written<Buffer, O>(options, {
    description: 'Account of the last item of the page before, in any form of an address or of a hash',
    parse: (text) => parseHash(text) ?? tryParseAddress(text)?.hash,
    key: hexKey,
  })

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Binary data in padded base64 of the standard alphabet (contracts/v2.md 2.6). */
export const bytes = <const O extends Described>(options: O): Param<Maybe<Buffer, O>> =>
  written<Buffer, O>(options, {
    description: 'Base64, standard alphabet, padded',
    parse: (text) => (text.length % 4 === 0 && BASE64.test(text) ? Buffer.from(text, 'base64') : undefined),
    key: hexKey,
  })

const TRUE = new Set(['y', 'yes', 't', 'true', 'on', '1'])
const FALSE = new Set(['n', 'no', 'f', 'false', 'off', '0'])

/** An optional yes or no in any of the spellings of contracts/v2.md 2.5; the empty text counts as not sent. */
export const bool = (options: { description?: string } = {}): Param<boolean | undefined> => ({
  required: false,
  description: options.description ?? '',
  schema: { type: 'boolean' },
  bodySchema: { oneOf: [{ type: 'boolean' }, INT32, STRING] },
  read: (input, name) => {
    if (isAbsent(input) || input === '') return undefined
    if (typeof input === 'boolean') return input
    if (typeof input === 'bigint' || Number.isSafeInteger(input)) return BigInt(input as number | bigint) !== 0n
    const word = typeof input === 'string' ? input.toLowerCase() : ''
    if (!TRUE.has(word) && !FALSE.has(word)) throw unparsable(name)
    return TRUE.has(word)
  },
  key: textKey,
})
