import type { SeqnoRange } from '../model/index-records.ts'
import { u32Key } from './keys.ts'
import { firstKey, keysIn } from './scan.ts'
import type { Tables } from './tables.ts'

type RangeTable = Pick<Tables, 'ranges'>

/** Indexed masterchain seqnos, ascending; there is a gap between any two. */
export const readRanges = (tables: RangeTable): SeqnoRange[] =>
  Array.from(keysIn(tables.ranges, {}, 'asc'), (key) => readRange(tables, key))

const readRange = ({ ranges }: RangeTable, key: Buffer): SeqnoRange => ({
  first: key.readUInt32BE(0),
  last: ranges.get(key)!.readUInt32BE(0),
})

/** The range that holds a seqno. */
export const rangeAt = (tables: RangeTable, seqno: number): SeqnoRange | undefined => {
  const key = firstKey(tables.ranges, { to: u32Key(seqno, Buffer.alloc(1)) }, 'desc')
  const range = key && readRange(tables, key)
  return range && range.last >= seqno ? range : undefined
}

/** The newest range; its last seqno is what the index reflects. */
export const newestRange = (tables: RangeTable): SeqnoRange | undefined => {
  const key = firstKey(tables.ranges, {}, 'desc')
  return key && readRange(tables, key)
}

/** The oldest range. */
export const oldestRange = (tables: RangeTable): SeqnoRange | undefined => {
  const key = firstKey(tables.ranges, {}, 'asc')
  return key && readRange(tables, key)
}

const put = ({ ranges }: RangeTable, { first, last }: SeqnoRange): void => ranges.putSync(u32Key(first), u32Key(last))

/** Notes that a seqno is indexed: a range grows, two become one, or a new one begins. */
export const addSeqno = (tables: RangeTable, seqno: number): void => {
  if (rangeAt(tables, seqno)) return
  const below = seqno > 0 ? rangeAt(tables, seqno - 1) : undefined
  const above = rangeAt(tables, seqno + 1)
  if (above) tables.ranges.removeSync(u32Key(above.first))
  put(tables, { first: below?.first ?? seqno, last: above?.last ?? seqno })
}

/** Takes the first seqno off the oldest range. */
export const dropOldestSeqno = (tables: RangeTable): void => {
  const oldest = oldestRange(tables)
  if (!oldest) return
  tables.ranges.removeSync(u32Key(oldest.first))
  if (oldest.first < oldest.last) put(tables, { first: oldest.first + 1, last: oldest.last })
}
