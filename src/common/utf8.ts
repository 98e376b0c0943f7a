import { isUtf8 } from 'node:buffer'

/** The text that bytes are in UTF-8, undefined when they are none. */
export const decodeUtf8 = (bytes: Buffer): string | undefined => (isUtf8(bytes) ? bytes.toString('utf8') : undefined)
