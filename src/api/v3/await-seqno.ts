import type { Clock } from '../../common/clock.ts'
import { TonlithError } from '../../common/errors.ts'
import type { IndexReader } from '../../store/queries/index-reader.ts'

const LOOK_AGAIN_MS = 20
/** The part of a caller's time that may go by in waiting: the rest is for the answer. */
const WAITING = 0.8

/**
 * Waits until the index has reached a masterchain seqno.
 * @param ms the time that the whole answer may take
 * @throws TonlithError `conflict` when it has not within a part of that time
 */
export const awaitSeqno = async (
  index: IndexReader,
  seqno: number,
  { clock, ms, signal }: { clock: Clock; ms: number; signal: AbortSignal },
): Promise<void> => {
  const end = clock.monotonic() + ms * WAITING
  for (let reached = index.seqno(); reached === undefined || reached < seqno; reached = index.seqno()) {
    if (signal.aborted) throw new TonlithError('timeout', 'nobody waits for the answer')
    if (clock.monotonic() >= end)
      throw new TonlithError('conflict', `the index has reached ${reached ?? 'nothing'}, not min_mc_seqno ${seqno}`)
    await clock.sleep(LOOK_AGAIN_MS, signal)
  }
}
