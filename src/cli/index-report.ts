import type { Readiness } from '../api/system/routes.ts'
import type { Json } from '../common/lossless-json.ts'
import { whyNotReady } from '../indexer/status.ts'
import type { IndexReport } from './index-host.ts'

/** Whether the index answers for the chain of now. */
export const indexReadiness = ({ status, down }: IndexReport): Readiness => {
  const reason = down === undefined ? undefined : `the index does not run: ${down}`
  const why = reason ?? (status ? whyNotReady(status) : 'the index is starting')
  return why === undefined ? { ready: true } : { ready: false, reason: why }
}

const rounded = (value: number): number => Math.round(value * 10) / 10

/** The index for operators. */
export const indexStatus = ({ status, down, restarts }: IndexReport): { readonly [key: string]: Json } => {
  if (!status) return { state: down === undefined ? 'starting' : 'down', reason: down ?? null, restarts }
  const { state, reason, seqno, head, utime, ranges, gaps, disk } = status
  return {
    state: down === undefined ? state : 'down',
    reason: down ?? reason,
    seqno,
    utime,
    head,
    lag: seqno === null || head === null ? null : Math.max(0, head - seqno),
    blocks_per_second: rounded(status.blocks_per_second),
    transactions_per_second: rounded(status.transactions_per_second),
    seconds_left: status.seconds_left === null ? null : Math.ceil(status.seconds_left),
    blocks: status.blocks,
    transactions: status.transactions,
    ranges: ranges.map(({ first, last }) => ({ first, last })),
    gaps: gaps.map(({ first, last }) => ({ first, last })),
    disk_bytes: disk?.file ?? null,
    free_bytes: disk?.free ?? null,
    reconnections: status.cures,
    restarts,
  }
}
