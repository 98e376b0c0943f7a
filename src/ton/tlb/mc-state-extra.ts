import { greater } from '../../common/bigint-order.ts'
import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { type DictWalk, dictEntries, dictLookup, key32 } from '../dictionary.ts'
import type { Augmentation } from '../dictionary-node.ts'
import type { Slice } from '../slice.ts'
import { type AugDict, loadAugDict, storeAugDict } from './aug-dict.ts'
import { type ConfigParams, loadConfigParams, storeConfigParams } from './config-params.ts'
import { type CurrencyCollection, loadCurrencyCollection, storeCurrencyCollection } from './currency.ts'
import { type ExtBlkRef, loadExtBlkRef, storeExtBlkRef } from './ext-blk-ref.ts'
import type { ShardStateUnsplit } from './shard-state.ts'
import { buildCell, expectTag, malformed, maybe, parseCell, storeMaybe } from './tag.ts'

/** TL-B McStateExtra with its parts still closed. */
export interface McStateExtra {
  /** shardEntries, shardOfAccount, exactShard */
  shard_hashes: Cell | null
  config: ConfigParams
  /** The unnamed cell of the scheme: parseMcStateHistory */
  history: Cell
  global_balance: CurrencyCollection
}

/** TL-B ValidatorInfo. */
export interface ValidatorInfo {
  validator_list_hash_short: number
  catchain_seqno: number
  nx_cc_updated: boolean
}

/** TL-B KeyMaxLt, the augmentation of OldMcBlocksInfo: is there a key block, and the highest end lt. */
export interface KeyMaxLt {
  key: boolean
  max_end_lt: bigint
}

/** TL-B KeyExtBlkRef. */
export interface KeyExtBlkRef {
  key: boolean
  blk_ref: ExtBlkRef
}

/** TL-B Counters: `cnt2048` and `cnt65536` decay over about as many seconds and are scaled by 2^32. */
export interface Counters {
  last_updated: number
  total: bigint
  cnt2048: bigint
  cnt65536: bigint
}

/** TL-B CreatorStats. Throws `malformed`. */
export interface CreatorStats {
  mc_blocks: Counters
  shard_blocks: Counters
}

/** TL-B BlockCreateStats; `counters` is the dictionary's root (augmented in the `_ext` form): creatorStats. */
export interface BlockCreateStats {
  _: 'block_create_stats' | 'block_create_stats_ext'
  counters: Cell | null
  /** The augmentation of all of it in the `_ext` form (uint32), else null. */
  extra: number | null
}

/** The unnamed cell inside of McStateExtra. */
export interface McStateHistory {
  flags: number
  validator_info: ValidatorInfo
  /** oldMcBlock, oldMcBlocks */
  prev_blocks: AugDict<KeyMaxLt>
  after_key_block: boolean
  last_key_block: ExtBlkRef | null
  block_create_stats: BlockCreateStats | null
}

const loadMcStateExtra = (slice: Slice): McStateExtra => {
  expectTag(slice, 16, 0xcc26, 'McStateExtra')
  return {
    shard_hashes: slice.maybeRef(),
    config: loadConfigParams(slice),
    history: slice.ref(),
    global_balance: loadCurrencyCollection(slice),
  }
}

/** TL-B McStateExtra: reads its root cell only. Throws `malformed`. */
export const parseMcStateExtra = (cell: Cell): McStateExtra => parseCell(cell, loadMcStateExtra)

const storeMcStateExtra = (builder: Builder, extra: McStateExtra): void => {
  builder.uint(0xcc26, 16).maybeRef(extra.shard_hashes)
  storeConfigParams(builder, extra.config).ref(extra.history)
  storeCurrencyCollection(builder, extra.global_balance)
}

/** TL-B ^McStateExtra. */
export const buildMcStateExtra = (extra: McStateExtra): Cell => buildCell(storeMcStateExtra, extra)

/** The part of a masterchain state that is the masterchain's own. Throws `malformed`, also for the state of a shard. */
export const mcStateExtraOf = ({ custom }: Pick<ShardStateUnsplit, 'custom'>): McStateExtra => {
  if (!custom) throw malformed('McStateExtra')
  return parseMcStateExtra(custom)
}

const loadKeyMaxLt = (slice: Slice): KeyMaxLt => ({ key: slice.bit(), max_end_lt: slice.uintBig(64) })

const storeKeyMaxLt = (builder: Builder, { key, max_end_lt }: KeyMaxLt): Builder =>
  builder.bit(key).uint(max_end_lt, 64)

/** Augmentation of OldMcBlocksInfo. */
export const keyMaxLtAug: Augmentation<KeyMaxLt> = {
  load: loadKeyMaxLt,
  store: storeKeyMaxLt,
  combine: (a, b) => ({
    key: a.key || b.key,
    max_end_lt: greater(a.max_end_lt, b.max_end_lt),
  }),
  empty: { key: false, max_end_lt: 0n },
}

const loadBlockCreateStats = (slice: Slice): BlockCreateStats => {
  const tag = slice.uint(8)
  if (tag === 0x17) return { _: 'block_create_stats', counters: slice.maybeRef(), extra: null }
  if (tag !== 0x34) throw malformed('BlockCreateStats')
  return { _: 'block_create_stats_ext', counters: slice.maybeRef(), extra: slice.uint(32) }
}

