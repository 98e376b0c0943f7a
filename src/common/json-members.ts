import { isJsonObject, parseJson } from './lossless-json.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const COLON = 0x3a
const BACKSLASH = 0x5c

const isSpace = (c: number): boolean => c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09
const isOpening = (c: number): boolean => c === 0x7b || c === 0x5b
const isClosing = (c: number): boolean => c === 0x7d || c === 0x5d
const startsNumber = (c: number): boolean => c === MINUS || (c >= 0x30 && c <= 0x39)

/** Digits, letters, signs and points: what numbers are made of, and nothing that may follow one. */
const isOfNumber = (c: number): boolean =>
  c > COMMA && c < COLON ? c !== 0x2f : c === 0x2b || c === 0x45 || c === 0x65

/** Behind the string that begins at `from`. */
const stringEnd = (text: string, from: number): number => {
  let at = from + 1
  for (let c = text.charCodeAt(at); c !== QUOTE; c = text.charCodeAt(at)) at += c === BACKSLASH ? 2 : 1
  return at + 1
}

const numberEnd = (text: string, from: number): number => {
  let at = from + 1
  while (isOfNumber(text.charCodeAt(at))) at++
  return at
}

/** A text in parts, which leaves out what is between them. */
const createCopy = (text: string) => {
  let parts = ''
  let from = 0
  return {
    start: (at: number): void => {
      parts = ''
      from = at
    },
    /** Leaves out what stands from `at` to before `next`, for `instead`. */
    leaveOut: (at: number, next: number, instead = ''): void => {
      parts += text.slice(from, at) + instead
      from = next
    },
    end: (at: number): string => parts + text.slice(from, at),
  }
}

/**
 * The members of a JSON object in the order of their first mention, each with the JSON text of its value as it was written,
 * without white space between tokens. Of a repeated name the last value counts. Numbers keep their digits; one beyond the
 * range of a double, which readers that have nothing else could not take, becomes a string.
 * @returns undefined for a text that is no JSON object, or one that nests deeper than `maxDepth`
 * @throws TonlithError `malformed` and `limit` as parseJson does
 */
export const jsonMembers = (text: string, maxDepth: number): Map<string, string> | undefined => {
  if (!isJsonObject(parseJson(text))) return undefined
  const members = new Map<string, string>()
  const value = createCopy(text)
  let name: string | undefined
  let depth = 0
  let at = 0
  while (at < text.length) {
    const c = text.charCodeAt(at)
    let next = at + 1
    if (isSpace(c)) {
      while (isSpace(text.charCodeAt(next))) next++
      value.leaveOut(at, next)
    } else if (c === QUOTE) {
      next = stringEnd(text, at)
      if (depth === 1 && name === undefined) name = JSON.parse(text.slice(at, next)) as string
    } else if (startsNumber(c)) {
      next = numberEnd(text, at)
      const number = text.slice(at, next)
      if (!Number.isFinite(Number(number))) value.leaveOut(at, next, `"${number}"`)
    } else if (isOpening(c)) {
      if (++depth > maxDepth) return undefined
    } else if (depth === 1 && c === COLON) value.start(next)
    else if (depth === 1 && (c === COMMA || isClosing(c)) && name !== undefined) {
      members.set(name, value.end(at))
      name = undefined
    }
    if (isClosing(c)) depth--
    at = next
  }
  return members
}
