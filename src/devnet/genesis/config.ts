import { defaultConfig } from '@ton/sandbox/dist/config/defaultConfig.js'
import { parseBocRoot } from '../../ton/boc.ts'
import { type Builder, beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { key32 } from '../../ton/dictionary.ts'
import { buildDict } from '../../ton/dictionary-writer.ts'
import { configParams } from '../../ton/tlb/config-params.ts'
import type { WcSplitMergeTimings } from '../../ton/tlb/workchain-descr.ts'
import { VALIDATOR_KEY } from './keys.ts'
import { MASTERCHAIN_WALLET } from './wallets.ts'

/** Accounts of the masterchain, where mainnet has them too. */
export const CONFIG_ADDRESS = Buffer.alloc(32, 0x55)
export const ELECTOR_ADDRESS = Buffer.alloc(32, 0x33)

/** What the configuration of a new network depends on. */
export interface GenesisConfig {
  /** Unix seconds of the zerostates. */
  gen_utime: number
  /** The basechain's zerostate. */
  zerostate: { root_hash: Buffer; file_hash: Buffer }
  /** Every shard of the basechain is split until it is this deep: 2^n shards at least. */
  min_split: number
}

/**
 * Parameters of mainnet that name what only mainnet has: the DNS root (4), this year's validators (32, 34, 36), bridges (71,
 * 72, 79, -71), and what its votes noted down (-90, -999).
 */
const LEFT_OUT: ReadonlySet<number> = new Set([4, 32, 34, 36, 71, 72, 79, -71, -90, -999])

const MAX_SPLIT = 4
/** A split or merge that is asked for comes as soon as possible, and has a minute to happen. */
const TIMINGS: WcSplitMergeTimings = {
  split_merge_delay: 1,
  split_merge_interval: 60,
  min_split_merge_interval: 1,
  max_split_merge_delay: 1000,
}
/** The validator's term ends with the last second that a signed 32-bit number holds, so there is never an election. */
const FOR_EVER = 0x7fffffff
const VALIDATOR_WEIGHT = 1n
const CATCHAIN_SECONDS = 1000

const cellOf = (store: (builder: Builder) => unknown): Cell => {
  const builder = beginCell()
  store(builder)
  return builder.endCell()
}

const address = (id: Buffer): Cell => cellOf((builder) => builder.bytes(id))

/** Parameter 12: TL-B WorkchainDescr (workchain_v2) of the basechain. */
const workchains = ({ gen_utime, zerostate, min_split }: GenesisConfig): Cell => {
  const store = (builder: Builder): unknown =>
    builder
      .uint(0xa7, 8)
      .uint(gen_utime, 32)
      .uint(0, 8)
      .uint(min_split, 8)
      .uint(MAX_SPLIT, 8)
      .uint(0b111, 3)
      .uint(0, 13)
      .bytes(zerostate.root_hash)
      .bytes(zerostate.file_hash)
      .uint(0, 32)
      .uint(1, 4)
      .int(-1, 32)
      .uint(0, 64)
      .uint(0, 4)
      .uint(TIMINGS.split_merge_delay, 32)
      .uint(TIMINGS.split_merge_interval, 32)
      .uint(TIMINGS.min_split_merge_interval, 32)
      .uint(TIMINGS.max_split_merge_delay, 32)
      .uint(0, 8)
  return cellOf((builder) => builder.maybeRef(buildDict([{ key: key32(0), store }], 32)))
}

/** Parameter 28: TL-B CatchainConfig (catchain_config_new): one validator for every shard. */
const catchain = cellOf((builder) =>
  builder
    .uint(0xc2, 8)
    .uint(0, 8)
    .uint(CATCHAIN_SECONDS, 32)
    .uint(CATCHAIN_SECONDS, 32)
    .uint(CATCHAIN_SECONDS, 32)
    .uint(1, 32),
)

/** Parameter 31: HashmapE 256 True of the accounts that pay nothing, and may have ticks and tocks. */
const fundamental = cellOf((builder) =>
  builder.maybeRef(
    buildDict(
      [CONFIG_ADDRESS, ELECTOR_ADDRESS].map((key) => ({ key, store: () => {} })),
      256,
    ),
  ),
)

/** Parameter 34: TL-B ValidatorSet (validators_ext) of the one validator. */
const validators = (gen_utime: number): Cell => {
  const store = (builder: Builder): unknown =>
    builder.uint(0x53, 8).uint(0x8e81278a, 32).bytes(VALIDATOR_KEY.publicKey).uint(VALIDATOR_WEIGHT, 64)
  return cellOf((builder) =>
    builder
      .uint(0x12, 8)
      .uint(gen_utime, 32)
      .uint(FOR_EVER, 32)
      .uint(1, 16)
      .uint(1, 16)
      .uint(VALIDATOR_WEIGHT, 64)
      .maybeRef(buildDict([{ key: Buffer.alloc(2), store }], 16)),
  )
}

const ownParams = (genesis: GenesisConfig): [index: number, value: Cell][] => [
  [0, address(CONFIG_ADDRESS)],
  [1, address(ELECTOR_ADDRESS)],
  [2, address(MASTERCHAIN_WALLET.address.hash)],
  [7, cellOf((builder) => builder.bit(false))],
  [12, workchains(genesis)],
  [28, catchain],
  [31, fundamental],
  [34, validators(genesis.gen_utime)],
]

/**
 * The root of the configuration dictionary of a new network: mainnet's, as the `@ton/sandbox` package carries it (prices,
 * limits, global version, global id), but for the parties: config contract, elector, minter (the wallet of the
 * masterchain) and validator are ours, and no extra currency is minted.
 */
export const genesisConfig = (genesis: GenesisConfig): Cell => {
  const params = new Map(configParams(mainnetConfig()))
  for (const index of LEFT_OUT) params.delete(index)
  for (const [index, value] of ownParams(genesis)) params.set(index, value)
  const items = [...params].map(([index, value]) => ({
    key: key32(index),
    store: (builder: Builder) => builder.ref(value),
  }))
  return buildDict(items, 32)!
}

const mainnetConfig = (): Cell => parseBocRoot(Buffer.from(defaultConfig, 'base64'))
