const FORM = /^data:([^,]*),([\s\S]*)$/i
const BASE64 = /;\s*base64\s*$/i

/** The bytes that stand in a `data:` URI (RFC 2397); undefined for another one, and for percent-codes that are none. */
export const readDataUri = (uri: string): Buffer | undefined => {
  const match = FORM.exec(uri)
  if (!match) return undefined
  const [, head = '', data = ''] = match
  try {
    const text = decodeURIComponent(data)
    return BASE64.test(head) ? Buffer.from(text, 'base64') : Buffer.from(text)
  } catch {
    return BASE64.test(head) ? undefined : Buffer.from(data)
  }
}
