import type { Exchange } from '../exchange.ts'
import type { Destination } from '../gate.ts'
import { type Admission, refusalHeaders } from '../middleware/admission.ts'
import { refuse } from './errors.ts'
import type { V3 } from './routes.ts'

/** Bytes of path and query: a thousand addresses fit in (contracts/v3.md 1.1). The server bounds the whole head. */
const MAX_TARGET_BYTES = 64 << 10
const ANY_VERBS = 'GET, HEAD, POST, OPTIONS'

/** The destinations of API v3 under one base path ("/api/v3"). `chainOf` tells what an admitted caller reads live. */
export const v3Destinations = <C>(
  base: string,
  v3: V3<C>,
  admit: Admission,
  chainOf: (exchange: Exchange) => C,
): { paths: Map<string, Destination>; unknown: Destination } => {
  const destination = (name: string): Destination => ({
    route: `${base}/:method`,
    verbs: v3.allowed(name) ?? ANY_VERBS,
    maxTargetBytes: MAX_TARGET_BYTES,
    handle: (exchange) => {
      const refusal = admit(exchange)
      return refusal ? refuse(refusal, refusalHeaders(refusal)) : v3.handle(exchange, name, chainOf(exchange))
    },
  })
  const paths = new Map(v3.names.map((name) => [`${base}/${name}`, destination(name)]))
  return { paths, unknown: destination('') }
}
