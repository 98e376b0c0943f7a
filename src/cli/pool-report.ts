import type { Readiness } from '../api/system/routes.ts'
import type { Json } from '../common/lossless-json.ts'
import type { Pool } from '../liteserver/pool.ts'

/** Whether requests can be answered: a liteserver is online. */
export const poolReadiness = (pool: Pick<Pool, 'status'>): Readiness => {
  const servers = pool.status()
  if (servers.some(({ state }) => state === 'online')) return { ready: true }
  const refused = servers.filter(({ state }) => state === 'refused').length
  const more = refused === 0 ? '' : `, ${refused} with another key or of another network`
  return { ready: false, reason: `none of ${servers.length} liteservers is online${more}` }
}

/** The pool's state for operators. Servers are named by their place in the global config, not by address. */
export const poolStatus = (pool: Pick<Pool, 'status' | 'head'>): { readonly [key: string]: Json } => ({
  head: pool.head()?.id.seqno ?? null,
  liteservers: pool.status().map(({ index, state, seqno, behind, archival, breaker, inFlight, latencyMs }) => ({
    index,
    state,
    seqno: seqno ?? null,
    behind: behind ?? null,
    archival,
    breaker,
    in_flight: inFlight,
    latency_ms: Math.round(latencyMs),
  })),
})

/** The state of the liteservers that plans have of their own; nothing where all share the common ones. */
export const privateStatus = (
  chains: readonly { readonly plan: string; readonly pool: Pick<Pool, 'status' | 'head'> }[],
): { readonly [key: string]: Json } =>
  chains.length === 0 ? {} : { plans: Object.fromEntries(chains.map(({ plan, pool }) => [plan, poolStatus(pool)])) }
