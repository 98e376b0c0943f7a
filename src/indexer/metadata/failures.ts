/** Why a URI led nowhere. This is all that is ever told of it. */
export const FETCH_FAILURES = [
  /** No URI that is fetched: another scheme, port or form, or credentials in it. */
  'uri',
  /** A host that may not be asked: of a private network, say. */
  'blocked',
  /** A name that has no address. */
  'name',
  'connection',
  'tls',
  'timeout',
  /** An HTTP status that brings nothing. */
  'status',
  'redirects',
  'too_large',
  /** Compressed in a way that cannot be read. */
  'encoding',
  /** No JSON object, or one that nests too deeply or has too many members. */
  'json',
] as const

export type FetchFailure = (typeof FETCH_FAILURES)[number]

/** Failures that the next try would only repeat. */
const LASTING: readonly FetchFailure[] = ['uri', 'blocked', 'too_large']

export const isLasting = (failure: FetchFailure): boolean => LASTING.includes(failure)
