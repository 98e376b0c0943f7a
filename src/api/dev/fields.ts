import { suggestion } from '../../common/edit-distance.ts'
import { TonlithError } from '../../common/errors.ts'
import { isJsonObject, type Json } from '../../common/lossless-json.ts'
import { rawAddress, tryParseAddress } from '../../ton/address.ts'
import { type JsonSchema, STRING } from '../json-schema.ts'

/** One field of the body of a /dev call. */
export interface Field<T> {
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  /** Reads what was sent; undefined for what is not of this kind. */
  read(sent: Json): T | undefined
  /** Completes "… must be". */
  readonly what: string
}

export type Fields = Readonly<Record<string, Field<unknown>>>
/** The values of fields; those that may be left out may be undefined. */
export type ValuesOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never
}

/** The same field, which may be left out. */
export const optional = <T>(field: Field<T>): Field<T | undefined> => ({ ...field, required: false })

/** A whole number in bounds. */
export const whole = (description: string, min: number, max: number): Field<number> => ({
  required: true,
  description,
  schema: { type: 'integer', minimum: min, maximum: max },
  what: `a whole number from ${min} to ${max}`,
  read: (sent) => (typeof sent === 'number' && Number.isInteger(sent) && sent >= min && sent <= max ? sent : undefined),
})

/** Text of a pattern. */
export const text = (description: string, pattern: RegExp, what: string): Field<string> => ({
  required: true,
  description,
  schema: { ...STRING, pattern: pattern.source },
  what,
  read: (sent) => (typeof sent === 'string' && pattern.test(sent) ? sent : undefined),
})

/** One of some words. */
export const word = <const W extends readonly string[]>(description: string, words: W): Field<W[number]> => ({
  required: true,
  description,
  schema: { ...STRING, enum: words },
  what: words.join(' or '),
  read: (sent) => words.find((candidate) => candidate === sent),
})

const MOST_NANO = (1n << 120n) - 1n

/** Nanotons as a decimal string, which no JSON reader rounds. */
export const nano = (description: string): Field<bigint> => ({
  required: true,
  description,
  schema: { ...STRING, pattern: '^[0-9]+$', examples: ['1500000000'] },
  what: 'nanotons as a decimal string, more than 0',
  read: (sent) => {
    const value = typeof sent === 'string' && /^\d{1,37}$/.test(sent) ? BigInt(sent) : 0n
    return value > 0n && value <= MOST_NANO ? value : undefined
  },
})

/** An account address in any form; given as its raw form. */
export const address = (description: string): Field<string> => ({
  required: true,
  description,
  schema: STRING,
  what: 'an account address',
  read: (sent) => {
    const parsed = typeof sent === 'string' ? tryParseAddress(sent) : undefined
    return parsed && rawAddress(parsed)
  },
})

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Bytes in base64. */
export const base64 = (description: string): Field<Buffer> => ({
  required: true,
  description,
  schema: { ...STRING, format: 'byte' },
  what: 'bytes in base64',
  read: (sent) =>
    typeof sent === 'string' && sent !== '' && BASE64.test(sent) ? Buffer.from(sent, 'base64') : undefined,
})

/**
 * Reads the body of a call.
 * @throws TonlithError `invalid` that names the field, also for a field that is not known
 */
export const readFields = <F extends Fields>(fields: F, body: Json): ValuesOf<F> => {
  if (!isJsonObject(body)) throw new TonlithError('invalid', 'body must be an object')
  for (const name of Object.keys(body)) {
    if (Object.hasOwn(fields, name)) continue
    throw new TonlithError('invalid', `there is no field ${name.slice(0, 64)}${suggestion(name, Object.keys(fields))}`)
  }
  const values = Object.entries(fields).map(([name, field]): [string, unknown] => {
    const sent = Object.hasOwn(body, name) ? body[name] : undefined
    if (sent === undefined && !field.required) return [name, undefined]
    if (sent === undefined) throw new TonlithError('invalid', `${name} is missing: it must be ${field.what}`)
    const value = field.read(sent)
    if (value === undefined) throw new TonlithError('invalid', `${name} must be ${field.what}`)
    return [name, value]
  })
  return Object.fromEntries(values) as ValuesOf<F>
}
