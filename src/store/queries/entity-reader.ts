import type { EntityKind } from '../../model/entities.ts'
import type {
  DnsFilter,
  EntityRecord,
  JettonBurnFilter,
  JettonMasterFilter,
  JettonTransferFilter,
  JettonTransferRecord,
  JettonWalletFilter,
  MultisigFilter,
  MultisigOrderFilter,
  NftCollectionFilter,
  NftItemFilter,
  NftItemRecord,
  NftTransferFilter,
  NftTransferRecord,
  VestingFilter,
} from '../../model/entity-records.ts'
import type { Listed, Page } from '../../model/index-records.ts'
import type { Address } from '../../ton/address.ts'

/**
 * Reads what accounts are. Calls behave as those of IndexReader. "As seen" is the order in which the index first met the
 * accounts (their interned addresses), which `sort` can turn round where a method says so.
 */
export interface EntityReader {
  /** Entities of one kind by address, in the order of `addresses`, each once; accounts that are none are left out. */
  entities<K extends EntityKind>(kind: K, addresses: readonly Address[]): EntityRecord<K>[]
  /** The kinds that an account is. */
  entityKinds(address: Address): EntityKind[]

  /** As seen. */
  jettonMasters(filter: JettonMasterFilter, page: Page): Listed<EntityRecord<'jetton_master'>>
  /**
   * As seen, or by balance; with `addresses` by address, with owners by owner first, with one jetton by jetton first
   * (contracts/v3.md 4.6).
   */
  jettonWallets(filter: JettonWalletFilter, page: Page): Listed<EntityRecord<'jetton_wallet'>>
  /**
   * By lt (with a time filter and none on owners, wallets or master: now, then lt) in the order of `sort`, then workchain
   * and account ascending. So do jettonBurns and nftTransfers.
   */
  jettonTransfers(filter: JettonTransferFilter, page: Page): Listed<JettonTransferRecord>
  jettonBurns(filter: JettonBurnFilter, page: Page): Listed<JettonTransferRecord>

  /** As seen. */
  nftCollections(filter: NftCollectionFilter, page: Page): Listed<EntityRecord<'nft_collection'>>
  /**
   * As seen; with owners by owner, collection and index, with one collection by index; or by last_transaction_lt
   * descending (contracts/v3.md 4.7). Ties as seen. Items without a collection are the last of their owner.
   */
  nftItems(filter: NftItemFilter, page: Page): Listed<NftItemRecord>
  nftTransfers(filter: NftTransferFilter, page: Page): Listed<NftTransferRecord>

  /** By the length of the domain in characters, then the domain; `domain` is asked for in lower case. */
  dnsRecords(filter: DnsFilter, page: Page): Listed<EntityRecord<'dns_entry'>>
  /** The shortest domain, then the first by name, whose owner and `wallet` record both are the account. */
  domainOf(address: Address): string | undefined

  /** As seen, in the order of `sort`. */
  multisigs(filter: MultisigFilter, page: Page): Listed<EntityRecord<'multisig'>>
  multisigOrders(filter: MultisigOrderFilter, page: Page): Listed<EntityRecord<'multisig_order'>>
  /** As seen. */
  vestings(filter: VestingFilter, page: Page): Listed<EntityRecord<'vesting'>>
}
