/** A value that JSON has; fields that are undefined are left out. */
export type Wire = null | boolean | number | string | readonly Wire[] | { readonly [key: string]: Wire | undefined }

const SPECIAL = /[<>&\u2028\u2029]/
const EACH_SPECIAL = /[<>&\u2028\u2029]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * JSON text with the escapes of Go's encoder (contracts/v3.md 3): these characters can only stand inside of strings.
 */
export const goJson = (value: Wire): string => goText(JSON.stringify(value))

/** As goJson, of what is JSON text already. */
export const goText = (json: string): string => (SPECIAL.test(json) ? json.replace(EACH_SPECIAL, escaped) : json)

const rawJson = (JSON as typeof JSON & { rawJSON(text: string): Wire }).rawJSON

/** A JSON number that keeps all of its digits. */
export const exactNumber = (value: bigint): Wire => rawJson(String(value))

/** A JSON object of these entries, ascending by their keys; the values are JSON already. */
export const goJsonObject = (entries: Iterable<readonly [key: string, json: string]>): string => {
  const ascending = Array.from(entries).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${ascending.map(([key, json]) => `${goJson(key)}:${json}`).join(',')}}`
}
