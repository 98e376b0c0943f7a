import { bestSeqno } from './choose.ts'
import type { Server } from './server.ts'

/** What an operator may want to know about one liteserver. */
export interface ServerStatus {
  /** Position in the global config. */
  index: number
  /** `host:port`. */
  name: string
  /** `refused`: it can never serve us as it is configured (wrong key, another network). */
  state: 'online' | 'offline' | 'refused'
  /** Its last masterchain block and that block's time (unix seconds). */
  seqno: number | undefined
  utime: number | undefined
  /** Masterchain blocks behind the best server. */
  behind: number | undefined
  archival: boolean
  breaker: Server['breaker']['state']
  inFlight: number
  /** Expected and 95th percentile of the time to an answer, milliseconds. */
  latencyMs: number
  p95Ms: number | undefined
  lastError: string | undefined
}

const stateOf = ({ online, refusal }: Server): ServerStatus['state'] => {
  if (online) return 'online'
  return refusal ? 'refused' : 'offline'
}

/** The state of every server, in the order of the configuration. */
export const statusOf = (servers: readonly Server[]): ServerStatus[] => {
  const best = bestSeqno(servers)
  return servers.map((server) => ({
    index: server.index,
    name: server.name,
    state: stateOf(server),
    seqno: server.head?.id.seqno,
    utime: server.head?.utime,
    behind: server.head && best - server.head.id.seqno,
    archival: server.archival,
    breaker: server.breaker.state,
    inFlight: server.inFlight,
    latencyMs: server.expectedMs,
    p95Ms: server.latency.p95,
    lastError: (server.refusal ?? server.lastError)?.message,
  }))
}
