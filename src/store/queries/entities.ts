import type { EntityKind } from '../../model/entities.ts'
import type {
  EntityRecord,
  JettonMasterFilter,
  MultisigFilter,
  MultisigOrderFilter,
  NftCollectionFilter,
  VestingFilter,
} from '../../model/entity-records.ts'
import type { Listed, Page } from '../../model/index-records.ts'
import type { Address } from '../../ton/address.ts'
import { createBudget } from './budget.ts'
import { entityRecord, idsOf, ofKind, pageOfEntities, seenKeys } from './entity-pages.ts'
import type { Source } from './transaction-rows.ts'

/** EntityReader.entities */
export const queryEntities = <K extends EntityKind>(
  source: Source,
  kind: K,
  addresses: readonly Address[],
): EntityRecord<K>[] => ofKind(source, kind, idsOf(source, addresses)).map((id) => entityRecord(source, kind, id))

/** EntityReader.jettonMasters */
export const queryJettonMasters = (
  source: Source,
  { addresses, admin_addresses }: JettonMasterFilter,
  page: Page,
): Listed<EntityRecord<'jetton_master'>> => {
  const filter = { addresses, lists: ['masters_by_admin'] as const, links: admin_addresses }
  const keys = seenKeys(source, 'jetton_master', filter, 'asc', createBudget())
  return pageOfEntities(source, 'jetton_master', keys, page)
}

/** EntityReader.nftCollections */
export const queryNftCollections = (
  source: Source,
  { addresses, owner_addresses }: NftCollectionFilter,
  page: Page,
): Listed<EntityRecord<'nft_collection'>> => {
  const filter = { addresses, lists: ['collections_by_owner'] as const, links: owner_addresses }
  const keys = seenKeys(source, 'nft_collection', filter, 'asc', createBudget())
  return pageOfEntities(source, 'nft_collection', keys, page)
}

/** EntityReader.multisigs */
export const queryMultisigs = (
  source: Source,
  { addresses, wallet_addresses }: MultisigFilter,
  page: Page,
): Listed<EntityRecord<'multisig'>> => {
  const filter = { addresses, lists: ['multisigs_by_wallet'] as const, links: wallet_addresses }
  const keys = seenKeys(source, 'multisig', filter, page.sort, createBudget())
  return pageOfEntities(source, 'multisig', keys, page)
}

/** EntityReader.multisigOrders */
export const queryMultisigOrders = (
  source: Source,
  { addresses, multisig_addresses }: MultisigOrderFilter,
  page: Page,
): Listed<EntityRecord<'multisig_order'>> => {
  const filter = { addresses, lists: ['orders_by_multisig'] as const, links: multisig_addresses }
  const keys = seenKeys(source, 'multisig_order', filter, page.sort, createBudget())
  return pageOfEntities(source, 'multisig_order', keys, page)
}

/** EntityReader.vestings */
export const queryVestings = (
  source: Source,
  { contract_addresses, wallet_addresses, check_whitelist }: VestingFilter,
  page: Page,
): Listed<EntityRecord<'vesting'>> => {
  const lists = check_whitelist
    ? (['vestings_by_wallet', 'vestings_by_member'] as const)
    : (['vestings_by_wallet'] as const)
  const filter = { addresses: contract_addresses, lists, links: wallet_addresses }
  const keys = seenKeys(source, 'vesting', filter, 'asc', createBudget())
  return pageOfEntities(source, 'vesting', keys, page)
}
