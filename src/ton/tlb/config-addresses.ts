import type { Cell } from '../cell.ts'
import { configParam } from './config-params.ts'
import { parseCell } from './tag.ts'

/** The masterchain accounts (32-byte ids) that configuration parameters 0 to 4 name; null for one that is not set. */
export interface ConfigAddresses {
  config_addr: Buffer | null
  elector_addr: Buffer | null
  /** Parameter 2, or parameter 0 when absent. */
  minter_addr: Buffer | null
  /** Parameter 3, or parameter 1 when absent. */
  fee_collector_addr: Buffer | null
  dns_root_addr: Buffer | null
}

/** Configuration parameters 0 to 4: an account id in the masterchain. Throws `malformed`. */
export const parseConfigAddress = (cell: Cell): Buffer => parseCell(cell, (slice) => slice.bytes(32))

/** Reads parameters 0 to 4 below the root of the configuration dictionary. Throws `malformed`. */
export const configAddresses = (config: Cell): ConfigAddresses => {
  const at = (index: number): Buffer | null => {
    const cell = configParam(config, index)
    return cell && parseConfigAddress(cell)
  }
  const config_addr = at(0)
  const elector_addr = at(1)
  return {
    config_addr,
    elector_addr,
    minter_addr: at(2) ?? config_addr,
    fee_collector_addr: at(3) ?? elector_addr,
    dns_root_addr: at(4),
  }
}
