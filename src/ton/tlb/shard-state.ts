import { TonlithError } from '../../common/errors.ts'
import { type Builder, beginCell } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { type DictWalk, dictEntries, dictLookup } from '../dictionary.ts'
import type { Augmentation } from '../dictionary-node.ts'
import { buildDict } from '../dictionary-writer.ts'
import { beginParse, type Slice } from '../slice.ts'
import { loadShardAccount, type ShardAccount } from './account.ts'
import { type AugDict, loadAugDict } from './aug-dict.ts'
import {
  addCurrencies,
  type CurrencyCollection,
  loadCurrencyCollection,
  NO_CURRENCY,
  skipCurrencyCollection,
  storeCurrencyCollection,
} from './currency.ts'
import { type ExtBlkRef, loadExtBlkRef, storeExtBlkRef } from './ext-blk-ref.ts'
import { loadShardIdent, type ShardIdent, storeShardIdent } from './shard-ident.ts'
import { buildCell, expectTag, malformed, maybe, parseCell, storeMaybe } from './tag.ts'

/** TL-B ShardStateUnsplit with its parts still closed; times in unix seconds. */
export interface ShardStateUnsplit {
  global_id: number
  shard_id: ShardIdent
  seq_no: number
  vert_seq_no: number
  gen_utime: number
  gen_lt: bigint
  min_ref_mc_seqno: number
  /** parseOutMsgQueueInfo */
  out_msg_queue_info: Cell
  before_split: boolean
  /** ShardAccounts: shardAccount, shardAccounts */
  accounts: Cell
  /** The unnamed cell of the scheme: parseShardStateTotals */
  totals: Cell
  /** parseMcStateExtra; null outside of the masterchain */
  custom: Cell | null
  /** A cell that an experimental build of another node adds (tag 9023afd4), on private networks only. */
  wc_custom: Cell | null
}

/** TL-B ShardState: one state, or the two halves of a state that waits for its split to be used. */
export type ShardState = ({ _: 'shard_state' } & ShardStateUnsplit) | { _: 'split_state'; left: Cell; right: Cell }

/** The unnamed cell inside of ShardStateUnsplit; amounts in nano-units. */
export interface ShardStateTotals {
  overload_history: bigint
  underload_history: bigint
  total_balance: CurrencyCollection
  total_validator_fees: CurrencyCollection
  /** HashmapE 256 LibDescr: sharedLib, sharedLibs */
  libraries: Cell | null
  master_ref: ExtBlkRef | null
}

/** TL-B DepthBalanceInfo, the augmentation of ShardAccounts. */
export interface DepthBalanceInfo {
  split_depth: number
  balance: CurrencyCollection
}

/** TL-B LibDescr: a public library. Its publishers stay closed. */
export interface LibDescr {
  lib: Cell
  /** Where the Hashmap 256 True of the publishing accounts' ids stands in line. */
  publishers: Slice
}

const SHARD_STATE = 0x9023afe2
const SHARD_STATE_EXPERIMENTAL = 0x9023afd4
const SPLIT_STATE = 0x5f327da5
const MAX_SPLIT_DEPTH = 30

const isUnsplit = (tag: number): boolean => tag === SHARD_STATE || tag === SHARD_STATE_EXPERIMENTAL

const loadUnsplit = (slice: Slice, tag: number): ShardStateUnsplit => ({
  global_id: slice.int(32),
  shard_id: loadShardIdent(slice),
  seq_no: slice.uint(32),
  vert_seq_no: slice.uint(32),
  gen_utime: slice.uint(32),
  gen_lt: slice.uintBig(64),
  min_ref_mc_seqno: slice.uint(32),
  out_msg_queue_info: slice.ref(),
  before_split: slice.bit(),
  accounts: slice.ref(),
  totals: slice.ref(),
  custom: slice.maybeRef(),
  wc_custom: tag === SHARD_STATE_EXPERIMENTAL ? slice.maybeRef() : null,
})

const loadShardState = (slice: Slice): ShardState => {
  const tag = slice.uint(32)
  if (isUnsplit(tag)) return { _: 'shard_state', ...loadUnsplit(slice, tag) }
  if (tag === SPLIT_STATE) return { _: 'split_state', left: slice.ref(), right: slice.ref() }
  throw malformed('ShardState')
}

/** TL-B ShardState: reads the root cell only. Throws `malformed`. */
export const parseShardState = (cell: Cell): ShardState => parseCell(cell, loadShardState)

const loadShardStateUnsplit = (slice: Slice): ShardStateUnsplit => {
  const tag = slice.uint(32)
  if (!isUnsplit(tag)) throw malformed('ShardStateUnsplit')
  return loadUnsplit(slice, tag)
}

/** TL-B ShardStateUnsplit: reads the root cell only. Throws `malformed`, also for a split state. */
export const parseShardStateUnsplit = (cell: Cell): ShardStateUnsplit => parseCell(cell, loadShardStateUnsplit)

const storeShardStateUnsplit = (builder: Builder, state: ShardStateUnsplit): void => {
  builder.uint(state.wc_custom ? SHARD_STATE_EXPERIMENTAL : SHARD_STATE, 32).int(state.global_id, 32)
  storeShardIdent(builder, state.shard_id)
    .uint(state.seq_no, 32)
    .uint(state.vert_seq_no, 32)
    .uint(state.gen_utime, 32)
    .uint(state.gen_lt, 64)
    .uint(state.min_ref_mc_seqno, 32)
    .ref(state.out_msg_queue_info)
    .bit(state.before_split)
    .ref(state.accounts)
    .ref(state.totals)
    .maybeRef(state.custom)
  if (state.wc_custom) builder.maybeRef(state.wc_custom)
}

