import { isTonlithError } from '../../common/errors.ts'
import type { Cell } from '../../ton/cell.ts'
import { dictEntries, key32 } from '../../ton/dictionary.ts'
import { updateDict } from '../../ton/dictionary-update.ts'
import { parseBlockCreateFees } from '../../ton/tlb/block-create-fees.ts'
import { parseBlockLimits } from '../../ton/tlb/block-limits.ts'
import { parseBurningConfig } from '../../ton/tlb/burning-config.ts'
import { parseConfigAddress } from '../../ton/tlb/config-addresses.ts'
import { parseElectionTimes, parseStakeLimits } from '../../ton/tlb/config-elections.ts'
import { configParam, configParams } from '../../ton/tlb/config-params.ts'
import { parseToMint } from '../../ton/tlb/currency.ts'
import { parseGasLimitsPrices } from '../../ton/tlb/gas-limits-prices.ts'
import { parseGlobalVersion } from '../../ton/tlb/global-version.ts'
import { parseMsgForwardPrices } from '../../ton/tlb/msg-forward-prices.ts'
import { parseStoragePrices } from '../../ton/tlb/storage-prices.ts'
import { parseSuspendedAddressList } from '../../ton/tlb/suspended-address-list.ts'
import { parseCatchainConfig, parseValidatorSet } from '../../ton/tlb/validators.ts'
import { workchains } from '../../ton/tlb/workchain-descr.ts'

const MANDATORY_PARAMS = 9
/** Without these no node goes on. */
const ALWAYS_MANDATORY = [18, 20, 21, 22, 23, 24, 25, 28, 34]

const readers: ReadonlyMap<number, (cell: Cell) => unknown> = new Map<number, (cell: Cell) => unknown>([
  ...[0, 1, 2, 3, 4].map((index) => [index, parseConfigAddress] as const),
  [5, parseBurningConfig],
  [7, parseToMint],
  [8, parseGlobalVersion],
  [12, (cell) => [...workchains(cell)]],
  [14, parseBlockCreateFees],
  [15, parseElectionTimes],
  [17, parseStakeLimits],
  [18, parseStoragePrices],
  ...[20, 21].map((index) => [index, parseGasLimitsPrices] as const),
  ...[22, 23].map((index) => [index, parseBlockLimits] as const),
  ...[24, 25].map((index) => [index, parseMsgForwardPrices] as const),
  [28, parseCatchainConfig],
  ...[32, 33, 34, 35, 36, 37].map((index) => [index, parseValidatorSet] as const),
  [44, parseSuspendedAddressList],
])

/** Other numbers that the scheme gives a form. */
const UNREAD = new Set([6, 9, 10, 11, 13, 16, 19, 29, 30, 31, 39, 40, 43, 45, 71, 72, 73, 79, 81, 82])

const paramFault = (index: number, value: Cell): string | null => {
  const read = readers.get(index)
  if (read) read(value)
  else if (index >= 0 && !UNREAD.has(index)) return `there is no configuration parameter ${index}`
  return null
}

const missingOf = (config: Cell, mandatory: Cell | null): string | null => {
  const listed = mandatory ? [...dictEntries(mandatory, 32)].map(([key]) => key.readInt32BE(0)) : []
  const missing = [...ALWAYS_MANDATORY, ...listed].find((index) => configParam(config, index) === null)
  return missing === undefined ? null : `configuration parameter ${missing} is missing`
}

const faultOf = (config: Cell, config_addr: Buffer | null, old: Cell): string | null => {
  for (const [, value] of dictEntries(config, 32))
    if (value.remainingBits !== 0 || value.remainingRefs !== 1) return 'an entry of the configuration is not one cell'
  for (const [index, value] of configParams(config)) {
    try {
      const fault = paramFault(index, value)
      if (fault) return fault
    } catch (error) {
      if (!isTonlithError(error)) throw error
      return `configuration parameter ${index} is not what it should be: ${error.message}`
    }
  }
  const own = configParam(config, 0)
  if (own && config_addr && !parseConfigAddress(own).equals(config_addr))
    return 'configuration parameter 0 names another contract'
  return (
    missingOf(config, configParam(config, MANDATORY_PARAMS)) ?? missingOf(config, configParam(old, MANDATORY_PARAMS))
  )
}

/**
 * What forbids to install a configuration (root of Hashmap 32 ^Cell), null for nothing: a parameter that is malformed or has
 * an unknown number, the lack of one that the old configuration or the new one wants, or, where `config_addr` is given,
 * that parameter 0 names another contract (node: valid_config_data). Parameters that nothing here reads are taken as they
 * are.
 */
export const configFault = (config: Cell, config_addr: Buffer | null, old: Cell): string | null => {
  try {
    return faultOf(config, config_addr, old)
  } catch (error) {
    if (isTonlithError(error, 'malformed')) return `the configuration is malformed: ${error.message}`
    throw error
  }
}

/** A configuration with one parameter (int32 index) set. */
export const withParam = (config: Cell, index: number, value: Cell): Cell =>
  updateDict(config, [{ key: key32(index), store: (builder) => builder.ref(value) }], 32)!

/** What forbids to set one parameter (int32 index) in a configuration, null for nothing. */
export const changeFault = (config: Cell, index: number, value: Cell): string | null =>
  configFault(withParam(config, index, value), null, config)
