import type { Chain } from '../../../chain/chain.ts'
import { resolveDns } from '../../../chain/dns.ts'
import { readToken } from '../../../chain/tokens.ts'
import { TonlithError } from '../../../common/errors.ts'
import { encodeDomain } from '../../../contracts/dns-name.ts'
import { rawAddressUpper } from '../../../ton/address.ts'
import { ref } from '../../json-schema.ts'
import { type DomainName, dnsCategoryParam, domainName } from '../dns-param.ts'
import { type CallContext, GET_POST, type Method, method } from '../method.ts'
import { address, int32 } from '../param.ts'
import { dnsResolved } from '../serialize/dns.ts'
import { tokenData } from '../serialize/tokens.ts'
import { pinnedSeconds } from './cache-seconds.ts'

type Context = CallContext<Chain>

const getTokenData = method({
  name: 'getTokenData',
  group: 'accounts',
  summary: 'Data of a jetton master, a jetton wallet, an NFT collection or an NFT item',
  verbs: GET_POST,
  params: {
    address: address({}),
    seqno: int32({
      optional: true,
      positive: true,
      description: 'Masterchain block at which to read the contracts; the newest one when left out',
    }),
  },
  result: ref('TokenData'),
  errors: { 409: 'The account is no such contract' },
  cacheSeconds: pinnedSeconds,
  call: async ({ address, seqno }, { chain, signal }: Context) => {
    const token = await readToken(chain, address, { seqno, signal })
    if (!token) throw new TonlithError('conflict', `Smart contract ${rawAddressUpper(address)} is not Jetton or NFT`)
    return tokenData(address, token)
  },
})

/** Names as a resolver that was named sees them: below its own name. */
const below = ({ text, encoded }: DomainName): Buffer =>
  text === '' || text === '.' ? encoded : Buffer.concat([encodeDomain(''), encoded])

const SELF: DomainName = { text: '', encoded: encodeDomain('') }
const ALL_HOPS = 0x7fffffff

const dnsResolve = method({
  name: 'dnsResolve',
  group: 'accounts',
  summary: 'Records of a domain: of `domain` from the DNS root on, or of `name` by the resolver at `address`',
  verbs: GET_POST,
  params: {
    domain: domainName('Name to resolve to its end'),
    resolver_address: address({
      optional: true,
      label: 'resolver_address',
      description: 'Resolver that `domain` is relative to; the DNS root of the configuration when left out',
    }),
    address: address({ optional: true, description: 'Resolver to ask for `name`; required without `domain`' }),
    name: domainName('Name to ask the resolver at `address` for; its own name when left out'),
    category: dnsCategoryParam,
    ttl: int32({
      default: 0,
      nonNegative: true,
      description: 'With `name`: further resolvers that may be asked; with 0 a delegation is the answer',
    }),
    seqno: int32({
      optional: true,
      positive: true,
      description: 'Masterchain block at which to ask; the newest one when left out',
    }),
  },
  validate: ({ domain, address }) => {
    if (!domain && !address) throw new TonlithError('invalid', 'empty address')
    if (domain && (domain.text === '' || domain.text === '.'))
      throw new TonlithError('invalid', 'failed to parse domain')
  },
  result: ref('DnsResolved'),
  errors: { 404: 'The network has no DNS root' },
  cacheSeconds: pinnedSeconds,
  call: async ({ domain, resolver_address, address, name, category, ttl, seqno }, { chain, signal }: Context) => {
    const where = { category, seqno, signal }
    if (domain) {
      const resolver = resolver_address ?? address
      const encoded = resolver ? below(domain) : domain.encoded
      return dnsResolved(domain.text, await resolveDns(chain, { resolver, name: encoded, hops: ALL_HOPS, ...where }))
    }
    const { text, encoded } = name ?? SELF
    return dnsResolved(text, await resolveDns(chain, { resolver: address, name: encoded, hops: ttl, ...where }))
  },
})

/** Methods that read tokens and domains (contracts/v2.md 5.7, 15). */
export const tokensMethods: readonly Method<Chain>[] = [getTokenData, dnsResolve]
