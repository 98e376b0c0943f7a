import type { Cell } from '../cell.ts'
import { dictLookup } from '../dictionary.ts'
import { beginParse } from '../slice.ts'
import { parseConfigAddress } from './config-addresses.ts'
import { configParam } from './config-params.ts'

const CONFIG_ADDR = 0
const FUNDAMENTAL_SMC_ADDR = 31

/**
 * True for an account of the masterchain that pays no fees: one that configuration parameter 31 (HashmapE 256 True) names,
 * or the configuration contract (node: Config::is_special_smartcontract). Takes the root of the configuration's
 * dictionary. Throws `malformed`.
 */
export const isFundamentalSmc = (config: Cell, account: Buffer): boolean => {
  const own = configParam(config, CONFIG_ADDR)
  if (own && parseConfigAddress(own).equals(account)) return true
  const listed = configParam(config, FUNDAMENTAL_SMC_ADDR)
  return listed !== null && dictLookup(beginParse(listed).maybeRef(), 256, account) !== null
}
