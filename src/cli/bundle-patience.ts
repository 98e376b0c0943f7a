import { within } from '../api/middleware/timeout.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import type { BlockSource } from '../indexer/block-source.ts'
import type { Bundle } from '../indexer/fetch.ts'

/**
 * The bundle of a masterchain block that a source is asked for, which it tries for ever: for a command, that is told after
 * `ms` milliseconds.
 * @throws TonlithError `unavailable` with what the source waits for
 */
export const bundleWithin = async (
  ms: number,
  seqno: number,
  bundle: Promise<Bundle>,
  { troubles }: Pick<BlockSource, 'troubles'>,
): Promise<Bundle> => {
  try {
    return await within({ ms }, bundle)
  } catch (cause) {
    if (!isTonlithError(cause, 'timeout')) throw cause
    const why = troubles()[0] ?? 'no liteserver answers'
    throw new TonlithError('unavailable', `masterchain block ${seqno} cannot be read: ${why}`, { cause })
  }
}
