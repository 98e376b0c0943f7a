/** The parameters of a GET request. */
export interface Query {
  /** A parameter's first occurrence; undefined when it was not sent. */
  (name: string): string | undefined
  /** All occurrences of a parameter that is a list, in their order. */
  all(name: string): readonly string[]
}

const queryIn = (pairs: readonly (readonly [name: string, value: string])[]): Query =>
  Object.assign((name: string) => pairs.find(([each]) => each === name)?.[1], {
    all: (name: string) => pairs.filter(([each]) => each === name).map(([, value]) => value),
  })

const NONE = queryIn([])

const decode = (text: string): string => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The names and values in a URL's query, in their order. A literal `+` stays a plus. Text that is no valid
 * percent-encoding stays as it is.
 */
export const queryPairs = (url: string): [name: string, value: string][] => {
  const start = url.indexOf('?')
  if (start < 0) return []
  return url
    .slice(start + 1)
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]
    })
}

/**
 * The query of a URL. Of a repeated parameter the first occurrence counts (contracts/v2.md 2.4), but for lists. A literal `+` stays a
 * plus: no parameter of this API can hold a blank, and addresses and hashes in standard base64 arrive unescaped.
 */
export const queryOf = (url: string): Query => (url.includes('?') ? queryIn(queryPairs(url)) : NONE)
