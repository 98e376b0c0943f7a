import { isTonlithError } from '../common/errors.ts'
import { codeMethods } from '../contracts/code-methods.ts'
import { type DnsZone, dnsZones } from '../contracts/dns-item.ts'
import type { GetMethods } from '../contracts/get-methods.ts'
import type { KnownAccount } from '../model/known-account.ts'
import type { EmulatedContract } from '../model/shown-trace.ts'
import { rawAddress } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { methodId } from '../ton/method-id.ts'
import { detectAccount } from './detect-account.ts'
import { knownAs } from './known-accounts.ts'

/** What the contracts of an emulated trace are, by raw address. */
export interface EmulatedAccounts {
  known: ReadonlyMap<string, KnownAccount>
  /** False where some could not be looked at. */
  isWhole: boolean
}

/** Contracts that are looked at at the same time. */
const AT_ONCE = 8

/** Methods that code does not have are not run: code names them, where it is compiled as most is. */
const namedMethods = (contracts: readonly EmulatedContract[], methods: GetMethods): GetMethods => {
  const codes = new Map(contracts.map(({ address, code }) => [rawAddress(address), code]))
  const named = new Map<Cell, ReadonlySet<number> | null>()
  const methodsOf = (code: Cell): ReadonlySet<number> | null =>
    named.getOrInsertComputed(code, () => {
      const ids = codeMethods(code)
      return ids && new Set(ids)
    })
  return {
    ...methods,
    run: async (address, method, args) => {
      const code = codes.get(rawAddress(address))
      const ids = code && methodsOf(code)
      return ids && !ids.has(methodId(method)) ? undefined : methods.run(address, method, args)
    },
  }
}

/**
 * What contracts of an emulated trace are, by their states there, as the indexer finds out what stored accounts are. One
 * that cannot be looked at now is left out.
 * @param methods get-methods of these contracts, and of those of the chain behind them
 */
export const detectEmulated = async (
  methods: GetMethods,
  contracts: readonly EmulatedContract[],
): Promise<EmulatedAccounts> => {
  const known = new Map<string, KnownAccount>()
  const own = namedMethods(contracts, methods)
  let isWhole = true
  let found: Promise<readonly DnsZone[]> | undefined
  const zones = () => (found ??= dnsZones(methods))
  const look = async (contract: EmulatedContract): Promise<void> => {
    const { address, code, data } = contract
    try {
      const about = { stored: [], data: () => data, zones }
      const entities = await detectAccount(own, { address, code_hash: code.hash() }, about)
      known.set(rawAddress(address), { ...knownAs(entities), code_hash: code.hash(), data: data ?? undefined })
    } catch (error) {
      if (!isTonlithError(error)) throw error
      isWhole = false
    }
  }
  for (let at = 0; at < contracts.length; at += AT_ONCE) await Promise.all(contracts.slice(at, at + AT_ONCE).map(look))
  return { known, isWhole }
}