/** TL-B ShardStateUnsplit; the experimental form only where it carries something. */
export const buildShardStateUnsplit = (state: ShardStateUnsplit): Cell => buildCell(storeShardStateUnsplit, state)

/** TL-B split_state: what a block after a merge starts from. */
export const buildSplitState = (left: Cell, right: Cell): Cell =>
  beginCell().uint(SPLIT_STATE, 32).ref(left).ref(right).endCell()

const loadShardStateTotals = (slice: Slice): ShardStateTotals => ({
  overload_history: slice.uintBig(64),
  underload_history: slice.uintBig(64),
  total_balance: loadCurrencyCollection(slice),
  total_validator_fees: loadCurrencyCollection(slice),
  libraries: slice.maybeRef(),
  master_ref: maybe(slice, loadExtBlkRef),
})

/** Reads the `totals` cell of ShardStateUnsplit. Throws `malformed`. */
export const parseShardStateTotals = (cell: Cell): ShardStateTotals => parseCell(cell, loadShardStateTotals)

const storeShardStateTotals = (builder: Builder, totals: ShardStateTotals): void => {
  builder.uint(totals.overload_history, 64).uint(totals.underload_history, 64)
  storeCurrencyCollection(builder, totals.total_balance)
  storeCurrencyCollection(builder, totals.total_validator_fees).maybeRef(totals.libraries)
  storeMaybe(builder, totals.master_ref, storeExtBlkRef)
}

/** The `totals` cell of ShardStateUnsplit. */
export const buildShardStateTotals = (totals: ShardStateTotals): Cell => buildCell(storeShardStateTotals, totals)

/** TL-B DepthBalanceInfo. Throws `malformed`. */
const loadDepthBalanceInfo = (slice: Slice): DepthBalanceInfo => {
  const split_depth = slice.uint(5)
  if (split_depth > MAX_SPLIT_DEPTH) throw malformed('DepthBalanceInfo')
  return { split_depth, balance: loadCurrencyCollection(slice) }
}

const storeDepthBalanceInfo = (builder: Builder, { split_depth, balance }: DepthBalanceInfo): Builder =>
  storeCurrencyCollection(builder.uint(split_depth, 5), balance)

/** Augmentation of ShardAccounts: the greatest depth and the sum of balances. */
export const depthBalanceAug: Augmentation<DepthBalanceInfo> = {
  load: loadDepthBalanceInfo,
  store: storeDepthBalanceInfo,
  combine: (a, b) => ({
    split_depth: Math.max(a.split_depth, b.split_depth),
    balance: addCurrencies(a.balance, b.balance),
  }),
  empty: { split_depth: 0, balance: NO_CURRENCY },
}

const skipDepthBalanceInfo = (slice: Slice): void => skipCurrencyCollection(slice.skip(5))

/** TL-B ShardAccounts: the dictionary's root and the depth and balance of all of it. */
export const parseShardAccounts = (cell: Cell): AugDict<DepthBalanceInfo> =>
  parseCell(cell, (slice) => loadAugDict(slice, loadDepthBalanceInfo))

/**
 * The entry of one account (32-byte id) in the `accounts` cell of a state; null when it provably has none. Opens only
 * the path to it. Throws `malformed`.
 */
export const shardAccount = (accounts: Cell, id: Buffer): ShardAccount | null => {
  const value = dictLookup(beginParse(accounts).maybeRef(), 256, id)
  if (!value) return null
  skipDepthBalanceInfo(value)
  return loadShardAccount(value)
}

/**
 * All accounts of the `accounts` cell by id; with `skipPruned` those that a proof shows. Throws `malformed`.
 */
export function* shardAccounts(accounts: Cell, walk: DictWalk = {}): Generator<[id: Buffer, account: ShardAccount]> {
  const root = beginParse(accounts).maybeRef()
  for (const [id, value] of dictEntries(root, 256, { ...walk, skipExtra: skipDepthBalanceInfo })) {
    skipDepthBalanceInfo(value)
    yield [id, loadShardAccount(value)]
  }
}

/** TL-B LibDescr. Throws `malformed`. */
export const loadLibDescr = (slice: Slice): LibDescr => {
  expectTag(slice, 2, 0, 'LibDescr')
  return { lib: slice.ref(), publishers: slice }
}

/** Writes TL-B LibDescr. */
export const storeLibDescr = (builder: Builder, { lib, publishers }: LibDescr): Builder =>
  builder.uint(0, 2).ref(lib).slice(publishers)

/** The ids of the accounts that publish a library, ascending. Throws `malformed`. */
export const libPublishers = ({ publishers }: LibDescr): Buffer[] =>
  Array.from(dictEntries(publishers, 256), ([id]) => id)

/** TL-B LibDescr of a library that these accounts (at least one) publish. */
export const libDescrOf = (lib: Cell, publishers: readonly Buffer[]): LibDescr => {
  const root = buildDict(
    publishers.map((key) => ({ key, store: () => {} })),
    256,
  )
  if (!root) throw new TonlithError('internal', 'a library without publishers')
  return { lib, publishers: beginParse(root) }
}

/** The public library with this root hash in a masterchain state's `libraries`, or null. */
export const sharedLib = (libraries: Cell | null, hash: Buffer): LibDescr | null => {
  const value = dictLookup(libraries, 256, hash)
  return value && loadLibDescr(value)
}

/** All public libraries by hash. */
export function* sharedLibs(libraries: Cell | null, walk: DictWalk = {}): Generator<[hash: Buffer, descr: LibDescr]> {
  for (const [hash, value] of dictEntries(libraries, 256, walk)) yield [hash, loadLibDescr(value)]
}
