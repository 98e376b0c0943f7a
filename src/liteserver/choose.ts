import type { Server } from './server.ts'

/** Servers further behind the best are not asked. */
export const MAX_BLOCKS_BEHIND = 3

export interface Wanted {
  /** Only servers that keep the whole history. */
  archival: boolean
  /** The question is about this masterchain block: a server that has it is asked before one that must wait for it. */
  minSeqno: number | undefined
  /** Servers that are not to be asked. */
  isExcluded(server: Server): boolean
}

/** Seqno of the newest head among the servers that are online; 0 when none is. */
export const bestSeqno = (servers: readonly Server[]): number => {
  let best = 0
  for (const { online, head } of servers) if (online && head && head.id.seqno > best) best = head.id.seqno
  return best
}

/** True when the server may be asked at all: online, not left alone by its breaker, in sync with the best. */
export const isEligible = (server: Server, best: number): boolean =>
  server.online && server.breaker.allows && best - (server.head?.id.seqno ?? 0) <= MAX_BLOCKS_BEHIND

/** The eligible server that should answer first: one that has the block, then by expected latency and load. */
export const chooseServer = (servers: readonly Server[], wanted: Wanted): Server | undefined => {
  const best = bestSeqno(servers)
  const cost = (server: Server): number => server.expectedMs * (1 + server.inFlight)
  const has = (server: Server): boolean => (server.head?.id.seqno ?? 0) >= (wanted.minSeqno ?? 0)
  let chosen: Server | undefined
  for (const server of servers) {
    if (!isEligible(server, best) || (wanted.archival && !server.archival) || wanted.isExcluded(server)) continue
    const isBetter = !chosen || (has(server) === has(chosen) ? cost(server) < cost(chosen) : has(server))
    if (isBetter) chosen = server
  }
  return chosen
}
