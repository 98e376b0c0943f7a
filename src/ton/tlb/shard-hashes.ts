import { TonlithError } from '../../common/errors.ts'
import { type BlockIdExt, SHARD_ALL, shardContains } from '../block-id.ts'
import { type Builder, beginCell } from '../builder.ts'
import { type Cell, PRUNED_BRANCH } from '../cell.ts'
import { type DictWalk, dictEntries, dictLookup, key32 } from '../dictionary.ts'
import { buildDict } from '../dictionary-writer.ts'
import { beginParse, Slice } from '../slice.ts'
import { type CurrencyCollection, loadCurrencyCollection, storeCurrencyCollection } from './currency.ts'
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

const storeFutureSplitMerge = (builder: Builder, at: FutureSplitMerge): Builder => {
  switch (at._) {
    case 'fsm_none':
      return builder.bit(false)
    case 'fsm_split':
      return builder.uint(0b10, 2).uint(at.split_utime, 32).uint(at.interval, 32)
    case 'fsm_merge':
      return builder.uint(0b11, 2).uint(at.merge_utime, 32).uint(at.interval, 32)
  }
}

/** Writes TL-B ShardDescr: the newer layout where the fees stand in a cell of their own. */
export const storeShardDescr = (builder: Builder, descr: ShardDescr): Builder => {
  builder
    .uint(descr.fees instanceof Slice ? 0xb : 0xa, 4)
    .uint(descr.seq_no, 32)
    .uint(descr.reg_mc_seqno, 32)
    .uint(descr.start_lt, 64)
    .uint(descr.end_lt, 64)
    .bytes(descr.root_hash)
    .bytes(descr.file_hash)
    .bit(descr.before_split)
    .bit(descr.before_merge)
    .bit(descr.want_split)
    .bit(descr.want_merge)
    .bit(descr.nx_cc_updated)
    .uint(descr.flags, 3)
    .uint(descr.next_catchain_seqno, 32)
    .int(descr.next_validator_shard, 64)
    .uint(descr.min_ref_mc_seqno, 32)
    .uint(descr.gen_utime, 32)
  storeFutureSplitMerge(builder, descr.split_merge_at)
  return descr.fees instanceof Slice ? builder.slice(descr.fees) : builder.ref(descr.fees)
}

/** The amounts of a ShardDescr, which the newer layout keeps in a cell of their own. */
export const shardDescrFees = ({
  fees,
}: ShardDescr): { fees_collected: CurrencyCollection; funds_created: CurrencyCollection } => {
  const slice = fees instanceof Slice ? fees.clone() : beginParse(fees)
  return { fees_collected: loadCurrencyCollection(slice), funds_created: loadCurrencyCollection(slice) }
}

/** The cell that holds the amounts in the newer layout of ShardDescr. */
export const buildShardDescrFees = ({ fees_collected, funds_created }: ReturnType<typeof shardDescrFees>): Cell =>
  storeCurrencyCollection(storeCurrencyCollection(beginCell(), fees_collected), funds_created).endCell()

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

const uncovered = (): TonlithError => new TonlithError('internal', 'shards do not cover their workchain once')

/** The tree below `shard`, over entries that it takes out of the map. */
const buildShards = (shards: Map<bigint, ShardDescr>, shard: bigint, depth: number): Cell => {
  const descr = shards.get(shard)
  if (descr) {
    shards.delete(shard)
    return storeShardDescr(beginCell().bit(false), descr).endCell()
  }
  if (depth >= MAX_SPLIT_DEPTH) throw uncovered()
  const [left, right] = [false, true].map((half) => buildShards(shards, shardChild(shard, half), depth + 1))
  return beginCell().bit(true).ref(left!).ref(right!).endCell()
}

/**
 * The root of TL-B ShardHashes over these entries in any order, null for none. Throws `internal` unless every workchain's
 * shards cover it once.
 */
export const buildShardHashes = (entries: readonly ShardEntry[]): Cell | null => {
  const workchains = new Map<number, Map<bigint, ShardDescr>>()
  for (const { workchain, shard, descr } of entries) {
    const shards = workchains.get(workchain) ?? new Map<bigint, ShardDescr>()
    workchains.set(workchain, shards.set(shard, descr))
  }
  return buildDict(
    Array.from(workchains, ([workchain, shards]) => {
      const tree = buildShards(shards, SHARD_ALL, 0)
      if (shards.size > 0) throw uncovered()
      return { key: key32(workchain), store: (builder) => builder.ref(tree) }
    }),
    32,
  )
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
