import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { dictEntries, key32, key64 } from '../dictionary.ts'
import type { Augmentation } from '../dictionary-node.ts'
import { buildAugDict } from '../dictionary-writer.ts'
import type { Slice } from '../slice.ts'
import { type AugDict, loadAugDict, storeAugDict } from './aug-dict.ts'
import { type ConfigParams, loadConfigParams, storeConfigParams } from './config-params.ts'
import {
  addCurrencies,
  type CurrencyCollection,
  loadCurrencyCollection,
  NO_CURRENCY,
  skipCurrencyCollection,
  storeCurrencyCollection,
} from './currency.ts'
import { buildCell, expectTag, parseCell } from './tag.ts'

/** TL-B ShardFeeCreated: fees that came in from shards and what was created for the blocks. */
export interface ShardFeeCreated {
  fees: CurrencyCollection
  create: CurrencyCollection
}

/** TL-B McBlockExtra with its parts still closed. */
export interface McBlockExtra {
  key_block: boolean
  /** shardEntries, shardOfAccount, exactShard */
  shard_hashes: Cell | null
  /** HashmapAugE 96 ShardFeeCreated ShardFeeCreated: shardFees */
  shard_fees: AugDict<ShardFeeCreated>
  /** The unnamed cell of the scheme: parseMcBlockDetails */
  details: Cell
  /** In a key block only. */
  config: ConfigParams | null
}

/** The unnamed cell inside of McBlockExtra. */
export interface McBlockDetails {
  /** Root of HashmapE 16 CryptoSignaturePair, by which validators signed the previous block. */
  prev_blk_signatures: Cell | null
  /** parseInMsg */
  recover_create_msg: Cell | null
  /** parseInMsg */
  mint_msg: Cell | null
}

/** What one shard brought; `shard` is a signed int64. */
export interface ShardFees extends ShardFeeCreated {
  workchain: number
  shard: bigint
}

const loadShardFeeCreated = (slice: Slice): ShardFeeCreated => ({
  fees: loadCurrencyCollection(slice),
  create: loadCurrencyCollection(slice),
})

const storeShardFeeCreated = (builder: Builder, { fees, create }: ShardFeeCreated): Builder =>
  storeCurrencyCollection(storeCurrencyCollection(builder, fees), create)

/** Augmentation of ShardFees: the sums. */
export const shardFeeCreatedAug: Augmentation<ShardFeeCreated> = {
  load: loadShardFeeCreated,
  store: storeShardFeeCreated,
  combine: (a, b) => ({ fees: addCurrencies(a.fees, b.fees), create: addCurrencies(a.create, b.create) }),
  empty: { fees: NO_CURRENCY, create: NO_CURRENCY },
}

const skipShardFeeCreated = (slice: Slice): void => {
  skipCurrencyCollection(slice)
  skipCurrencyCollection(slice)
}

const loadMcBlockExtra = (slice: Slice): McBlockExtra => {
  expectTag(slice, 16, 0xcca5, 'McBlockExtra')
  const key_block = slice.bit()
  return {
    key_block,
    shard_hashes: slice.maybeRef(),
    shard_fees: loadAugDict(slice, loadShardFeeCreated),
    details: slice.ref(),
    config: key_block ? loadConfigParams(slice) : null,
  }
}

/** TL-B McBlockExtra: reads its root cell only. Throws `malformed`. */
export const parseMcBlockExtra = (cell: Cell): McBlockExtra => parseCell(cell, loadMcBlockExtra)

const storeMcBlockExtra = (builder: Builder, extra: McBlockExtra): void => {
  builder
    .uint(0xcca5, 16)
    .bit(extra.config !== null)
    .maybeRef(extra.shard_hashes)
  storeAugDict(builder, extra.shard_fees, shardFeeCreatedAug).ref(extra.details)
  if (extra.config) storeConfigParams(builder, extra.config)
}

/** TL-B ^McBlockExtra: of a key block where it carries a configuration. */
export const buildMcBlockExtra = (extra: McBlockExtra): Cell => buildCell(storeMcBlockExtra, extra)

const loadMcBlockDetails = (slice: Slice): McBlockDetails => ({
  prev_blk_signatures: slice.maybeRef(),
  recover_create_msg: slice.maybeRef(),
  mint_msg: slice.maybeRef(),
})

/** Reads the `details` cell of McBlockExtra. Throws `malformed`. */
export const parseMcBlockDetails = (cell: Cell): McBlockDetails => parseCell(cell, loadMcBlockDetails)

const storeMcBlockDetails = (builder: Builder, details: McBlockDetails): Builder =>
  builder.maybeRef(details.prev_blk_signatures).maybeRef(details.recover_create_msg).maybeRef(details.mint_msg)

/** The `details` cell of McBlockExtra. */
export const buildMcBlockDetails = (details: McBlockDetails): Cell => buildCell(storeMcBlockDetails, details)

/** TL-B ShardFees by workchain, then shard. Throws `malformed`. */
export function* shardFees({ root }: AugDict<ShardFeeCreated>): Generator<ShardFees> {
  for (const [key, value] of dictEntries(root, 96, { skipExtra: skipShardFeeCreated })) {
    skipShardFeeCreated(value)
    yield { workchain: key.readInt32BE(0), shard: key.readBigInt64BE(4), ...loadShardFeeCreated(value) }
  }
}

/** TL-B ShardFees over what each shard brought, in any order. */
export const buildShardFees = (fees: readonly ShardFees[]): AugDict<ShardFeeCreated> =>
  buildAugDict(
    fees.map(({ workchain, shard, fees, create }) => ({
      key: Buffer.concat([key32(workchain), key64(shard)]),
      extra: { fees, create },
      store: (builder) => storeShardFeeCreated(builder, { fees, create }),
    })),
    96,
    shardFeeCreatedAug,
  )
