import type { DetectedAccount, Entity, EntityKind, EntityOf } from '../../src/model/entities.ts'
import type {
  DnsFilter,
  EntityRecord,
  JettonMasterFilter,
  JettonWalletFilter,
  MultisigFilter,
  MultisigOrderFilter,
  NftCollectionFilter,
  NftItemFilter,
  VestingFilter,
} from '../../src/model/entity-records.ts'
import type { SortOrder } from '../../src/model/index-records.ts'
import { type Address, rawAddress, sameAddress } from '../../src/ton/address.ts'

/** Arrays and filters: what an index of some entities has to answer, said as plainly as possible. */

type Order<T> = (a: T, b: T) => number
type Item = EntityRecord<'nft_item'>
type Sale = EntityRecord<'getgems_sale'> | EntityRecord<'getgems_auction'>

const compare = (a: bigint | number, b: bigint | number): number => (a < b ? -1 : a > b ? 1 : 0)
export const compareAddresses: Order<Address> = (a, b) => compare(a.workchain, b.workchain) || a.hash.compare(b.hash)

const inOrder =
  <T>(...orders: Order<T>[]): Order<T> =>
  (a, b) => {
    for (const order of orders) {
      const result = order(a, b)
      if (result !== 0) return result
    }
    return 0
  }
const directed =
  <T>(sort: SortOrder, order: Order<T>): Order<T> =>
  (a, b) =>
    sort === 'asc' ? order(a, b) : order(b, a)

/** None stands behind all others. */
const byAddress =
  <T>(value: (item: T) => Address | null): Order<T> =>
  (a, b) => {
    const [one, other] = [value(a), value(b)]
    if (one && other) return compareAddresses(one, other)
    return compare(one ? 0 : 1, other ? 0 : 1)
  }

/** True where none is asked for, or one of them is meant. */
export const isAny = (value: Address | null, wanted: readonly Address[] | undefined): boolean =>
  !wanted?.length || (value !== null && wanted.some((address) => sameAddress(address, value)))

const isAnyOf = (values: readonly (Address | null)[], wanted: readonly Address[] | undefined): boolean =>
  !wanted?.length || values.some((value) => isAny(value, wanted))

