import { decodeDomain, NEXT_RESOLVER } from '../../../contracts/dns-name.ts'
import type { DnsEntry, DnsRecord, DnsResolution } from '../../../model/dns.ts'
import { adnlAddressText } from '../../../ton/adnl-address.ts'
import { cellToBoc } from '../../../ton/boc-writer.ts'
import { accountAddress, type Neutral } from '../dialect.ts'

const entryData = (record: DnsRecord): Neutral => {
  switch (record._) {
    case 'dns_text':
      return { '@type': 'dns.entryDataText', text: record.text }
    case 'dns_next_resolver':
      return { '@type': 'dns.entryDataNextResolver', resolver: accountAddress(record.resolver) }
    case 'dns_smc_address':
      return { '@type': 'dns.entryDataSmcAddress', smc_address: accountAddress(record.smc_addr) }
    case 'dns_adnl_address':
      return {
        '@type': 'dns.entryDataAdnlAddress',
        adnl_address: { '@type': 'adnlAddress', adnl_address: adnlAddressText(record.adnl_addr) },
      }
    case 'dns_storage_address':
      return { '@type': 'dns.entryDataStorageAddress', bag_id: record.bag_id.toString('hex') }
    case 'unknown':
      return { '@type': 'dns.entryDataUnknown', bytes: cellToBoc(record.cell) }
  }
}

const dnsEntry = (name: string, { category, record }: DnsEntry): Neutral => ({
  '@type': 'dns.entry',
  name,
  category,
  entry: entryData(record),
})

const entriesOf = (name: string, resolution: DnsResolution): Neutral[] => {
  if (resolution._ === 'resolved') return resolution.entries.map((entry) => dnsEntry(name, entry))
  const { prefix, resolver } = resolution
  const record: DnsRecord = { _: 'dns_next_resolver', resolver }
  return [dnsEntry(decodeDomain(prefix), { category: NEXT_RESOLVER, record })]
}

/**
 * `dns.resolved` (contracts/v2.md 5.7). Entries are named by the name that was asked for; a delegation by the part of it
 * that the last resolver knew.
 */
export const dnsResolved = (name: string, resolution: DnsResolution): Neutral => ({
  '@type': 'dns.resolved',
  entries: entriesOf(name, resolution),
})
