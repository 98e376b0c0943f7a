import type { DnsFilter, EntityRecord } from '../../model/entity-records.ts'
import type { Listed, Page } from '../../model/index-records.ts'
import type { Address } from '../../ton/address.ts'
import { domainKey, nameRank } from '../entity-entries.ts'
import { u32Key } from '../keys.ts'
import { firstKey, under } from '../scan.ts'
import { type Budget, createBudget } from './budget.ts'
import {
  type EntityKeys,
  entityRecord,
  fewKeys,
  idOfKey,
  listPart,
  mergedParts,
  pageOfEntities,
} from './entity-pages.ts'
import { rankedKeys } from './ranked.ts'
import type { Source } from './transaction-rows.ts'

const NOTHING: EntityKeys = { from: () => [] }

/** The entry tells the beginning of a hash; the row decides. */
const named = (source: Source, domain: string, budget: Budget): EntityKeys => {
  const ids = Array.from(rankedKeys(listPart(source, 'names_by_domain', domainKey(domain)), 'asc', budget), idOfKey)
  const found = ids.filter((id) => entityRecord(source, 'dns_entry', id).entity.domain === domain)
  return fewKeys(
    found.map((id) => Buffer.concat([nameRank(domain), u32Key(id)])),
    'asc',
  )
}

const ofWallet = (source: Source, wallet: Address, budget: Budget): EntityKeys => {
  const id = source.addresses.find(wallet)
  return id === undefined ? NOTHING : mergedParts([listPart(source, 'names_by_wallet', u32Key(id))], 'asc', budget)
}

/** EntityReader.dnsRecords */
export const queryDnsRecords = (source: Source, filter: DnsFilter, page: Page): Listed<EntityRecord<'dns_entry'>> => {
  const budget = createBudget()
  const keys = 'wallet' in filter ? ofWallet(source, filter.wallet, budget) : named(source, filter.domain, budget)
  return pageOfEntities(source, 'dns_entry', keys, page)
}

/** EntityReader.domainOf */
export const queryDomainOf = (source: Source, address: Address): string | undefined => {
  const id = source.addresses.find(address)
  if (id === undefined) return undefined
  const { table, prefix } = listPart(source, 'names_of_wallet', u32Key(id))
  const key = firstKey(table, under(prefix), 'asc')
  return key && entityRecord(source, 'dns_entry', idOfKey(key)).entity.domain
}
