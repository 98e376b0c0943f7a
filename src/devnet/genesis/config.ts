import { defaultConfig } from '@ton/sandbox/dist/config/defaultConfig.js'
import { parseBocRoot } from '../../ton/boc.ts'
import { type Builder, beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { key32 } from '../../ton/dictionary.ts'
import { buildDict } from '../../ton/dictionary-writer.ts'
import { configParams } from '../../ton/tlb/config-params.ts'
import { parseGlobalVersion, storeGlobalVersion } from '../../ton/tlb/global-version.ts'
import { buildCatchainConfig, buildValidatorSet } from '../../ton/tlb/validators.ts'
import { buildWorkchains, type WcSplitMergeTimings, type WorkchainDescr } from '../../ton/tlb/workchain-descr.ts'
import { VALIDATOR_ADNL_ADDRESS, VALIDATOR_KEY } from './keys.ts'
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
const GLOBAL_VERSION = 8
const SAME_SECOND = 13
const CATCHAIN_SECONDS = 1000

const address = (id: Buffer): Cell => beginCell().bytes(id).endCell()

/** Parameter 12: the basechain, with the timings of our own. */
const basechain = ({ gen_utime, zerostate, min_split }: GenesisConfig): Cell => {
  const descr: WorkchainDescr = {
    _: 'workchain_v2',
    enabled_since: gen_utime,
    monitor_min_split: 0,
    min_split,
    max_split: MAX_SPLIT,
    basic: true,
    active: true,
    accept_msgs: true,
    flags: 0,
    zerostate_root_hash: zerostate.root_hash,
    zerostate_file_hash: zerostate.file_hash,
    version: 0,
    format: { _: 'wfmt_basic', vm_version: -1, vm_mode: 0n },
    split_merge_timings: TIMINGS,
    persistent_state_split_depth: 0,
  }
  return buildWorkchains([[0, descr]])
}

/** Parameter 28: one validator for every shard. */
const catchain = buildCatchainConfig({
  shuffle_mc_validators: false,
  mc_catchain_lifetime: CATCHAIN_SECONDS,
  shard_catchain_lifetime: CATCHAIN_SECONDS,
  shard_validators_lifetime: CATCHAIN_SECONDS,
  shard_validators_num: 1,
})

/** Parameter 31: HashmapE 256 True of the accounts that pay nothing, and may have ticks and tocks. */
const fundamental = beginCell()
  .maybeRef(
    buildDict(
      [CONFIG_ADDRESS, ELECTOR_ADDRESS].map((key) => ({ key, store: () => {} })),
      256,
    ),
  )
  .endCell()

/** Parameter 34: the one validator. */
const validators = (utime_since: number): Cell =>
  buildValidatorSet({
    utime_since,
    utime_until: FOR_EVER,
    total: 1,
    main: 1,
    total_weight: VALIDATOR_WEIGHT,
    list: [{ public_key: VALIDATOR_KEY.publicKey, weight: VALIDATOR_WEIGHT, adnl_addr: VALIDATOR_ADNL_ADDRESS }],
  })

/**
 * Parameter 8: from version 13 on, blocks of one second may follow each other, without which the time of a chain that has
 * several blocks a second would run ahead. The capabilities are mainnet's.
 */
const globalVersion = (mainnet: Cell): Cell => {
  const { version, capabilities } = parseGlobalVersion(mainnet)
  return storeGlobalVersion(beginCell(), { version: Math.max(version, SAME_SECOND), capabilities }).endCell()
}

const ownParams = (genesis: GenesisConfig): [index: number, value: Cell][] => [
  [0, address(CONFIG_ADDRESS)],
  [1, address(ELECTOR_ADDRESS)],
  [2, address(MASTERCHAIN_WALLET.address.hash)],
  [7, beginCell().bit(false).endCell()],
  [12, basechain(genesis)],
  [28, catchain],
  [31, fundamental],
  [34, validators(genesis.gen_utime)],
]

/**
 * The root of the configuration dictionary of a new network: mainnet's, as the `@ton/sandbox` package carries it (prices,
 * limits, global id), but for the global version and the parties: config contract, elector, minter (the wallet of the
 * masterchain) and validator are ours, and no extra currency is minted.
 */
export const genesisConfig = (genesis: GenesisConfig): Cell => {
  const params = new Map(configParams(mainnetConfig()))
  for (const index of LEFT_OUT) params.delete(index)
  params.set(GLOBAL_VERSION, globalVersion(params.get(GLOBAL_VERSION)!))
  for (const [index, value] of ownParams(genesis)) params.set(index, value)
  const items = [...params].map(([index, value]) => ({
    key: key32(index),
    store: (builder: Builder) => builder.ref(value),
  }))
  return buildDict(items, 32)!
}

const mainnetConfig = (): Cell => parseBocRoot(Buffer.from(defaultConfig, 'base64'))
