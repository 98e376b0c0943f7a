import { isJsonObject, parseJson } from './lossless-json.ts'

const SPACE = /[ \t\n\r]/
const DELIMITER = /[ \t\n\r,:[\]{}]/

/** Behind the string that begins at `from`. */
const stringEnd = (text: string, from: number): number => {
  let at = from + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

const wordEnd = (text: string, from: number): number => {
  let at = from + 1
  while (at < text.length && !DELIMITER.test(text[at]!)) at++
  return at
}

/** A number that no double reaches would break readers that have nothing else: it becomes the text of its digits. */
const readable = (word: string): string => (Number.isFinite(Number(word)) || !/\d/.test(word) ? word : `"${word}"`)

/**
 * The members of a JSON object in the order of their first mention, each with the JSON text of its value as it was written,
 * without white space between tokens. Of a repeated name the last value counts. Numbers keep their digits; one beyond the
 * range of a double becomes a string.
 * @returns undefined for a text that is no JSON object, or one that nests deeper than `maxDepth`
 * @throws TonlithError `malformed` and `limit` as parseJson does
 */
export const jsonMembers = (text: string, maxDepth: number): Map<string, string> | undefined => {
  if (!isJsonObject(parseJson(text))) return undefined
  const members = new Map<string, string>()
  let name: string | undefined
  let value: string[] = []
  let depth = 0
  const flush = (): void => {
    if (name !== undefined) members.set(name, value.join(''))
    name = undefined
    value = []
  }
  for (let at = 0; at < text.length; ) {
    const c = text[at]!
    if (SPACE.test(c)) {
      at++
      continue
    }
    const end = c === '"' ? stringEnd(text, at) : DELIMITER.test(c) ? at + 1 : wordEnd(text, at)
    const token = text.slice(at, end)
    at = end
    if (c === '{' || c === '[') depth++
    if (depth > maxDepth) return undefined
    if (depth === 1 && (c === '{' || c === ':')) continue
    if (depth === 1 && (c === ',' || c === '}')) flush()
    else if (name === undefined) name = JSON.parse(token) as string
    else value.push(c === '"' ? token : readable(token))
    if (c === '}' || c === ']') depth--
  }
  return members
}
