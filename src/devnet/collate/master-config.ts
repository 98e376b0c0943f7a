import { TonlithError } from '../../common/errors.ts'
import type { Cell } from '../../ton/cell.ts'
import { type PrevBlocks, readPrevBlocks } from '../../ton/prev-blocks.ts'
import { type BlockCreateFees, parseBlockCreateFees } from '../../ton/tlb/block-create-fees.ts'
import { type BlockLimits, parseBlockLimits } from '../../ton/tlb/block-limits.ts'
import { configParam } from '../../ton/tlb/config-params.ts'
import { type GlobalVersion, parseGlobalVersion } from '../../ton/tlb/global-version.ts'
import {
  type McStateExtra,
  type McStateHistory,
  parseMcStateExtra,
  parseMcStateHistory,
} from '../../ton/tlb/mc-state-extra.ts'
import { type MsgForwardPrices, parseMsgForwardPrices } from '../../ton/tlb/msg-forward-prices.ts'
import { parseShardStateTotals, parseShardStateUnsplit, type ShardStateUnsplit } from '../../ton/tlb/shard-state.ts'
import { type TvmConfig, tvmConfig } from '../../tvm/config.ts'
import type { BlockSource } from './collation.ts'

/** What a masterchain state says about the blocks that refer to it. */
export interface MasterConfig {
  source: BlockSource
  state: ShardStateUnsplit
  extra: McStateExtra
  history: McStateHistory
  /** Root of the dictionary of parameters. */
  params: Cell
  tvm: TvmConfig
  /** Root of HashmapE 256 LibDescr. */
  libraries: Cell | null
  version: GlobalVersion
  create_fees: BlockCreateFees
  /** Prices of messages between shards of the basechain. */
  forward_prices: MsgForwardPrices
  /** 0 before the first key block. */
  prev_key_block_seqno: number
  prevBlocks(): PrevBlocks
}

const GLOBAL_VERSION = 8
const CREATE_FEES = 14
const MASTERCHAIN_LIMITS = 22
const BASECHAIN_LIMITS = 23
const BASECHAIN_FORWARD_PRICES = 25

/** A configuration parameter that must be there. Throws `malformed`. */
export const neededParam = (params: Cell, index: number): Cell => {
  const param = configParam(params, index)
  if (!param) throw new TonlithError('malformed', `the configuration has no parameter ${index}`)
  return param
}

const opened = new WeakMap<Cell, MasterConfig>()

const openMasterConfig = (source: BlockSource): MasterConfig => {
  const state = parseShardStateUnsplit(source.state)
  if (!state.custom) throw new TonlithError('malformed', 'a masterchain state without its part of the masterchain')
  const extra = parseMcStateExtra(state.custom)
  const history = parseMcStateHistory(extra.history)
  const params = extra.config.config
  const fees = configParam(params, CREATE_FEES)
  let prevBlocks: PrevBlocks | undefined
  return {
    source,
    state,
    extra,
    history,
    params,
    tvm: tvmConfig(params),
    libraries: parseShardStateTotals(state.totals).libraries,
    version: parseGlobalVersion(neededParam(params, GLOBAL_VERSION)),
    create_fees: fees ? parseBlockCreateFees(fees) : { masterchain_block_fee: 0n, basechain_block_fee: 0n },
    forward_prices: parseMsgForwardPrices(neededParam(params, BASECHAIN_FORWARD_PRICES)),
    prev_key_block_seqno: history.after_key_block ? source.id.seqno : (history.last_key_block?.seq_no ?? 0),
    prevBlocks: () => {
      prevBlocks ??= readPrevBlocks(history, source.id)
      return prevBlocks
    },
  }
}

/** Opens the state of a masterchain block, once for each state. Throws `malformed`. */
export const masterConfig = (source: BlockSource): MasterConfig => {
  const known = opened.get(source.state)
  if (known) return known
  const config = openMasterConfig(source)
  opened.set(source.state, config)
  return config
}

/** Limits of blocks of the masterchain or of other workchains. Throws `malformed`. */
export const blockLimits = ({ params }: MasterConfig, masterchain: boolean): BlockLimits =>
  parseBlockLimits(neededParam(params, masterchain ? MASTERCHAIN_LIMITS : BASECHAIN_LIMITS))

/** True when a bit of the capabilities is set. */
export const hasCapability = ({ version }: MasterConfig, capability: bigint): boolean =>
  (version.capabilities & capability) !== 0n
