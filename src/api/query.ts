/** The parameters of a GET request. */
export interface Query {
  /** A parameter's first occurrence; undefined when it was not sent. */
  (name: string): string | undefined
  /** All occurrences of a parameter that is a list, in their order. */
  all(name: string): readonly string[]
  /** True where the same text gives this very object again, so that what was made of it may be kept with it. */
  readonly isKept: boolean
}

type Pairs = readonly (readonly [name: string, value: string])[]

/** Texts that are kept with what stands in them, and how long one may be: clients ask the same again and again. */
const MAX_KEPT = 1_000
const MAX_KEPT_LENGTH = 512
/** What holds a secret is not kept. */
const SECRET = 'api_key'

const queryIn = (pairs: Pairs, isKept: boolean): Query =>
  Object.assign((name: string) => pairs.find(([each]) => each === name)?.[1], {
    all: (name: string) => pairs.filter(([each]) => each === name).map(([, value]) => value),
    isKept,
  })

const NONE: Query = Object.assign(() => undefined, { all: () => [], isKept: true })
const kept = new Map<string, Query>()

const decode = (text: string): string => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const pairsIn = (text: string): [name: string, value: string][] =>
  text.split('&').map((pair) => {
    const equals = pair.indexOf('=')
    return equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]
  })

/**
 * The names and values in a URL's query, in their order. A literal `+` stays a plus. Text that is no valid
 * percent-encoding stays as it is.
 */
export const queryPairs = (url: string): [name: string, value: string][] => {
  const start = url.indexOf('?')
  return start < 0 ? [] : pairsIn(url.slice(start + 1))
}

const readQuery = (text: string): Query => {
  const pairs = pairsIn(text)
  if (text.length > MAX_KEPT_LENGTH || pairs.some(([name]) => name === SECRET)) return queryIn(pairs, false)
  const query = queryIn(pairs, true)
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(text, query)
  return query
}

/**
 * The query of a URL. Of a repeated parameter the first occurrence counts (contracts/v2.md 2.4), but for lists. A literal `+` stays a
 * plus: no parameter of this API can hold a blank, and addresses and hashes in standard base64 arrive unescaped.
 */
export const queryOf = (url: string): Query => {
  const start = url.indexOf('?')
  if (start < 0) return NONE
  const text = url.slice(start + 1)
  return kept.get(text) ?? readQuery(text)
}
