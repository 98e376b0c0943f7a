/** Bytes as a text that only equal bytes have: the key of a Map or Set. */
export const bytesKey = (bytes: Buffer): string => bytes.toString('latin1')
