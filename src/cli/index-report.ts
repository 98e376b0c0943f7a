import type { Readiness } from '../api/system/routes.ts'
import type { Json } from '../common/lossless-json.ts'
import type { IndexSample, MetadataSample } from '../common/metrics.ts'
import { noDetectionCounts } from '../indexer/detection-counts.ts'
import { whyNotReady } from '../indexer/status.ts'
import type { IndexReport } from './index-host.ts'

/** Whether the index answers for the chain of now. */
export const indexReadiness = ({ status, down, damaged }: IndexReport): Readiness => {
  const unreadable = damaged === undefined ? undefined : `the index cannot be read: ${damaged}`
  const reason = down === undefined ? unreadable : `the index does not run: ${down}`
  const why = reason ?? (status ? whyNotReady(status) : 'the index is starting')
  return why === undefined ? { ready: true } : { ready: false, reason: why }
}

/** The index for metrics. */
export const indexSample = ({ status, down, restarts }: IndexReport): IndexSample => {
  const known = status ?? { state: 'starting', seqno: null, head: null, gaps: [], blocks: 0, transactions: 0, cures: 0 }
  const { seqno, head, gaps, blocks, transactions, cures } = known
  const detection = status?.detection ?? noDetectionCounts()
  const above = Math.max(0, (head ?? 0) - (seqno ?? head ?? 0))
  return {
    running: down === undefined && known.state !== 'paused',
    seqno: seqno ?? 0,
    head: head ?? 0,
    missing: gaps.reduce((sum, { first, last }) => sum + last - first + 1, above),
    blocks,
    transactions,
    bytes: status?.disk?.file ?? 0,
    freeBytes: status?.disk?.free ?? 0,
    reconnections: cures,
    detection,
    actionFaults: status?.action_faults ?? {},
    restarts,
  }
}

/** The fetching of metadata for operators. */
export const metadataStatus = ({ metadata }: IndexReport): { readonly [key: string]: Json } => {
  if (!metadata) return { state: 'none' }
  const { online, paused, waiting, running, fetched, failures, bytes } = metadata
  const state = paused ? 'paused' : online ? 'on' : 'off'
  return { state, waiting, running, fetched, failed: { ...failures }, disk_bytes: bytes }
}

/** The same for metrics. */
export const metadataSample = ({ metadata }: IndexReport): MetadataSample | undefined =>
  metadata && { ...metadata, failures: Object.entries(metadata.failures) }

const rounded = (value: number): number => Math.round(value * 10) / 10

/** The index for operators. */
export const indexStatus = ({ status, down, damaged, restarts }: IndexReport): { readonly [key: string]: Json } => {
  if (!status) return { state: down === undefined ? 'starting' : 'down', reason: down ?? damaged ?? null, restarts }
  const { state, reason, seqno, head, utime, ranges, gaps, disk } = status
  return {
    state: down === undefined ? state : 'down',
    reason: down ?? damaged ?? reason,
    seqno,
    utime,
    head,
    lag: seqno === null || head === null ? null : Math.max(0, head - seqno),
    blocks_per_second: rounded(status.blocks_per_second),
    transactions_per_second: rounded(status.transactions_per_second),
    seconds_left: status.seconds_left === null ? null : Math.ceil(status.seconds_left),
    blocks: status.blocks,
    transactions: status.transactions,
    accounts: status.accounts,
    histories: status.histories && { ...status.histories, accounts: [...status.histories.accounts] },
    ranges: ranges.map(({ first, last }) => ({ first, last })),
    gaps: gaps.map(({ first, last }) => ({ first, last })),
    disk_bytes: disk?.file ?? null,
    free_bytes: disk?.free ?? null,
    reconnections: status.cures,
    detection: { ...status.detection, faults: { ...status.detection.faults } },
    actions_from: status.actions_from,
    action_faults: { ...status.action_faults },
    restarts,
  }
}
