import type { SeqnoRange } from '../model/index-records.ts'

/** Where an index begins: at the newest block, at the first one, or at a seqno. */
export type IndexFrom = 'head' | 'genesis' | number

const FIRST_SEQNO = 1

/** The seqno that `--index-from` names; undefined for `head`. */
const namedSeqno = (from: IndexFrom): number | undefined => {
  if (from === 'head') return undefined
  return from === 'genesis' ? FIRST_SEQNO : Math.max(from, FIRST_SEQNO)
}

/**
 * The next masterchain block upwards: the one behind the newest that is stored, so that a restart leaves no gap. An
 * empty index begins where `from` says; a `from` beyond what is stored begins there too, and leaves a gap that is known.
 */
export const nextSeqno = (ranges: readonly SeqnoRange[], from: IndexFrom, head: number): number => {
  const newest = ranges.at(-1)
  const wanted = namedSeqno(from)
  if (!newest) return Math.max(FIRST_SEQNO, wanted ?? head)
  return Math.max(newest.last + 1, wanted ?? 0)
}

/**
 * The lowest masterchain block that is wanted: what `--backfill-to` and `--index-from` name, whichever is lower;
 * undefined when neither names one: then nothing below the beginning is.
 */
export const lowestWanted = (from: IndexFrom, backfillTo: number | undefined): number | undefined => {
  const named = [namedSeqno(from), backfillTo].filter((seqno) => seqno !== undefined)
  return named.length === 0 ? undefined : Math.max(FIRST_SEQNO, Math.min(...named))
}

/** What is missing between the lowest wanted block (or the lowest stored one) and the newest stored one, ascending. */
export const gapsOf = (ranges: readonly SeqnoRange[], lowest: number | undefined): SeqnoRange[] => {
  const gaps: SeqnoRange[] = []
  let next = lowest ?? ranges[0]?.first ?? FIRST_SEQNO
  for (const { first, last } of ranges) {
    if (first > next) gaps.push({ first: next, last: first - 1 })
    next = Math.max(next, last + 1)
  }
  return gaps
}
