import type { Steps } from '../../common/steps.ts'
import type { EntityRecord, JettonWalletFilter } from '../../model/entity-records.ts'
import type { SortOrder } from '../../model/index-records.ts'
import type { Address } from '../../ton/address.ts'
import type { EntityList } from '../entity-entries.ts'
import { addressKey, sortableInt, u32Key } from '../keys.ts'
import type { Budget } from './budget.ts'
import {
  allOfKind,
  type EntityKeys,
  entityRecord,
  fewKeys,
  idOfKey,
  idsOf,
  inOrder,
  isAnyOf,
  isStill,
  listPart,
  mergedParts,
  ofKind,
  oneAfterAnother,
  pagesOfEntities,
} from './entity-pages.ts'
import { isGiven, type Pages } from './paging.ts'
import { type RankedSource, rankedKeys } from './ranked.ts'
import type { Source } from './transaction-rows.ts'

/** What looking at a row costs, in rows. */
const ROW_COST = 2

type Wallet = EntityRecord<'jetton_wallet'>

/** What a list of wallets is made for. */
interface Listing {
  source: Source
  filter: JettonWalletFilter
  sort: SortOrder
  budget: Budget
}

const walletAt = ({ source, budget }: Listing, id: number): Wallet => {
  budget.spend(ROW_COST)
  return entityRecord(source, 'jetton_wallet', id)
}

const isHeld = ({ entity }: Wallet): boolean => entity.balance > 0n

/** By address. */
function* ofAddresses(listing: Listing, addresses: readonly Address[]): Steps<EntityKeys> {
  const { source, filter, budget } = listing
  const [isOwner, isJetton] = [isAnyOf(filter.owner_addresses), isAnyOf(filter.jetton_addresses)]
  const keys: Buffer[] = []
  const accepts = isStill(source, 'jetton_wallet')
  for (const id of ofKind(source, 'jetton_wallet', idsOf(source, addresses))) {
    if (budget.isTurnOver()) yield
    if (!accepts(u32Key(id))) continue
    const wallet = walletAt(listing, id)
    const { owner, jetton } = wallet.entity
    const fits = isOwner(owner) && isJetton(jetton) && (!filter.exclude_zero_balance || isHeld(wallet))
    if (fits) keys.push(Buffer.concat([addressKey(wallet.address), u32Key(id)]))
  }
  return { ...fewKeys(keys, 'asc'), accepts }
}

/** The wallets of one owner of some jettons. */
const ofOwnerAndJettons = (listing: Listing, owner: number, jettons: readonly number[]): EntityKeys => {
  const { source, filter, sort, budget } = listing
  return {
    from: (start) => {
      const ids = jettons.flatMap((jetton) => {
        budget.spend(1)
        const part = listPart(source, 'wallets_by_owner_jetton', u32Key(owner), u32Key(jetton))
        return Array.from(rankedKeys(part, 'asc', budget), idOfKey)
      })
      const wallets = ids.map((id) => ({ id, wallet: walletAt(listing, id) }))
      const listed = filter.exclude_zero_balance ? wallets.filter(({ wallet }) => isHeld(wallet)) : wallets
      const keys = listed.map(({ id, wallet }) =>
        filter.by_balance ? Buffer.concat([sortableInt(wallet.entity.balance), u32Key(id)]) : u32Key(id),
      )
      return fewKeys(keys, sort).from(start)
    },
  }
}

/** All wallets of one part of an index, in its order. */
const ofPart = ({ filter, sort, budget }: Listing, part: RankedSource): EntityKeys => {
  const low = filter.by_balance && filter.exclude_zero_balance ? sortableInt(1n) : undefined
  return mergedParts([{ ...part, low }], sort, budget)
}

/** The lists of addresses one after the other, in the order of these. */
const each = (listing: Listing, addresses: readonly Address[], listOf: (id: number) => EntityKeys): EntityKeys =>
  oneAfterAnother(
    inOrder(addresses).map((address): EntityKeys => {
      const id = listing.source.addresses.find(address)
      return id === undefined ? fewKeys([], listing.sort) : listOf(id)
    }),
  )

function* keysOf(listing: Listing): Steps<EntityKeys> {
  const { source, filter } = listing
  const { addresses, owner_addresses, jetton_addresses, by_balance, exclude_zero_balance } = filter
  const isListed = (key: Buffer): boolean => isHeld(walletAt(listing, idOfKey(key)))
  const accepts = exclude_zero_balance && !by_balance ? isListed : undefined
  const under = (list: EntityList, wanted: readonly Address[]): EntityKeys => ({
    ...each(listing, wanted, (id) => ofPart(listing, listPart(source, list, u32Key(id)))),
    accepts,
  })
  if (isGiven(addresses)) return yield* ofAddresses(listing, addresses)
  if (isGiven(owner_addresses) && isGiven(jetton_addresses)) {
    const jettons = idsOf(source, jetton_addresses)
    return each(listing, owner_addresses, (owner) => ofOwnerAndJettons(listing, owner, jettons))
  }
  if (isGiven(owner_addresses))
    return under(by_balance ? 'wallets_by_owner_balance' : 'wallets_by_owner', owner_addresses)
  if (isGiven(jetton_addresses)) {
    return under(by_balance ? 'wallets_by_jetton_balance' : 'wallets_by_jetton', jetton_addresses)
  }
  const all = by_balance ? listPart(source, 'wallets_by_balance') : allOfKind(source, 'jetton_wallet')
  return { ...ofPart(listing, all), accepts }
}

/** Pages of EntityReader.jettonWallets */
export const jettonWalletPages = (source: Source, filter: JettonWalletFilter, asked: SortOrder): Pages<Wallet> => {
  const sort = filter.by_balance ? asked : 'asc'
  return pagesOfEntities(source, 'jetton_wallet', (budget) => keysOf({ source, filter, sort, budget }))
}
