/**
 * The kinds of failure that travel through the house. Each API maps a kind to its own wire form once;
 * whether a second try can help is a property of the kind, not of the place that caught it.
 */
export const ERROR_KINDS = {
  /** The caller sent something that cannot be used (bad parameter, malformed BoC). */
  invalid: { retryable: false },
  /** What was asked for does not exist, provably or by the word of every server that was asked. */
  notFound: { retryable: false },
  /** The thing exists but is not of the asked type (a contract that is no token). */
  conflict: { retryable: false },
  /** This build or this network cannot do it, and never will by waiting. */
  unsupported: { retryable: false },
  /** A liteserver answered with an error of its own; `code` is the liteserver's. */
  liteserver: { retryable: false },
  /** No answer within the deadline. */
  timeout: { retryable: true },
  /** The connection broke or could not be made. */
  connection: { retryable: true },
  /** No server of the wanted class is alive. */
  unavailable: { retryable: true },
  /** An answer did not verify: the server lies or is broken. */
  proof: { retryable: true },
  /** Bytes from outside (BoC, TL, TL-B) do not parse or break a limit. */
  malformed: { retryable: false },
  /** A limit of ours was reached (size, depth, rate). */
  limit: { retryable: false },
  /** A mistake of ours. */
  internal: { retryable: false },
} as const

export type ErrorKind = keyof typeof ERROR_KINDS

/**
 * The one error type that crosses a layer. `code` carries the liteserver's code where the kind is `liteserver`. With
 * `unsupported`, `timeout`, `connection` and `unavailable` it is an HTTP status, and says that the message is meant for
 * the caller as it stands; without it these three have a text of their own.
 */
export class TonlithError extends Error {
  readonly kind: ErrorKind
  readonly code: number | undefined

  constructor(kind: ErrorKind, message: string, options: { code?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'TonlithError'
    this.kind = kind
    this.code = options.code
  }

  get retryable(): boolean {
    return ERROR_KINDS[this.kind].retryable
  }
}

/** The lines of a stack that tell where. */
const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')

/**
 * What may be told of an error that was not foreseen. A parser's message is left out, as it quotes what was parsed, which
 * may be a secret.
 */
export const toldOf = (error: Error): { message: string; stack: string | undefined } => {
  if (!(error instanceof SyntaxError)) return { message: error.message, stack: error.stack }
  const message = 'a text does not parse'
  return { message, stack: `${error.name}: ${message}\n${framesOf(error)}` }
}

/** True for errors of the given kind, or of any kind when none is given. */
export const isTonlithError = (error: unknown, kind?: ErrorKind): error is TonlithError =>
  error instanceof TonlithError && (kind === undefined || error.kind === kind)

/** What `read` gives; undefined where the bytes that it reads are `malformed`. Other errors are passed on. */
export const unlessMalformed = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (isTonlithError(error, 'malformed')) return undefined
    throw error
  }
}
