import type { Clock } from '../common/clock.ts'
import type { SeqnoRange } from '../model/index-records.ts'
import { createAhead } from './ahead.ts'
import type { Bundle, FetchBundle } from './fetch.ts'
import { gapsOf } from './follow.ts'
import type { Keeper } from './keep.ts'

export interface BackfillOptions {
  fetch: FetchBundle
  keeper: Keeper
  /** What is stored. */
  ranges(): readonly SeqnoRange[]
  /** The lowest masterchain block that is wanted now; undefined when nothing below what is stored is. */
  lowest(): number | undefined
  /** True while blocks upwards should have the machine for themselves. */
  busy(): boolean
  /** True for a bundle that is too old to be kept: then nothing below it is fetched any more. */
  tooOld(bundle: Bundle): boolean
  maxBytes: number
  maxThings: number
  clock: Clock
  signal: AbortSignal
}

const LOOK_MS = 250

/**
 * Fills the gaps between what is stored and the lowest wanted block, from the top down, whenever there is one and the
 * pipeline leaves time. Never resolves; rejects when `signal` ends it, and for mistakes of ours.
 */
export const runBackfill = async (options: BackfillOptions): Promise<never> => {
  const { fetch, keeper, ranges, lowest, busy, tooOld, maxBytes, maxThings, clock, signal } = options
  let bottom = 0
  const gap = (): SeqnoRange | undefined => {
    const wanted = lowest()
    const found = ranges().length === 0 ? undefined : gapsOf(ranges(), wanted).at(-1)
    return found && found.last >= bottom ? { ...found, first: Math.max(found.first, bottom) } : undefined
  }
  const ahead = createAhead<Bundle>({
    fetch,
    bytesOf: ({ bytes }) => bytes,
    maxBytes,
    maxThings,
    step: -1,
    exists: (seqno) => seqno >= (gap()?.first ?? Number.POSITIVE_INFINITY),
  })
  for (;;) {
    signal.throwIfAborted()
    const next = busy() ? undefined : gap()
    if (!next) {
      await clock.sleep(LOOK_MS, signal)
      continue
    }
    const bundle = await ahead.take(next.last)
    if (tooOld(bundle)) bottom = bundle.seqno + 1
    else await keeper.keep(bundle)
  }
}
