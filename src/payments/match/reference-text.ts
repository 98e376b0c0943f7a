import { tryParseUlid, ULID_LENGTH } from '../../common/ulid.ts'

const WORD = /[0-9A-Za-z]+/g
/** References that are looked for in one text. */
const MOST = 8

/**
 * The references that a text comment names, in their order, each once: every word of the form of a ULID, in upper or lower
 * case, be it as create-transfer writes it (`… (ref <ULID>)`) or as a person typed it. At most eight.
 */
export const referencesIn = (text: string): string[] => {
  const found = new Set<string>()
  for (const [word] of text.matchAll(WORD)) {
    if (word.length !== ULID_LENGTH) continue
    const reference = tryParseUlid(word)
    if (reference !== undefined) found.add(reference)
    if (found.size === MOST) break
  }
  return [...found]
}
