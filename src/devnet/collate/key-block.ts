import type { Cell } from '../../ton/cell.ts'
import { parseAccount } from '../../ton/tlb/account.ts'
import { parseConfigAddress } from '../../ton/tlb/config-addresses.ts'
import { type ConfigParams, configParam } from '../../ton/tlb/config-params.ts'
import { shardAccount } from '../../ton/tlb/shard-state.ts'
import { configFault } from './key-block-config.ts'

/** The configuration that a masterchain block leaves. */
export interface NextConfig {
  params: ConfigParams
  /** True when it is another one than before: the block is a key block. */
  changed: boolean
  /** Why the one that the contract has is not taken; null when there is nothing against it. */
  refused: string | null
}

/**
 * The configuration that a configuration contract keeps: the first reference of its data. Takes the `accounts` cell of a
 * masterchain state; null when the contract is not active or keeps none.
 */
const keptConfig = (accounts: Cell, config_addr: Buffer): Cell | null => {
  const entry = shardAccount(accounts, config_addr)
  const account = entry && parseAccount(entry.account)
  if (account?._ !== 'account' || account.storage.state._ !== 'account_active') return null
  const { data } = account.storage.state
  return data && data.refCount > 0 ? data.ref(0) : null
}

/** The contract that takes over, where parameter 0 names another one, with a configuration that is in order. */
const successor = (accounts: Cell, kept: Cell, { config_addr, config }: ConfigParams): ConfigParams | null => {
  const named = configParam(kept, 0)
  const next = named && parseConfigAddress(named)
  if (!next || next.equals(config_addr)) return null
  const own = keptConfig(accounts, next)
  return own && configFault(own, next, config) === null ? { config_addr: next, config: own } : null
}

/**
 * The configuration after a masterchain block: that which the configuration contract now keeps, or the old one where that
 * one is not in order (there a node stops). Takes the `accounts` cell of the new state. Throws `malformed` for broken cells.
 */
export const nextConfig = (old: ConfigParams, accounts: Cell): NextConfig => {
  const kept = keptConfig(accounts, old.config_addr)
  if (!kept) return { params: old, changed: false, refused: 'the configuration contract keeps no configuration' }
  const same = kept.hash().equals(old.config.hash())
  const refused = same ? null : configFault(kept, null, old.config)
  if (refused) return { params: old, changed: false, refused }
  const next = successor(accounts, kept, old)
  if (next) return { params: next, changed: true, refused }
  return { params: same ? old : { ...old, config: kept }, changed: !same, refused }
}
