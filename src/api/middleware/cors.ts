import type { ReplyHeaders } from '../reply.ts'

const ALLOWED_HEADERS =
  'Content-Type, Content-Encoding, X-API-Key, X-Request-Id, X-Ton-Client-Version, X-Actions-Version, X-No-Address-Book, X-No-Metadata, X-Timeout'
const EXPOSED_HEADERS =
  'X-API-Version, X-Request-Id, Retry-After, X-Index-Seqno, X-Index-Range, X-Index-Scope, X-Next-Cursor'
const PREFLIGHT_SECONDS = '86400'

/** Which origins may read answers: every one (`'*'` among them), those listed, or none (an empty list). */
export type AllowedOrigins = readonly string[]

export interface Cors {
  /** Headers for every response, where they do not depend on the request; else undefined. */
  readonly always: ReplyHeaders | undefined
  /** Headers for the response to a request of this `Origin`. */
  headersFor(origin: string | null): ReplyHeaders
  /** Headers of the answer to a preflight for the given methods ("GET, POST, OPTIONS"). */
  preflight(methods: string): ReplyHeaders
}

const allow = (origin: string): ReplyHeaders => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': EXPOSED_HEADERS,
})

/** CORS as browser clients of API v2 need it (contracts/v2.md 1.2). */
export const createCors = (origins: AllowedOrigins): Cors => {
  const listed = new Set(origins)
  const always = listed.has('*') ? allow('*') : listed.size === 0 ? {} : undefined
  const headersFor: Cors['headersFor'] = (origin) =>
    always ?? { vary: 'Origin', ...(origin !== null && listed.has(origin) ? allow(origin) : {}) }
  const preflight: Cors['preflight'] = (methods) =>
    listed.size === 0
      ? { allow: methods }
      : {
          allow: methods,
          'access-control-allow-methods': methods,
          'access-control-allow-headers': ALLOWED_HEADERS,
          'access-control-max-age': PREFLIGHT_SECONDS,
        }
  return { always, headersFor, preflight }
}
