import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import { malformed, parseCell } from './tag.ts'

/**
 * TL-B GasLimitsPrices (configuration parameters 20 and 21), its flat prefix joined in: gas units; `gas_price` in
 * nano-units per unit scaled by 2^16, other prices and limits of dues in nano-units.
 */
export interface GasLimitsPrices {
  flat_gas_limit: bigint
  flat_gas_price: bigint
  gas_price: bigint
  gas_limit: bigint
  /** `gas_limit` where the older form has no limit of its own for special accounts. */
  special_gas_limit: bigint
  gas_credit: bigint
  block_gas_limit: bigint
  freeze_due_limit: bigint
  delete_due_limit: bigint
}

const GAS_FLAT_PFX = 0xd1
const GAS_PRICES = 0xdd
const GAS_PRICES_EXT = 0xde

const loadGasLimitsPrices = (slice: Slice): GasLimitsPrices => {
  let flat_gas_limit = 0n
  let flat_gas_price = 0n
  let tag = slice.uint(8)
  while (tag === GAS_FLAT_PFX) {
    flat_gas_limit = slice.uintBig(64)
    flat_gas_price = slice.uintBig(64)
    tag = slice.uint(8)
  }
  if (tag !== GAS_PRICES && tag !== GAS_PRICES_EXT) throw malformed('GasLimitsPrices')
  const gas_price = slice.uintBig(64)
  const gas_limit = slice.uintBig(64)
  return {
    flat_gas_limit,
    flat_gas_price,
    gas_price,
    gas_limit,
    special_gas_limit: tag === GAS_PRICES_EXT ? slice.uintBig(64) : gas_limit,
    gas_credit: slice.uintBig(64),
    block_gas_limit: slice.uintBig(64),
    freeze_due_limit: slice.uintBig(64),
    delete_due_limit: slice.uintBig(64),
  }
}

/** Configuration parameters 20 (masterchain) and 21. Throws `malformed`. */
export const parseGasLimitsPrices = (cell: Cell): GasLimitsPrices => parseCell(cell, loadGasLimitsPrices)
