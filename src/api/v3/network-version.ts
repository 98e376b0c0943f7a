import type { IndexReader } from '../../store/queries/index-reader.ts'
import { MASTERCHAIN } from '../../ton/block-id.ts'

/** From this version of the network on, internal messages have `extra_flags` where `ihr_fee` was. */
export const EXTRA_FLAGS_VERSION = 12
const MAX_KNOWN = 100_000

/**
 * Tells whether messages of a masterchain block and its shard blocks still had `ihr_fee`, by the version that the
 * masterchain block names as its software's.
 */
export type IhrFeeDays = (index: IndexReader, mc_seqno: number) => boolean

/** Remembers what was looked up: it can never change. */
export const createIhrFeeDays = (): IhrFeeDays => {
  const known = new Map<number, boolean>()
  return (index, mc_seqno) => {
    const before = known.get(mc_seqno)
    if (before !== undefined) return before
    const filter = { workchain: MASTERCHAIN, seqno: mc_seqno, mc_seqno }
    const [found] = index.blocks(filter, { limit: 1, offset: 0, sort: 'asc' }).records
    if (!found) return false
    const software = found.info.gen_software
    const had = software === null || software.version < EXTRA_FLAGS_VERSION
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(mc_seqno, had)
    return had
  }
}
