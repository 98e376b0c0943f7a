import { TonlithError } from '../../common/errors.ts'
import { type BlockIdExt, blockIdText, SHARD_ALL } from '../../ton/block-id.ts'
import type { ShardDescr, ShardEntry } from '../../ton/tlb/shard-hashes.ts'
import { shardChild, shardParent, shardSibling } from '../../ton/tlb/shard-ident.ts'
import type { ShardTop } from './collation.ts'
import type { ShardId } from './routing.ts'
import { shardDescrOf } from './shard-descr.ts'
import { placeOf } from './shard-place.ts'
import { isTimeToMerge, isTimeToSplit } from './split-merge-time.ts'

/** What bounds the shard blocks that a masterchain block may take in. */
export interface RegistryBounds {
  /** The masterchain block's own seqno. */
  seqno: number
  /** The newest gen_utime that is taken in, unix seconds. */
  utime: number
  /** Their lt is to end before this. */
  lt: bigint
}

const refuse = (id: BlockIdExt, why: string): TonlithError =>
  new TonlithError('invalid', `the masterchain cannot take in block ${blockIdText(id)}: ${why}`)

const checkBounds = ({ id, info }: ShardTop, bounds: RegistryBounds): void => {
  if (info.gen_utime > bounds.utime) throw refuse(id, 'it is not older than the masterchain block')
  if (info.end_lt >= bounds.lt) throw refuse(id, 'its logical time is too far ahead')
}

const checkCatchain = ({ id, info }: ShardTop, expected: number): void => {
  if (info.gen_catchain_seqno !== expected) throw refuse(id, `its catchain seqno is not ${expected}`)
}

/** The next block of a shard that stays one: what was planned for the shard is still planned. */
const continued = (top: ShardTop, old: ShardDescr, seqno: number): ShardDescr => {
  const { id, info } = top
  if (old.before_split || old.before_merge) throw refuse(id, 'its shard has to split or to merge')
  if (info.before_split && !isTimeToSplit(old.split_merge_at, info.gen_utime))
    throw refuse(id, 'its shard was not to split at that time')
  checkCatchain(top, old.next_catchain_seqno)
  return { ...shardDescrOf(top, seqno), split_merge_at: old.split_merge_at }
}

/** The first block of one half of a shard. */
const split = (top: ShardTop, old: ShardDescr, seqno: number): ShardDescr => {
  if (!old.before_split) throw refuse(top.id, 'the shard that it is a half of does not split')
  if (top.info.before_split) throw refuse(top.id, 'it comes from a split and is to split')
  checkCatchain(top, old.next_catchain_seqno)
  return shardDescrOf(top, seqno)
}

/** The first block of a shard that two halves made. */
const merged = (top: ShardTop, halves: readonly ShardDescr[], seqno: number): ShardDescr => {
  const { id, info } = top
  if (!halves.every((half) => half.before_merge && isTimeToMerge(half.split_merge_at, info.gen_utime)))
    throw refuse(id, 'its halves do not merge')
  if (info.before_split) throw refuse(id, 'it comes from a merge and is to split')
  checkCatchain(top, Math.max(...halves.map((half) => half.next_catchain_seqno)) + 1)
  return shardDescrOf(top, seqno)
}

/**
 * The entries of ShardHashes after the masterchain has taken in these newest shard blocks, in any order: one for the shard
 * that it continues, two for the halves of a shard, one for the two halves that it merges. Throws `invalid` for a block that
 * the node's rules do not let in.
 */
export const registerTops = (
  entries: readonly ShardEntry[],
  tops: readonly ShardTop[],
  bounds: RegistryBounds,
): ShardEntry[] => {
  const result = new Map(entries.map((entry) => [placeOf(entry), entry]))
  const known = new Map(result)
  const fresh = new Map(tops.map((top) => [placeOf(top.id), top]))
  if (fresh.size < tops.length) throw new TonlithError('invalid', 'two newest blocks of one shard')
  const descrOf = (top: ShardTop): ShardDescr => {
    const { workchain, shard } = top.id
    const at = (other: bigint): ShardId => ({ workchain, shard: other })
    const same = known.get(placeOf(top.id))
    if (same) return continued(top, same.descr, bounds.seqno)
    const whole = shard === SHARD_ALL ? undefined : known.get(placeOf(at(shardParent(shard))))
    if (whole) {
      if (!fresh.has(placeOf(at(shardSibling(shard))))) throw refuse(top.id, 'the other half is missing')
      result.delete(placeOf(whole))
      return split(top, whole.descr, bounds.seqno)
    }
    const halves = [false, true].map((right) => known.get(placeOf(at(shardChild(shard, right)))))
    const present = halves.filter((half) => half !== undefined)
    if (present.length < 2) throw refuse(top.id, 'its shard does not exist')
    for (const half of present) result.delete(placeOf(half))
    return merged(
      top,
      present.map(({ descr }) => descr),
      bounds.seqno,
    )
  }
  for (const top of tops) {
    checkBounds(top, bounds)
    const { workchain, shard } = top.id
    result.set(placeOf(top.id), { workchain, shard, descr: descrOf(top) })
  }
  return [...result.values()]
}
