import { TonlithError } from '../../common/errors.ts'
import type { SeqnoRange } from '../../model/index-records.ts'
import type { IndexReader } from '../../store/queries/index-reader.ts'

const MAX_SHOWN = 10

const rangeText = ({ first, last }: SeqnoRange): string => `${first}-${last}`

/** Indexed masterchain seqnos as text: "1-360"; with gaps "1-100,200-360", the newest ten stretches of them. */
export const rangesText = (ranges: readonly SeqnoRange[]): string => ranges.slice(-MAX_SHOWN).map(rangeText).join(',')

/**
 * Throws `notFound` when a masterchain block is not indexed: the block itself, or `what` it would tell. The text tells what is, so that a block outside of the
 * index is told apart from one that does not exist yet.
 */
export const needIndexed = (index: IndexReader, mc_seqno: number | undefined, what?: string): void => {
  if (mc_seqno === undefined || index.covers(mc_seqno)) return
  const ranges = index.ranges()
  const newest = ranges.at(-1)
  const why = !newest
    ? 'nothing is indexed yet'
    : mc_seqno > newest.last
      ? `the newest indexed one is ${newest.last}`
      : `indexed are ${rangesText(ranges)}`
  const block = `masterchain block ${mc_seqno}`
  const text = what === undefined ? `${block} not found` : `${what} not found: ${block} is not indexed`
  throw new TonlithError('notFound', `${text}, ${why}`)
}
