import { hash } from 'node:crypto'
import { MASTERCHAIN, SHARD_ALL } from '../../ton/block-id.ts'
import { blockToBoc } from '../../ton/boc-writer.ts'
import type { Cell } from '../../ton/cell.ts'
import { buildAugDict } from '../../ton/dictionary-writer.ts'
import { beginParse } from '../../ton/slice.ts'
import { parseAccount } from '../../ton/tlb/account.ts'
import { type AugDict, buildAugDictCell } from '../../ton/tlb/aug-dict.ts'
import { configParam } from '../../ton/tlb/config-params.ts'
import { addCurrencies, type CurrencyCollection, NO_CURRENCY } from '../../ton/tlb/currency.ts'
import { buildMcStateExtra, buildMcStateHistory } from '../../ton/tlb/mc-state-extra.ts'
import { buildOutMsgQueueInfo } from '../../ton/tlb/out-msg-queue.ts'
import {
  buildShardStateTotals,
  buildShardStateUnsplit,
  type DepthBalanceInfo,
  depthBalanceAug,
} from '../../ton/tlb/shard-state.ts'
import { parseCatchainConfig, parseValidatorSet } from '../../ton/tlb/validators.ts'
import { validatorSubset } from '../../ton/validator-set.ts'
import type { Zerostate } from '../chain.ts'
import type { AccountImport } from '../collate/collation.ts'
import { CONFIG_ADDRESS } from './config.ts'

const NO_SEQNO = 0xffffffff
/** The node's tools leave the marker bit of the shard id in the prefix of a workchain's zerostate. */
const MARKER = 1n << 63n

/** What the state of any workchain starts from. */
export interface ZerostateParts {
  /** Configuration parameter 19. */
  global_id: number
  /** Unix seconds. */
  gen_utime: number
  accounts: readonly AccountImport[]
}

/** The balance that a TL-B ShardAccount holds. */
const balanceOf = (shardAccount: Cell): CurrencyCollection => {
  const account = parseAccount(shardAccount.ref(0))
  return account._ === 'account' ? account.storage.balance : NO_CURRENCY
}

/** TL-B ShardAccounts over accounts of one workchain. */
const shardAccountsOf = (accounts: readonly AccountImport[]): AugDict<DepthBalanceInfo> =>
  buildAugDict(
    accounts.map(({ address, account }) => ({
      key: address.hash,
      store: (builder) => builder.slice(beginParse(account)),
      extra: { split_depth: 0, balance: balanceOf(account) },
    })),
    256,
    depthBalanceAug,
  )

const emptyQueue = (): Cell =>
  buildOutMsgQueueInfo({ out_queue: { root: null, extra: 0n }, proc_info: null, extra: null })

const zerostate = (
  workchain: number,
  { global_id, gen_utime, accounts }: ZerostateParts,
  custom: (balance: CurrencyCollection) => Cell | null,
): Zerostate => {
  const dict = shardAccountsOf(accounts)
  const { balance } = dict.extra
  const root = buildShardStateUnsplit({
    global_id,
    shard_id: { shard_pfx_bits: 0, workchain_id: workchain, shard_prefix: workchain === MASTERCHAIN ? 0n : MARKER },
    seq_no: 0,
    vert_seq_no: 0,
    gen_utime,
    gen_lt: 0n,
    min_ref_mc_seqno: NO_SEQNO,
    out_msg_queue_info: emptyQueue(),
    before_split: false,
    accounts: buildAugDictCell(dict, depthBalanceAug),
    totals: buildShardStateTotals({
      overload_history: 0n,
      underload_history: 0n,
      total_balance: balance,
      total_validator_fees: NO_CURRENCY,
      libraries: null,
      master_ref: null,
    }),
    custom: custom(balance),
    wc_custom: null,
  })
  const data = blockToBoc(root)
  const file_hash = hash('sha256', data, 'buffer')
  return { id: { workchain, shard: SHARD_ALL, seqno: 0, root_hash: root.hash(), file_hash }, data, root }
}

/** What the header of the masterchain's first blocks will call gen_validator_list_hash_short. */
const validatorHash = (config: Cell): number => {
  const set = parseValidatorSet(configParam(config, 34)!)
  const rules = parseCatchainConfig(configParam(config, 28)!)
  return validatorSubset(set, rules, { workchain: MASTERCHAIN, shard: SHARD_ALL }, 0).validator_list_hash_short
}

/** TL-B McStateExtra before any block: no shards yet, and the validators of the configuration. */
const masterchainExtra = (config: Cell, global_balance: CurrencyCollection): Cell =>
  buildMcStateExtra({
    shard_hashes: null,
    config: { config_addr: CONFIG_ADDRESS, config },
    history: buildMcStateHistory({
      flags: 0,
      validator_info: {
        validator_list_hash_short: validatorHash(config),
        catchain_seqno: 0,
        nx_cc_updated: true,
      },
      prev_blocks: { root: null, extra: { key: false, max_end_lt: 0n } },
      after_key_block: true,
      last_key_block: null,
      block_create_stats: null,
    }),
    global_balance,
  })

/** The zerostate of the basechain, which has no shards yet (node: create-state). */
export const basechainZerostate = (parts: ZerostateParts): Zerostate => zerostate(0, parts, () => null)

/**
 * The zerostate of the masterchain. Its global balance is that of its accounts and `elsewhere`, the balance of the
 * basechain.
 * @param config root of the dictionary of parameters
 */
export const masterchainZerostate = (parts: ZerostateParts, config: Cell, elsewhere: CurrencyCollection): Zerostate =>
  zerostate(MASTERCHAIN, parts, (balance) => masterchainExtra(config, addCurrencies(balance, elsewhere)))
