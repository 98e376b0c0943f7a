import { dnsZones } from '../../contracts/dns-item.ts'
import type { GetMethods } from '../../contracts/get-methods.ts'
import type { Account } from '../../model/account.ts'
import type { Address } from '../../ton/address.ts'
import { detectAccount } from '../detect-account.ts'
import type { LiveEntities } from './differences.ts'

/** The accounts of the network as one masterchain block leaves them. Everything throws what reading the chain throws. */
export interface LiveBlock {
  account(address: Address): Promise<Account>
  methods: GetMethods
}

/**
 * All that a contract is, asked of itself and of the contracts that it names, with nothing known beforehand. Throws what
 * reading the chain and running the TVM throw.
 */
export const liveEntities = async (
  { methods }: LiveBlock,
  { address, status, code }: Account,
): Promise<LiveEntities> => {
  if (status !== 'active' || !code) return { entities: [], isOrphan: false }
  let isOrphan = false
  const watched: GetMethods = {
    ...methods,
    fault: (fault) => {
      isOrphan ||= fault === 'parent'
    },
  }
  const account = { address, code_hash: code.hash() }
  const known = { stored: [], data: () => null, zones: () => dnsZones(methods) }
  return { entities: await detectAccount(watched, account, known), isOrphan }
}
