import type { IndexReader } from '../../store/queries/index-reader.ts'
import { MASTERCHAIN } from '../../ton/block-id.ts'

/** From this version of the network on, internal messages have `extra_flags` where `ihr_fee` was. */
const EXTRA_FLAGS_VERSION = 12

/**
 * Tells whether messages of a masterchain block and its shard blocks still had `ihr_fee`, by the version that the
 * masterchain block names as its software's. Remembered for one answer.
 */
export const ihrFeeDays = (index: IndexReader): ((mc_seqno: number) => boolean) => {
  const known = new Map<number, boolean>()
  const look = (mc_seqno: number): boolean => {
    const filter = { workchain: MASTERCHAIN, seqno: mc_seqno, mc_seqno }
    const [found] = index.blocks(filter, { limit: 1, offset: 0, sort: 'asc' }).records
    const software = found?.info.gen_software
    return software !== undefined && (software === null || software.version < EXTRA_FLAGS_VERSION)
  }
  return (mc_seqno) => known.getOrInsertComputed(mc_seqno, look)
}
