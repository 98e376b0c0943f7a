import { TonlithError } from '../../common/errors.ts'
import { type Builder, beginCell } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { dictEntries } from '../dictionary.ts'
import { buildDict } from '../dictionary-writer.ts'
import { beginParse, type Slice } from '../slice.ts'

/** TL-B ValidatorDescr; `adnl_addr` is all zero where the constructor (validator#53) has none. */
export interface ValidatorDescr {
  public_key: Buffer
  weight: bigint
  adnl_addr: Buffer
}

/** TL-B ValidatorSet (configuration parameters 32 to 37). Times in unix seconds. */
export interface ValidatorSet {
  utime_since: number
  utime_until: number
  total: number
  main: number
  /** Sum of the weights of the list; validators_ext repeats it. */
  total_weight: bigint
  /** By index, 0 to total - 1. */
  list: ValidatorDescr[]
}

/** TL-B CatchainConfig (configuration parameter 28). Lifetimes in seconds. */
export interface CatchainConfig {
  shuffle_mc_validators: boolean
  mc_catchain_lifetime: number
  shard_catchain_lifetime: number
  shard_validators_lifetime: number
  shard_validators_num: number
}

const ED25519_PUBKEY = 0x8e81278a
const VALIDATOR = 0x53
const VALIDATOR_ADDR = 0x73
const VALIDATORS = 0x11
const VALIDATORS_EXT = 0x12
const CATCHAIN_CONFIG = 0xc1
const CATCHAIN_CONFIG_NEW = 0xc2
/** The node refuses sets whose weight exceeds this, so that no sum of weights overflows. */
const MAX_TOTAL_WEIGHT = 1n << 61n

const bad = (what: string): TonlithError => new TonlithError('malformed', what)

const NO_ADDRESS = Buffer.alloc(32)

const parseValidatorDescr = (slice: Slice): ValidatorDescr => {
  const tag = slice.uint(8)
  if (tag !== VALIDATOR && tag !== VALIDATOR_ADDR) throw bad('unknown ValidatorDescr')
  if (slice.uint(32) !== ED25519_PUBKEY) throw bad('unknown SigPubKey')
  const public_key = slice.bytes(32)
  const weight = slice.uintBig(64)
  const adnl_addr = tag === VALIDATOR_ADDR ? slice.bytes(32) : NO_ADDRESS
  slice.expectEnd()
  if (weight === 0n) throw bad('validator without weight')
  return { public_key, weight, adnl_addr }
}

/**
 * Reads a ValidatorSet of either constructor. The list must hold the indices 0 to total - 1 and, for validators_ext,
 * add up to the stated weight. Throws `malformed`, also where a proof pruned the list.
 */
export const parseValidatorSet = (cell: Cell): ValidatorSet => {
  const slice = beginParse(cell)
  const tag = slice.uint(8)
  if (tag !== VALIDATORS && tag !== VALIDATORS_EXT) throw bad('unknown ValidatorSet')
  const utime_since = slice.uint(32)
  const utime_until = slice.uint(32)
  const total = slice.uint(16)
  const main = slice.uint(16)
  if (main < 1 || main > total) throw bad('ValidatorSet without main validators')
  const stated = tag === VALIDATORS_EXT ? slice.uintBig(64) : undefined
  const root = tag === VALIDATORS_EXT ? slice.maybeRef() : slice
  const list: ValidatorDescr[] = []
  let total_weight = 0n
  for (const [key, value] of dictEntries(root, 16)) {
    if (key.readUInt16BE(0) !== list.length) throw bad('ValidatorSet with a gap')
    const descr = parseValidatorDescr(value)
    list.push(descr)
    total_weight += descr.weight
  }
  if (list.length !== total) throw bad('ValidatorSet of another size than stated')
  if (stated !== undefined && stated !== total_weight) throw bad('ValidatorSet of another weight than stated')
  if (total_weight > MAX_TOTAL_WEIGHT) throw bad('ValidatorSet weight overflow')
  return { utime_since, utime_until, total, main, total_weight, list }
}

const storeValidatorDescr = (builder: Builder, { public_key, weight, adnl_addr }: ValidatorDescr): void => {
  const addressed = !adnl_addr.equals(NO_ADDRESS)
  builder
    .uint(addressed ? VALIDATOR_ADDR : VALIDATOR, 8)
    .uint(ED25519_PUBKEY, 32)
    .bytes(public_key)
    .uint(weight, 64)
  if (addressed) builder.bytes(adnl_addr)
}

/** TL-B ValidatorSet of the newer constructor (validators_ext). */
export const buildValidatorSet = (set: ValidatorSet): Cell =>
  beginCell()
    .uint(VALIDATORS_EXT, 8)
    .uint(set.utime_since, 32)
    .uint(set.utime_until, 32)
    .uint(set.total, 16)
    .uint(set.main, 16)
    .uint(set.total_weight, 64)
    .maybeRef(
      buildDict(
        set.list.map((descr, i) => ({
          key: Buffer.from([i >> 8, i & 255]),
          store: (builder) => storeValidatorDescr(builder, descr),
        })),
        16,
      ),
    )
    .endCell()

/** Reads a CatchainConfig of either constructor. Throws `malformed`. */
export const parseCatchainConfig = (cell: Cell): CatchainConfig => {
  const slice = beginParse(cell)
  const tag = slice.uint(8)
  if (tag !== CATCHAIN_CONFIG && tag !== CATCHAIN_CONFIG_NEW) throw bad('unknown CatchainConfig')
  if (tag === CATCHAIN_CONFIG_NEW && slice.uint(7) !== 0) throw bad('unknown flags in CatchainConfig')
  const shuffle_mc_validators = tag === CATCHAIN_CONFIG_NEW && slice.bit()
  const config = {
    shuffle_mc_validators,
    mc_catchain_lifetime: slice.uint(32),
    shard_catchain_lifetime: slice.uint(32),
    shard_validators_lifetime: slice.uint(32),
    shard_validators_num: slice.uint(32),
  }
  slice.expectEnd()
  if (Object.values(config).some((value) => value === 0)) throw bad('CatchainConfig with a zero')
  return config
}

/** TL-B CatchainConfig of the newer constructor (catchain_config_new). */
export const buildCatchainConfig = (config: CatchainConfig): Cell =>
  beginCell()
    .uint(CATCHAIN_CONFIG_NEW, 8)
    .uint(0, 7)
    .bit(config.shuffle_mc_validators)
    .uint(config.mc_catchain_lifetime, 32)
    .uint(config.shard_catchain_lifetime, 32)
    .uint(config.shard_validators_lifetime, 32)
    .uint(config.shard_validators_num, 32)
    .endCell()
