import { tryParseUlid } from '../../common/ulid.ts'

/** A ULID that somebody typed or pasted; undefined for anything else. */
export const readUlid = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : tryParseUlid(text.trim())
