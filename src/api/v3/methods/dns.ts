import { normalDomain } from '../../../contracts/dns-name.ts'
import type { DnsFilter } from '../../../model/entity-records.ts'
import type { Address } from '../../../ton/address.ts'
import { DNS_RECORDS } from '../entity-schemas.ts'
import { type CallContext, type GetMethod, get } from '../method.ts'
import { address, PAGE_ONLY, refusal, text } from '../param.ts'
import { answerRows, bookField } from '../row-page.ts'
import { dnsRecord } from '../serialize/dns.ts'

interface Asked {
  wallet: Address | undefined
  domain: string | undefined
}

/** Exactly one of them; domains are compared as dnsResolve does. */
const filterOf = ({ wallet, domain }: Asked): DnsFilter => {
  if (wallet && domain !== undefined) throw refusal('provide either wallet address or domain, not both')
  if (wallet) return { wallet }
  if (domain !== undefined) return { domain: normalDomain(domain) }
  throw refusal('either wallet address or domain is required')
}

const records = get({
  name: 'dns/records',
  group: 'dns',
  summary: 'Domains and what they point to; by the length of the domain, then the domain',
  params: {
    wallet: address({ description: 'The account that they name as wallet' }),
    domain: text({ description: 'The whole domain, name.ton, in any case, with or without a dot at its end' }),
    ...PAGE_ONLY,
  },
  result: DNS_RECORDS,
  validate: (values) => void filterOf(values),
  call: ({ wallet, domain, ...page }, context: CallContext<unknown>) => {
    const filter = filterOf({ wallet, domain })
    const index = context.index()
    return answerRows(context, 'records', page, (part) => index.dnsRecords(filter, part), dnsRecord, bookField)
  },
})

/** Methods that tell of domains (contracts/v3.md 4.8). */
export const dnsMethods: readonly GetMethod<unknown>[] = [records]
