import { TonlithError } from '../common/errors.ts'
import { resolveDomain } from '../contracts/dns-resolver.ts'
import type { DnsResolution } from '../model/dns.ts'
import type { Address } from '../ton/address.ts'
import type { Chain } from './chain.ts'
import { type GetMethodsQuery, getMethodsAt } from './get-methods.ts'

export interface DnsQuery extends GetMethodsQuery {
  /** The resolver to start at; the root of the configuration when undefined. */
  resolver: Address | undefined
  /** In DNS form. */
  name: Buffer
  /** The category that is asked for; undefined for all. */
  category: Buffer | undefined
  /** Resolvers beyond the first one that may be asked. */
  hops: number
}

/**
 * Resolves a name, every resolver at the same masterchain block. Throws `notFound` when there is no root, and what reading
 * the chain and running the TVM throw.
 */
export const resolveDns = async (chain: Chain, query: DnsQuery): Promise<DnsResolution> => {
  const methods = await getMethodsAt(chain, query)
  const resolver = query.resolver ?? (await methods.dnsRoot())
  if (!resolver) throw new TonlithError('notFound', 'the network has no DNS root')
  const { name, category, hops } = query
  return resolveDomain(methods, { resolver, name, category, hops })
}