/** @param seen the order in which the index met addresses */
export const createEntityOracle = (seen: (address: Address) => number) => {
  const accounts = new Map<string, DetectedAccount>()

  const all = <K extends EntityKind>(kind: K): EntityRecord<K>[] =>
    [...accounts.values()].flatMap(({ address, last_transaction_lt, code_hash, data_hash, entities }) => {
      const entity = entities.find((one: Entity): one is EntityOf<K> & Entity => one._ === kind)
      return entity ? [{ address, last_transaction_lt, code_hash, data_hash, entity }] : []
    })

  const asSeen: Order<{ address: Address }> = (a, b) => compare(seen(a.address), seen(b.address))

  const saleOf = ({ address, entity }: Item): Sale | undefined =>
    [...all('getgems_sale'), ...all('getgems_auction')].find(
      (sale) =>
        entity.owner_address !== null &&
        sameAddress(sale.address, entity.owner_address) &&
        sameAddress(sale.entity.nft_address, address),
    )

  return {
    write: (account: DetectedAccount): void => {
      accounts.set(rawAddress(account.address), account)
    },

    all,
    saleOf,

    entities: <K extends EntityKind>(kind: K, addresses: readonly Address[]): EntityRecord<K>[] =>
      [...new Map(addresses.map((address) => [rawAddress(address), address])).values()].flatMap((address) =>
        all(kind).filter((one) => sameAddress(one.address, address)),
      ),

    kinds: (address: Address): EntityKind[] => accounts.get(rawAddress(address))?.entities.map(({ _ }) => _) ?? [],

    masters: ({ addresses, admin_addresses }: JettonMasterFilter) =>
      all('jetton_master')
        .filter(({ address, entity }) => isAny(address, addresses) && isAny(entity.admin_address, admin_addresses))
        .sort(asSeen),

    wallets: (filter: JettonWalletFilter, sort: SortOrder) => {
      type Wallet = EntityRecord<'jetton_wallet'>
      const { addresses, owner_addresses, jetton_addresses, exclude_zero_balance, by_balance } = filter
      const byBalance = inOrder<Wallet>((a, b) => compare(a.entity.balance, b.entity.balance), asSeen)
      const within = by_balance ? directed(sort, byBalance) : asSeen
      const order = addresses?.length
        ? byAddress<Wallet>(({ address }) => address)
        : owner_addresses?.length
          ? inOrder<Wallet>(
              byAddress(({ entity }) => entity.owner),
              within,
            )
          : jetton_addresses?.length
            ? inOrder<Wallet>(
                byAddress(({ entity }) => entity.jetton),
                within,
              )
            : within
      return all('jetton_wallet')
        .filter(
          ({ address, entity }) =>
            isAny(address, addresses) &&
            isAny(entity.owner, owner_addresses) &&
            isAny(entity.jetton, jetton_addresses) &&
            (!exclude_zero_balance || entity.balance > 0n),
        )
        .sort(order)
    },

    collections: ({ addresses, owner_addresses }: NftCollectionFilter) =>
      all('nft_collection')
        .filter(({ address, entity }) => isAny(address, addresses) && isAny(entity.owner_address, owner_addresses))
        .sort(asSeen),

    items: (filter: NftItemFilter) => {
      const { addresses, owner_addresses, collection_addresses, indexes } = filter
      const ownerOf = (item: Item): Address | null => {
        const sale = filter.include_on_sale ? saleOf(item) : undefined
        return sale ? sale.entity.nft_owner_address : item.entity.owner_address
      }
      const byCollection = inOrder<Item>(
        byAddress(({ entity }) => entity.collection_address),
        (a, b) => compare(a.entity.index, b.entity.index),
        asSeen,
      )
      const byLt: Order<Item> = (a, b) => compare(b.last_transaction_lt, a.last_transaction_lt)
      const order = filter.by_last_transaction_lt
        ? inOrder(byLt, asSeen)
        : owner_addresses?.length
          ? inOrder(byAddress(ownerOf), byCollection)
          : collection_addresses?.length
            ? byCollection
            : asSeen
      return all('nft_item')
        .filter(
          (item) =>
            isAny(item.address, addresses) &&
            isAny(ownerOf(item), owner_addresses) &&
            isAny(item.entity.collection_address, collection_addresses) &&
            (!indexes?.length || indexes.includes(item.entity.index)),
        )
        .sort(order)
    },

    names: (filter: DnsFilter) => {
      const length = (domain: string): number => [...domain].length
      return all('dns_entry')
        .filter(({ entity }) =>
          'wallet' in filter
            ? entity.dns_wallet !== null && sameAddress(entity.dns_wallet, filter.wallet)
            : entity.domain === filter.domain,
        )
        .sort(
          inOrder<EntityRecord<'dns_entry'>>(
            (a, b) => compare(length(a.entity.domain), length(b.entity.domain)),
            (a, b) => Buffer.from(a.entity.domain).compare(Buffer.from(b.entity.domain)),
            asSeen,
          ),
        )
    },

    multisigs: ({ addresses, wallet_addresses }: MultisigFilter, sort: SortOrder) =>
      all('multisig')
        .filter(
          ({ address, entity: { signers, proposers } }) =>
            isAny(address, addresses) && isAnyOf([...signers, ...proposers], wallet_addresses),
        )
        .sort(directed(sort, asSeen)),

    orders: ({ addresses, multisig_addresses }: MultisigOrderFilter, sort: SortOrder) =>
      all('multisig_order')
        .filter(
          ({ address, entity }) => isAny(address, addresses) && isAny(entity.multisig_address, multisig_addresses),
        )
        .sort(directed(sort, asSeen)),

    vestings: ({ contract_addresses, wallet_addresses, check_whitelist }: VestingFilter) =>
      all('vesting')
        .filter(({ address, entity: { owner_address, sender_address, whitelist } }) => {
          const wallets = [owner_address, sender_address, ...(check_whitelist ? whitelist : [])]
          return isAny(address, contract_addresses) && isAnyOf(wallets, wallet_addresses)
        })
        .sort(asSeen),
  }
}

export type EntityOracle = ReturnType<typeof createEntityOracle>
