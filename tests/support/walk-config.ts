import type { Cell } from '../../src/ton/cell.ts'
import { parseBlockLimits } from '../../src/ton/tlb/block-limits.ts'
import { configAddresses } from '../../src/ton/tlb/config-addresses.ts'
import { parseElectionTimes, parseStakeLimits } from '../../src/ton/tlb/config-elections.ts'
import { configParam, configParams } from '../../src/ton/tlb/config-params.ts'
import { parseToMint } from '../../src/ton/tlb/currency.ts'
import { parseGasLimitsPrices } from '../../src/ton/tlb/gas-limits-prices.ts'
import { parseGlobalVersion } from '../../src/ton/tlb/global-version.ts'
import { parseMsgForwardPrices } from '../../src/ton/tlb/msg-forward-prices.ts'
import { parseStoragePrices } from '../../src/ton/tlb/storage-prices.ts'
import { parseSuspendedAddressList } from '../../src/ton/tlb/suspended-address-list.ts'
import { workchains } from '../../src/ton/tlb/workchain-descr.ts'
import { type Counts, count } from './counts.ts'

const PARSERS: Record<number, (cell: Cell) => unknown> = {
  7: parseToMint,
  8: parseGlobalVersion,
  12: (cell) => [...workchains(cell)],
  15: parseElectionTimes,
  17: parseStakeLimits,
  18: parseStoragePrices,
  20: parseGasLimitsPrices,
  21: parseGasLimitsPrices,
  22: parseBlockLimits,
  23: parseBlockLimits,
  24: parseMsgForwardPrices,
  25: parseMsgForwardPrices,
  44: parseSuspendedAddressList,
}

/** Reads every parameter of a configuration dictionary that has a parser, and opens all others. */
export const walkConfig = (config: Cell, counts: Counts): void => {
  configAddresses(config)
  for (const [index, cell] of configParams(config)) {
    if (configParam(config, index) !== cell) throw new Error('lookup and walk differ')
    PARSERS[index]?.(cell)
    count(counts, index in PARSERS ? 'parameters parsed' : 'other parameters')
  }
}
