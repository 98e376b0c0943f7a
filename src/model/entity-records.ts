import type { Address } from '../ton/address.ts'
import type { EntityKind, EntityOf } from './entities.ts'
import type { TransactionRecord } from './index-records.ts'

/** A stored entity with the state of its account that it was read from. */
export interface EntityRecord<K extends EntityKind> {
  address: Address
  last_transaction_lt: bigint
  code_hash: Buffer | null
  data_hash: Buffer | null
  entity: EntityOf<K>
}

/** In all filters every given field must hold, an empty list is as if not given, and a list means any of its members. */
export interface JettonMasterFilter {
  addresses?: readonly Address[] | undefined
  admin_addresses?: readonly Address[] | undefined
}

export interface JettonWalletFilter {
  addresses?: readonly Address[] | undefined
  owner_addresses?: readonly Address[] | undefined
  jetton_addresses?: readonly Address[] | undefined
  exclude_zero_balance?: boolean | undefined
  /** Listed by balance in the order of the page's `sort`; else in the order in which they were first seen. */
  by_balance?: boolean | undefined
}

export interface NftCollectionFilter {
  addresses?: readonly Address[] | undefined
  owner_addresses?: readonly Address[] | undefined
}

export interface NftItemFilter {
  addresses?: readonly Address[] | undefined
  owner_addresses?: readonly Address[] | undefined
  collection_addresses?: readonly Address[] | undefined
  /** Only together with collections. */
  indexes?: readonly bigint[] | undefined
  /** `owner_addresses` means the seller of an item that a known sale or auction holds. */
  include_on_sale?: boolean | undefined
  /** Listed by last_transaction_lt, descending. */
  by_last_transaction_lt?: boolean | undefined
}

interface Window {
  /** Inclusive, seconds. */
  start_utime?: number | undefined
  end_utime?: number | undefined
  /** Inclusive. */
  start_lt?: bigint | undefined
  end_lt?: bigint | undefined
}

/** `in`: to the owner, `out`: from the owner; both when not given. Only together with owners. */
type TransferDirection = 'in' | 'out'

/** Transfers whose transaction was aborted are left out (contracts/v3.md 4.6). */
export interface JettonTransferFilter extends Window {
  owner_addresses?: readonly Address[] | undefined
  direction?: TransferDirection | undefined
  /** The sender's wallets. */
  jetton_wallets?: readonly Address[] | undefined
  jetton_master?: Address | undefined
}

export interface JettonBurnFilter extends Window {
  owner_addresses?: readonly Address[] | undefined
  jetton_wallets?: readonly Address[] | undefined
  jetton_master?: Address | undefined
}

export interface NftTransferFilter extends Window {
  owner_addresses?: readonly Address[] | undefined
  direction?: TransferDirection | undefined
  item_addresses?: readonly Address[] | undefined
  collection_address?: Address | undefined
}

/** The transaction says it all but what the account's role told when it was stored. */
export interface JettonTransferRecord {
  transaction: TransactionRecord
  jetton_master: Address
}

export interface NftTransferRecord {
  transaction: TransactionRecord
  nft_collection: Address | null
}

/** An item with what else is known of it. */
export interface NftItemRecord extends EntityRecord<'nft_item'> {
  collection: EntityRecord<'nft_collection'> | null
  /** The sale or auction that owns it, where that is known and names it. */
  sale: EntityRecord<'getgems_sale'> | EntityRecord<'getgems_auction'> | null
}

/** The domain is a normal one (normalDomain). */
export type DnsFilter = { wallet: Address } | { domain: string }

export interface MultisigFilter {
  addresses?: readonly Address[] | undefined
  /** Signers or proposers. */
  wallet_addresses?: readonly Address[] | undefined
}

export interface MultisigOrderFilter {
  addresses?: readonly Address[] | undefined
  multisig_addresses?: readonly Address[] | undefined
}

export interface VestingFilter {
  contract_addresses?: readonly Address[] | undefined
  /** Owner or sender. */
  wallet_addresses?: readonly Address[] | undefined
  /** `wallet_addresses` also means members of the whitelist. */
  check_whitelist?: boolean | undefined
}
