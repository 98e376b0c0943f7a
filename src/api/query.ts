/** Reads a GET parameter's first occurrence; undefined when it was not sent. */
export type Query = (name: string) => string | undefined

const NONE: Query = () => undefined

const decode = (text: string): string => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The query of a URL. Of a repeated parameter the first occurrence counts (contracts/v2.md 2.4). A literal `+` stays a
 * plus: no parameter of this API can hold a blank, and addresses and hashes in standard base64 arrive unescaped.
 * Text that is no valid percent-encoding stays as it is.
 */
export const queryOf = (url: string): Query => {
  const start = url.indexOf('?')
  if (start < 0) return NONE
  const values = new Map<string, string>()
  for (const pair of url.slice(start + 1).split('&')) {
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    if (!values.has(name)) values.set(name, equals < 0 ? '' : decode(pair.slice(equals + 1)))
  }
  return (name) => values.get(name)
}
