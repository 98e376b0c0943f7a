import type { LagSample } from '../api/dashboard/parts.ts'
import type { IndexReport } from './index-host.ts'

const SAMPLE_MS = 30_000
/** An hour of samples. */
const MAX_SAMPLES = 120

const blocksOf = (report: IndexReport | undefined): number | null => {
  const { seqno = null, head = null } = report?.status ?? {}
  return seqno === null || head === null ? null : Math.max(0, head - seqno)
}

/** How far the index is behind the chain, over the last hour. */
export interface LagWatch {
  /** The oldest first; the last one is of this moment. */
  samples(): readonly LagSample[]
  stop(): void
}

/**
 * Notes twice a minute how far the index is behind.
 * @param now unix milliseconds
 */
export const watchIndexLag = (report: () => IndexReport | undefined, now: () => number): LagWatch => {
  const seen: LagSample[] = []
  const look = (): LagSample => ({ at: now(), blocks: blocksOf(report()) })
  const timer = setInterval(() => {
    seen.push(look())
    if (seen.length > MAX_SAMPLES) seen.shift()
  }, SAMPLE_MS)
  return { samples: () => [...seen, look()], stop: () => clearInterval(timer) }
}
