import { TonlithError } from '../../common/errors.ts'
import type { Address } from '../../ton/address.ts'
import { rawAddress } from '../../ton/address.ts'
import { MASTERCHAIN } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import type { InitialState } from '../../ton/external-message.ts'
import { parseShardAccounts, parseShardStateUnsplit } from '../../ton/tlb/shard-state.ts'
import type { Zerostate } from '../chain.ts'
import type { AccountImport } from '../collate/collation.ts'
import { type NewAccount, newShardAccount } from './account-cell.ts'
import { genesisConfig } from './config.ts'
import { FAUCET } from './faucet.ts'
import { fundamentalAccounts } from './fundamental.ts'
import { GLOBAL_ID } from './global-id.ts'
import { DEV_WALLETS, MASTERCHAIN_WALLET } from './wallets.ts'
import { basechainZerostate, masterchainZerostate } from './zerostate.ts'

/** What a new network depends on: the same makes the same zerostates, byte for byte. */
export interface GenesisOptions {
  /** Unix seconds. */
  gen_utime: number
  /** Shards of the basechain. */
  shards: 1 | 2 | 4
  /** Accounts from outside, of either workchain. */
  accounts?: readonly AccountImport[]
}

export interface Genesis {
  masterchain: Zerostate
  basechain: Zerostate
  /** Root of the dictionary of configuration parameters. */
  config: Cell
}

const TON = 1_000_000_000n
/** Nano-units at first. */
export const FAUCET_BALANCE = 1_000_000_000n * TON
export const WALLET_BALANCE = 10_000n * TON

const deployed = (
  { address, init }: { address: Address; init: InitialState },
  grams: bigint,
  last_paid: number,
): NewAccount => ({
  address,
  balance: { grams, other: null },
  state: { _: 'account_active', fixed_prefix_length: null, special: null, library: null, ...init },
  last_paid,
})

/** Our own accounts, then those from outside; one that is there already must not come in again. */
const collected = (own: readonly NewAccount[], others: readonly AccountImport[]): AccountImport[] => {
  const all = [...own.map((each) => ({ address: each.address, account: newShardAccount(each) })), ...others]
  const seen = new Set<string>()
  for (const { address } of all) {
    const name = rawAddress(address)
    if (seen.has(name)) throw new TonlithError('invalid', `account ${name} stands in the zerostate already`)
    seen.add(name)
  }
  return all
}

/**
 * The zerostates of a new network: elector, config contract and a wallet in the masterchain; the faucet and ten wallets in
 * the basechain; and the given accounts. Throws `invalid` for an account of another workchain and for one that is there
 * twice.
 */
export const createGenesis = ({ gen_utime, shards, accounts = [] }: GenesisOptions): Genesis => {
  const of = (workchain: number): AccountImport[] => accounts.filter(({ address }) => address.workchain === workchain)
  const stray = accounts.find(({ address }) => address.workchain !== 0 && address.workchain !== MASTERCHAIN)
  if (stray)
    throw new TonlithError('invalid', `account ${rawAddress(stray.address)} is of a workchain that is not there`)
  const parts = { global_id: GLOBAL_ID, gen_utime }
  const wallets = DEV_WALLETS.map((wallet) => deployed(wallet, WALLET_BALANCE, gen_utime))
  const own = [deployed(FAUCET, FAUCET_BALANCE, gen_utime), ...wallets]
  const basechain = basechainZerostate({ ...parts, accounts: collected(own, of(0)) })
  const config = genesisConfig({ gen_utime, zerostate: basechain.id, min_split: Math.log2(shards) })
  const special = [...fundamentalAccounts(config), deployed(MASTERCHAIN_WALLET, WALLET_BALANCE, gen_utime)]
  const { balance } = parseShardAccounts(parseShardStateUnsplit(basechain.root).accounts).extra
  const masterchain = masterchainZerostate({ ...parts, accounts: collected(special, of(MASTERCHAIN)) }, config, balance)
  return { masterchain, basechain, config }
}
