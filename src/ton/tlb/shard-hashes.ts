import { type BlockIdExt, SHARD_ALL, shardContains } from '../block-id.ts'
import { type Cell, PRUNED_BRANCH } from '../cell.ts'
import { type DictWalk, dictEntries, dictLookup, key32 } from '../dictionary.ts'
import { beginParse, Slice } from '../slice.ts'
import { type CurrencyCollection, loadCurrencyCollection } from './currency.ts'
import { shardChild, shardPrefixLength } from './shard-ident.ts'
import { malformed } from './tag.ts'

/** TL-B FutureSplitMerge; times in unix seconds, `interval` in seconds. */
export type FutureSplitMerge =
  | { _: 'fsm_none' }
  | { _: 'fsm_split'; split_utime: number; interval: number }
  | { _: 'fsm_merge'; merge_utime: number; interval: number }

/** TL-B ShardDescr: what a masterchain block knows of the newest block of a shard. */
export interface ShardDescr {
  _: 'shard_descr' | 'shard_descr_new'
  seq_no: number
  reg_mc_seqno: number
  start_lt: bigint
  end_lt: bigint
  root_hash: Buffer
  file_hash: Buffer
  before_split: boolean
  before_merge: boolean
  want_split: boolean
  want_merge: boolean
  nx_cc_updated: boolean
  flags: number
  next_catchain_seqno: number
  /** A shard id as signed int64 (uint64 in the scheme). */
  next_validator_shard: bigint
  min_ref_mc_seqno: number
  gen_utime: number
  split_merge_at: FutureSplitMerge
  /** Where fees_collected and funds_created stand: shardDescrFees. */
  fees: Cell | Slice
}

/** One entry of ShardHashes with the shard that it is about. */
export interface ShardEntry {
  workchain: number
  shard: bigint
  descr: ShardDescr
}

const MAX_SPLIT_DEPTH = 60

const loadFutureSplitMerge = (slice: Slice): FutureSplitMerge => {
  if (!slice.bit()) return { _: 'fsm_none' }
  return slice.bit()
    ? { _: 'fsm_merge', merge_utime: slice.uint(32), interval: slice.uint(32) }
    : { _: 'fsm_split', split_utime: slice.uint(32), interval: slice.uint(32) }
}

/** TL-B ShardDescr, both layouts. Throws `malformed`. */
export const loadShardDescr = (slice: Slice): ShardDescr => {
  const tag = slice.uint(4)
  if (tag !== 0xa && tag !== 0xb) throw malformed('ShardDescr')
  const descr = {
    seq_no: slice.uint(32),
    reg_mc_seqno: slice.uint(32),
    start_lt: slice.uintBig(64),
    end_lt: slice.uintBig(64),
    root_hash: slice.bytes(32),
    file_hash: slice.bytes(32),
    before_split: slice.bit(),
    before_merge: slice.bit(),
    want_split: slice.bit(),
    want_merge: slice.bit(),
    nx_cc_updated: slice.bit(),
    flags: slice.uint(3),
    next_catchain_seqno: slice.uint(32),
    next_validator_shard: slice.intBig(64),
    min_ref_mc_seqno: slice.uint(32),
    gen_utime: slice.uint(32),
    split_merge_at: loadFutureSplitMerge(slice),
  }
  return tag === 0xa
    ? { _: 'shard_descr_new', ...descr, fees: slice.ref() }
    : { _: 'shard_descr', ...descr, fees: slice.clone() }
}

/** The amounts of a ShardDescr, which the newer layout keeps in a cell of their own. */
export const shardDescrFees = ({
  fees,
}: ShardDescr): { fees_collected: CurrencyCollection; funds_created: CurrencyCollection } => {
  const slice = fees instanceof Slice ? fees.clone() : beginParse(fees)
  return { fees_collected: loadCurrencyCollection(slice), funds_created: loadCurrencyCollection(slice) }
}

/** Full id of the block that an entry names. */
export const shardBlockId = ({ workchain, shard, descr }: ShardEntry): BlockIdExt => ({
  workchain,
  shard,
  seqno: descr.seq_no,
  root_hash: descr.root_hash,
  file_hash: descr.file_hash,
})

function* leaves(root: Cell, workchain: number, skipPruned: boolean): Generator<ShardEntry> {
  const stack = [{ cell: root, shard: SHARD_ALL, depth: 0 }]
  while (stack.length > 0) {
    const { cell, shard, depth } = stack.pop()!
    if (skipPruned && cell.type === PRUNED_BRANCH) continue
    const slice = beginParse(cell)
    if (!slice.bit()) {
      yield { workchain, shard, descr: loadShardDescr(slice) }
      continue
    }
    if (depth >= MAX_SPLIT_DEPTH) throw malformed('ShardHashes')
    const left = { cell: slice.ref(), shard: shardChild(shard, false), depth: depth + 1 }
    stack.push({ cell: slice.ref(), shard: shardChild(shard, true), depth: depth + 1 }, left)
  }
}

/**
 * All entries of ShardHashes (root cell): by workchain, then in binary-tree order, left shards first; with `skipPruned`
 * those that a proof shows. Throws `malformed`.
 */
export function* shardEntries(
  shard_hashes: Cell | null,
  { skipPruned = false }: Pick<DictWalk, 'skipPruned'> = {},
): Generator<ShardEntry> {
  for (const [key, value] of dictEntries(shard_hashes, 32, { skipPruned }))
    yield* leaves(value.ref(), key.readInt32BE(0), skipPruned)
}

/** Goes down the tree of a workchain as long as `into` says which half to take. */
const descend = (
  shard_hashes: Cell | null,
  workchain: number,
  into: (shard: bigint) => boolean | null,
): { shard: bigint; slice: Slice } | null => {
  const value = dictLookup(shard_hashes, 32, key32(workchain))
  if (!value) return null
  let shard = SHARD_ALL
  let slice = beginParse(value.ref())
  while (slice.bit()) {
    const right = into(shard)
    if (right === null) return null
    slice = beginParse(slice.preloadRef(right ? 1 : 0))
    shard = shardChild(shard, right)
  }
  return { shard, slice }
}

/**
 * The entry whose shard holds the account id that starts with these 64 bits, or null when the workchain has no entry.
 * Opens only the path. Throws `malformed`.
 */
export const shardOfAccount = (shard_hashes: Cell | null, workchain: number, prefix: bigint): ShardEntry | null => {
  const found = descend(shard_hashes, workchain, (shard) => {
    if (shardPrefixLength(shard) >= MAX_SPLIT_DEPTH) throw malformed('ShardHashes')
    return shardContains(shardChild(shard, true), prefix)
  })
  return found && { workchain, shard: found.shard, descr: loadShardDescr(found.slice) }
}

/** The entry of the shard that this shard is or lies in, or null when it is split further. Opens only the path. */
export const coveringShard = (shard_hashes: Cell | null, workchain: number, shard: bigint): ShardEntry | null => {
  const found = descend(shard_hashes, workchain, (at) =>
    at === shard || !shardContains(at, shard) ? null : shardContains(shardChild(at, true), shard),
  )
  return found && { workchain, shard: found.shard, descr: loadShardDescr(found.slice) }
}

/** The entry of exactly this shard (signed int64), or null when it is not a shard of its own. Opens only the path. */
export const exactShard = (shard_hashes: Cell | null, workchain: number, shard: bigint): ShardEntry | null => {
  const entry = coveringShard(shard_hashes, workchain, shard)
  return entry?.shard === shard ? entry : null
}
