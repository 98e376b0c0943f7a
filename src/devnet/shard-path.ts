import type { BlockIdExt } from '../ton/block-id.ts'
import { SHARD_ALL } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import { dictLookup, key32 } from '../ton/dictionary.ts'
import { beginParse } from '../ton/slice.ts'
import { loadShardDescr, shardBlockId, shardDescrFees } from '../ton/tlb/shard-hashes.ts'
import { shardChild, shardPrefixLength } from '../ton/tlb/shard-ident.ts'

/** A leaf of ShardHashes: its cell (TL-B BinTree ShardDescr) and the block that it names. */
export interface ShardLeaf {
  leaf: Cell
  id: BlockIdExt
}

/**
 * The leaf on the way to a shard: of the shard itself, or with `exact` false also of one that holds it. Null when the
 * shard is split further or unknown. Opens the path and the whole leaf, as the node does
 * (ShardConfig::get_shard_hash_raw_from).
 */
export const shardLeaf = (
  shard_hashes: Cell | null,
  workchain: number,
  shard: bigint,
  exact: boolean,
): ShardLeaf | null => {
  let leaf = dictLookup(shard_hashes, 32, key32(workchain))?.ref()
  let at = SHARD_ALL
  for (let left = shardPrefixLength(shard); leaf; left--) {
    const slice = beginParse(leaf)
    if (!slice.bit()) {
      if (left > 0 && exact) return null
      const descr = loadShardDescr(slice)
      shardDescrFees(descr)
      return { leaf, id: shardBlockId({ workchain, shard: at, descr }) }
    }
    if (left === 0) return null
    const right = ((BigInt.asUintN(64, shard) >> BigInt(63 - shardPrefixLength(at))) & 1n) === 1n
    at = shardChild(at, right)
    leaf = slice.preloadRef(right ? 1 : 0)
  }
  return null
}