const loadMcStateHistory = (slice: Slice): McStateHistory => {
  const flags = slice.uint(16)
  if (flags > 1) throw malformed('McStateExtra')
  return {
    flags,
    validator_info: {
      validator_list_hash_short: slice.uint(32),
      catchain_seqno: slice.uint(32),
      nx_cc_updated: slice.bit(),
    },
    prev_blocks: loadAugDict(slice, loadKeyMaxLt),
    after_key_block: slice.bit(),
    last_key_block: maybe(slice, loadExtBlkRef),
    block_create_stats: flags & 1 ? loadBlockCreateStats(slice) : null,
  }
}

/** Reads the `history` cell of McStateExtra. Throws `malformed`. */
export const parseMcStateHistory = (cell: Cell): McStateHistory => parseCell(cell, loadMcStateHistory)

const storeBlockCreateStats = (builder: Builder, { counters, extra }: BlockCreateStats): void => {
  builder.uint(extra === null ? 0x17 : 0x34, 8).maybeRef(counters)
  if (extra !== null) builder.uint(extra, 32)
}

const storeMcStateHistory = (builder: Builder, history: McStateHistory): void => {
  const { validator_list_hash_short, catchain_seqno, nx_cc_updated } = history.validator_info
  builder.uint(history.flags, 16).uint(validator_list_hash_short, 32).uint(catchain_seqno, 32).bit(nx_cc_updated)
  storeAugDict(builder, history.prev_blocks, keyMaxLtAug).bit(history.after_key_block)
  storeMaybe(builder, history.last_key_block, storeExtBlkRef)
  if (history.block_create_stats) storeBlockCreateStats(builder, history.block_create_stats)
}

/** The `history` cell of McStateExtra; bit 0 of `flags` must tell whether `block_create_stats` is there. */
export const buildMcStateHistory = (history: McStateHistory): Cell => buildCell(storeMcStateHistory, history)

/** TL-B KeyExtBlkRef, the value of OldMcBlocksInfo behind its augmentation. */
export const loadKeyExtBlkRef = (slice: Slice): KeyExtBlkRef => ({ key: slice.bit(), blk_ref: loadExtBlkRef(slice) })

const loadOldMcBlock = (slice: Slice): KeyExtBlkRef => {
  loadKeyMaxLt(slice)
  return loadKeyExtBlkRef(slice)
}

/** Writes TL-B KeyExtBlkRef, the value of OldMcBlocksInfo. */
export const storeKeyExtBlkRef = (builder: Builder, { key, blk_ref }: KeyExtBlkRef): Builder =>
  storeExtBlkRef(builder.bit(key), blk_ref)

/** The old masterchain block of this seqno (TL-B OldMcBlocksInfo), or null. Opens only the path to it. */
export const oldMcBlock = (prev_blocks: AugDict<KeyMaxLt>, seqno: number): KeyExtBlkRef | null => {
  const value = dictLookup(prev_blocks.root, 32, key32(seqno))
  return value && loadOldMcBlock(value)
}

/** Old masterchain blocks by seqno; behind `after` if given, in the order of the walk. Throws `malformed`. */
export function* oldMcBlocks(
  prev_blocks: AugDict<KeyMaxLt>,
  { after, ...walk }: Omit<DictWalk, 'after'> & { after?: number } = {},
): Generator<[seqno: number, block: KeyExtBlkRef]> {
  const options = { ...walk, skipExtra: loadKeyMaxLt, ...(after !== undefined && { after: key32(after) }) }
  for (const [key, value] of dictEntries(prev_blocks.root, 32, options))
    yield [key.readUInt32BE(0), loadOldMcBlock(value)]
}

const loadCounters = (slice: Slice): Counters => ({
  last_updated: slice.uint(32),
  total: slice.uintBig(64),
  cnt2048: slice.uintBig(64),
  cnt65536: slice.uintBig(64),
})

/** TL-B CreatorStats. */
export const loadCreatorStats = (slice: Slice): CreatorStats => {
  expectTag(slice, 4, 4, 'CreatorStats')
  return { mc_blocks: loadCounters(slice), shard_blocks: loadCounters(slice) }
}

const storeCounters = (builder: Builder, { last_updated, total, cnt2048, cnt65536 }: Counters): Builder =>
  builder.uint(last_updated, 32).uint(total, 64).uint(cnt2048, 64).uint(cnt65536, 64)

/** Writes TL-B CreatorStats. */
export const storeCreatorStats = (builder: Builder, { mc_blocks, shard_blocks }: CreatorStats): Builder =>
  storeCounters(storeCounters(builder.uint(4, 4), mc_blocks), shard_blocks)

/** Block creation statistics by validator public key. Throws `malformed`. */
export function* creatorStats(
  { _: form, counters }: BlockCreateStats,
  walk: DictWalk = {},
): Generator<[publicKey: Buffer, stats: CreatorStats]> {
  const augmented = form === 'block_create_stats_ext'
  const skipExtra = (slice: Slice): void => void slice.skip(32)
  const options = { ...walk, ...(augmented && { skipExtra }) }
  for (const [key, value] of dictEntries(counters, 256, options)) {
    if (augmented) skipExtra(value)
    yield [key, loadCreatorStats(value)]
  }
}
