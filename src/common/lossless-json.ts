import { randomUUID } from 'node:crypto'
import { isTonlithError, TonlithError } from './errors.ts'

/** A JSON value. Integers that a double cannot hold exactly are bigint, all other numbers are number. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json }

/** Nesting beyond this is refused, as the reference does (contracts/v2.md 1.1). */
export const MAX_JSON_DEPTH = 2048
/** From this many characters on, a run of digits can be an integer beyond 2^53. */
const LONG_NUMBER = 16
/** Integers of more characters are refused: the time to read and to write one grows with the square of its length. */
export const MAX_INTEGER_LENGTH = 1000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const DIGIT_0 = 0x30
const DIGIT_9 = 0x39
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])
const NUMERIC = new Set('-+.eE0123456789')
const THEN_COLON = /[ \t\n\r]*:/y

const isDigit = (c: number): boolean => c >= DIGIT_0 && c <= DIGIT_9

/** Where the integer begins that this run of digits is; undefined for a part of another number. */
const integerStart = (text: string, first: number, end: number): number | undefined => {
  const start = text[first - 1] === '-' ? first - 1 : first
  const isWhole = text[first] !== '0' && !NUMERIC.has(text[start - 1] ?? '') && !NUMERIC.has(text[end] ?? '')
  return isWhole ? start : undefined
}

/** One pass over the text, strings skipped: how deep it nests, and where long integers begin and end. */
const survey = (text: string): { depth: number; long: readonly (readonly [number, number])[] } => {
  let depth = 0
  let deepest = 0
  const long: [number, number][] = []
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++
    } else if (isDigit(c)) {
      const first = i
      while (isDigit(text.charCodeAt(i + 1))) i++
      const start = i - first + 1 < LONG_NUMBER ? undefined : integerStart(text, first, i + 1)
      if (start !== undefined) long.push([start, i + 1])
    } else if (OPENING.has(c)) {
      deepest = Math.max(deepest, ++depth)
    } else if (CLOSING.has(c)) depth--
  }
  return { depth: deepest, long }
}

/** Marks the strings that stand in place of long integers; nobody outside can know it. */
const MARK = randomUUID()

/** Only a name could stand where a number may not: what follows it is a colon. */
const isName = (text: string, end: number): boolean => {
  THEN_COLON.lastIndex = end
  return THEN_COLON.test(text)
}

const markIntegers = (text: string, long: readonly (readonly [number, number])[]): string => {
  const parts: string[] = []
  let done = 0
  for (const [start, end] of long) {
    if (isName(text, end)) continue
    parts.push(text.slice(done, start), `"${MARK}`, text.slice(start, end), '"')
    done = end
  }
  return parts.join('') + text.slice(done)
}

const integerOf = (digits: string): number | bigint => {
  if (digits.length > MAX_INTEGER_LENGTH)
    throw new TonlithError('limit', `JSON integer of more than ${MAX_INTEGER_LENGTH} digits`)
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits)
}

/** Puts the integers into a value that nobody else has yet. A reviver takes several times as long. */
const restoreIntegers = (value: Json): Json => {
  if (typeof value === 'string') return value.startsWith(MARK) ? integerOf(value.slice(MARK.length)) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return restoreItems(value)
  const fields = value as { [key: string]: Json }
  for (const key in fields) {
    const restored = restoreIntegers(fields[key]!)
    if (restored !== fields[key]) fields[key] = restored
  }
  return fields
}

const restoreItems = (items: Json[]): Json => {
  for (let i = 0; i < items.length; i++) items[i] = restoreIntegers(items[i]!)
  return items
}

/**
 * Parses JSON without losing a digit of an integer. Time and memory are linear in the text; `limit` is thrown for
 * nesting beyond MAX_JSON_DEPTH and integers beyond MAX_INTEGER_LENGTH, `malformed` for anything that is no JSON text. Of a
 * repeated key the last one counts.
 */
export const parseJson = (text: string): Json => {
  const { depth, long } = survey(text)
  if (depth > MAX_JSON_DEPTH) throw new TonlithError('limit', `JSON nested deeper than ${MAX_JSON_DEPTH}`)
  try {
    if (long.length === 0) return JSON.parse(text) as Json
    return restoreIntegers(JSON.parse(markIntegers(text, long)) as Json)
  } catch (error) {
    if (isTonlithError(error)) throw error
    throw new TonlithError('malformed', 'malformed JSON')
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
  if (Array.isArray(value)) return value.some(holdsBigInt)
  const fields = value as { readonly [key: string]: Json }
  for (const key in fields) if (holdsBigInt(fields[key]!)) return true
  return false
}

/**
 * Writes JSON: bigint as bare digits, non-finite numbers as null. Recursive: for values whose depth is known,
 * be it because parseJson has bounded it.
 */
export const stringifyJson = (value: Json): string =>
  JSON.stringify(value, holdsBigInt(value) ? exactDigits : undefined)
