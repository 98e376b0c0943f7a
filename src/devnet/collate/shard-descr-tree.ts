import { SHARD_ALL } from '../../ton/block-id.ts'
import { beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { key32 } from '../../ton/dictionary.ts'
import { buildDict } from '../../ton/dictionary-update.ts'
import { type ShardEntry, storeShardDescr } from '../../ton/tlb/shard-hashes.ts'
import { shardChild } from '../../ton/tlb/shard-ident.ts'
import { isAncestor } from './processed-upto.ts'
import type { ShardId } from './routing.ts'

/** A shard as a key of maps. */
export const placeOf = ({ workchain, shard }: ShardId): string => `${workchain}:${shard}`

/** The tree over the entries of one workchain that lie in `shard`. */
const branch = (entries: readonly ShardEntry[], shard: bigint): Cell => {
  const [first] = entries
  if (first?.shard === shard) return storeShardDescr(beginCell().bit(false), first.descr).endCell()
  const [left, right] = [false, true].map((side) => shardChild(shard, side))
  const half = (side: bigint): Cell =>
    branch(
      entries.filter((entry) => isAncestor(side, entry.shard)),
      side,
    )
  return beginCell().bit(true).ref(half(left!)).ref(half(right!)).endCell()
}

/**
 * The root of TL-B ShardHashes (HashmapE 32 ^(BinTree ShardDescr)) over these entries in any order, null for none. The
 * entries of a workchain are to cover all of it, each account once.
 */
export const buildShardHashes = (entries: readonly ShardEntry[]): Cell | null => {
  const workchains = Map.groupBy(entries, ({ workchain }) => workchain)
  const items = [...workchains].map(([workchain, own]) => ({
    key: key32(workchain),
    store: (builder: ReturnType<typeof beginCell>) => builder.ref(branch(own, SHARD_ALL)),
  }))
  return buildDict(items, 32)
}
