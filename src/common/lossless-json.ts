import { isTonlithError, TonlithError } from './errors.ts'

/** A JSON value. Integers that a double cannot hold exactly are bigint, all other numbers are number. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json }

/** Nesting beyond this is refused, as the reference does (contracts/v2.md 1.1). */
export const MAX_JSON_DEPTH = 2048
/** From this many characters on, a run of digits can be an integer beyond 2^53. */
const LONG_NUMBER = 16
/** Integers of more characters are refused: the time to read and to write one grows with the square of its length. */
export const MAX_INTEGER_LENGTH = 1000
const INTEGER = /^-?[0-9]+$/

const QUOTE = 0x22
const BACKSLASH = 0x5c
const DIGIT_0 = 0x30
const DIGIT_9 = 0x39
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** One pass over the text, strings skipped: how deep it nests and whether a long run of digits stands in it. */
const survey = (text: string): { depth: number; longNumbers: boolean } => {
  let depth = 0
  let deepest = 0
  let digits = 0
  let longNumbers = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c >= DIGIT_0 && c <= DIGIT_9) {
      if (++digits === LONG_NUMBER) longNumbers = true
      continue
    }
    digits = 0
    if (c === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++
    } else if (OPENING.has(c)) {
      deepest = Math.max(deepest, ++depth)
    } else if (CLOSING.has(c)) depth--
  }
  return { depth: deepest, longNumbers }
}

const keepIntegers = (_key: string, value: unknown, { source = '' }: { source?: string }): unknown => {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !INTEGER.test(source)) return value
  if (source.length > MAX_INTEGER_LENGTH)
    throw new TonlithError('limit', `JSON integer of more than ${MAX_INTEGER_LENGTH} digits`)
  return BigInt(source)
}

const parseWithSource = JSON.parse as (text: string, reviver: typeof keepIntegers) => Json

/**
 * Parses JSON without losing a digit of an integer. Time and memory are linear in the text; `limit` is thrown for
 * nesting beyond MAX_JSON_DEPTH and integers beyond MAX_INTEGER_LENGTH, `malformed` for anything that is no JSON text. Of a repeated key the last one counts.
 */
export const parseJson = (text: string): Json => {
  const { depth, longNumbers } = survey(text)
  if (depth > MAX_JSON_DEPTH) throw new TonlithError('limit', `JSON nested deeper than ${MAX_JSON_DEPTH}`)
  try {
    return longNumbers ? parseWithSource(text, keepIntegers) : (JSON.parse(text) as Json)
  } catch (cause) {
    if (isTonlithError(cause)) throw cause
    throw new TonlithError('malformed', 'malformed JSON', { cause })
  }
}

/** True for a JSON object (neither null nor an array). */
export const isJsonObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const rawJson = (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON

const exactDigits = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? rawJson(String(value)) : value

const holdsBigInt = (value: Json): boolean => {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint'
  return Array.isArray(value) ? value.some(holdsBigInt) : Object.values(value).some(holdsBigInt)
}

/**
 * Writes JSON: bigint as bare digits, non-finite numbers as null. Recursive: for values whose depth is known,
 * be it because parseJson has bounded it.
 */
export const stringifyJson = (value: Json): string =>
  JSON.stringify(value, holdsBigInt(value) ? exactDigits : undefined)
