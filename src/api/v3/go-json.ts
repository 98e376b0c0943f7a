/** A value that JSON has; fields that are undefined are left out. */
export type Wire = null | boolean | number | string | readonly Wire[] | { readonly [key: string]: Wire | undefined }

const SPECIAL = /[<>&\u2028\u2029]/
const EACH_SPECIAL = /[<>&\u2028\u2029]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * JSON text with the escapes of Go's encoder (contracts/v3.md 3): these characters can only stand inside of strings.
 */
export const goJson = (value: Wire): string => {
  const text = JSON.stringify(value)
  return SPECIAL.test(text) ? text.replace(EACH_SPECIAL, escaped) : text
}

const rawJson = (JSON as typeof JSON & { rawJSON(text: string): Wire }).rawJSON

/** A JSON number that keeps all of its digits. */
export const exactNumber = (value: bigint): Wire => rawJson(String(value))
