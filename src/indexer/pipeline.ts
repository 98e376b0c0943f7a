import type { SeqnoRange } from '../model/index-records.ts'
import { createAhead } from './ahead.ts'
import type { Bundle, FetchBundle } from './fetch.ts'
import { type IndexFrom, nextSeqno } from './follow.ts'
import type { Keeper } from './keep.ts'

/** The newest masterchain block that is trusted. */
export interface HeadSource {
  /** Undefined before the first one is known. */
  seqno(): number | undefined
  /** Resolves when the head has reached `seqno`, with the head's seqno. Rejects when `signal` ends it. */
  reached(seqno: number, signal: AbortSignal): Promise<number>
}

export interface PipelineOptions {
  head: HeadSource
  fetch: FetchBundle
  keeper: Keeper
  /** What is stored. */
  ranges(): readonly SeqnoRange[]
  from: IndexFrom
  /** Bytes of blocks that may be held ahead of what is stored. */
  maxBytes: number
  /** Masterchain blocks that may be fetched at the same time. */
  maxThings: number
  signal: AbortSignal
}

/**
 * Stores one masterchain block after the other, upwards from what is stored (or from where `from` says), each as soon as
 * the head has reached it: follow > fetch > parse > trace > write > wake. Those to come are fetched meanwhile. Never
 * resolves; rejects when `signal` ends it, and for mistakes of ours.
 */
export const runPipeline = async (options: PipelineOptions): Promise<never> => {
  const { head, fetch, keeper, ranges, from, maxBytes, maxThings, signal } = options
  const ahead = createAhead<Bundle>({
    fetch,
    bytesOf: ({ bytes }) => bytes,
    maxBytes,
    maxThings,
    step: 1,
    exists: (seqno) => seqno <= (head.seqno() ?? 0),
  })
  for (let seqno = nextSeqno(ranges(), from, await head.reached(1, signal)); ; seqno++) {
    await head.reached(seqno, signal)
    await keeper.keep(await ahead.take(seqno))
  }
}
