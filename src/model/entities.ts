import type { Address } from '../ton/address.ts'
import type { DomainContent } from './nft.ts'
import type { TokenContent } from './token-content.ts'

/** A jetton master (TEP-74 get_jetton_data). Amounts in the jetton's base units. */
export interface JettonMasterEntity {
  _: 'jetton_master'
  total_supply: bigint
  mintable: boolean
  admin_address: Address | null
  jetton_content: TokenContent
  jetton_wallet_code_hash: Buffer
}

/** A jetton wallet (TEP-74 get_wallet_data) that its master knows. */
export interface JettonWalletEntity {
  _: 'jetton_wallet'
  balance: bigint
  owner: Address
  jetton: Address
  /** TEP-177 is_claimed; null for wallets of other jettons. */
  mintless_is_claimed: boolean | null
}

/** An NFT collection (TEP-62 get_collection_data). */
export interface NftCollectionEntity {
  _: 'nft_collection'
  /** -1 where items have no order. */
  next_item_index: bigint
  owner_address: Address | null
  collection_content: TokenContent
}

/** An NFT item (TEP-62 get_nft_data) that its collection knows, or that has none. */
export interface NftItemEntity {
  _: 'nft_item'
  init: boolean
  /** Up to 256 bits. */
  index: bigint
  collection_address: Address | null
  owner_address: Address | null
  content: TokenContent | Pick<DomainContent, '_' | 'domain'>
}

/** The records of a DNS item that tells its name (TEP-81): the same account as its NFT item. */
export interface DnsEntity {
  _: 'dns_entry'
  nft_item_owner: Address | null
  /** Whole, in lower case: `name.ton`. */
  domain: string
  dns_next_resolver: Address | null
  dns_wallet: Address | null
  dns_site_adnl: Buffer | null
  dns_storage_bag_id: Buffer | null
  /** Unix seconds from which on anybody may take the name (TEP-81 get_last_fill_up_time and a year); null: never. */
  expires_at: number | null
}

/** A sale at a fixed price (getgems get_sale_data `FIXP`, get_fix_price_data_v4). Nano-units. */
export interface GetgemsSaleEntity {
  _: 'getgems_sale'
  is_complete: boolean
  created_at: number
  marketplace_address: Address | null
  nft_address: Address
  nft_owner_address: Address | null
  full_price: bigint
  marketplace_fee_address: Address | null
  marketplace_fee: bigint
  royalty_address: Address | null
  royalty_amount: bigint
}

/** An auction (getgems get_sale_data `AUC`, get_auction_data_v4). Nano-units. */
export interface GetgemsAuctionEntity {
  _: 'getgems_auction'
  end_flag: boolean
  end_time: number
  marketplace_address: Address | null
  nft_address: Address
  nft_owner_address: Address | null
  last_bid: bigint
  last_member: Address | null
  min_step: bigint
  mp_fee_address: Address | null
  mp_fee_factor: bigint
  mp_fee_base: bigint
  royalty_fee_address: Address | null
  royalty_fee_factor: bigint
  royalty_fee_base: bigint
  max_bid: bigint
  min_bid: bigint
  created_at: number
  last_bid_at: number
  is_canceled: boolean
}

/** A telemint item (get_telemint_token_name, _auction_state, _auction_config, royalty_params). Nano-units. */
export interface TelemintEntity {
  _: 'telemint'
  token_name: string
  bidder_address: Address | null
  bid: bigint | null
  bid_ts: number | null
  min_bid: bigint | null
  end_time: number | null
  beneficiary_address: Address | null
  initial_min_bid: bigint
  max_bid: bigint
  min_bid_step: bigint
  min_extend_time: bigint
  duration: bigint
  royalty_numerator: bigint
  royalty_denominator: bigint
  royalty_destination: Address | null
}

/** A multisig v2 (get_multisig_data). */
export interface MultisigEntity {
  _: 'multisig'
  /** -1 where orders have no order. */
  next_order_seqno: bigint
  threshold: number
  signers: Address[]
  proposers: Address[]
}

/** An order of a multisig v2 (get_order_data) that its multisig knows. */
export interface MultisigOrderEntity {
  _: 'multisig_order'
  multisig_address: Address
  order_seqno: bigint
  threshold: number
  sent_for_execution: boolean
  approvals_mask: bigint
  approvals_num: number
  /** Unix seconds. */
  expiration_date: number
  /** BoC of the order's actions. */
  order_boc: Buffer
  signers: Address[]
}

/** A vesting wallet (get_vesting_data). Seconds and nano-units. */
export interface VestingEntity {
  _: 'vesting'
  start_time: number
  total_duration: number
  unlock_period: number
  cliff_duration: number
  total_amount: bigint
  sender_address: Address
  owner_address: Address
  /** Ascending by raw address. */
  whitelist: Address[]
}

/** What an account is beside an account. One can be several of them. */
export type Entity =
  | JettonMasterEntity
  | JettonWalletEntity
  | NftCollectionEntity
  | NftItemEntity
  | DnsEntity
  | GetgemsSaleEntity
  | GetgemsAuctionEntity
  | TelemintEntity
  | MultisigEntity
  | MultisigOrderEntity
  | VestingEntity

export type EntityKind = Entity['_']
export type EntityOf<K extends EntityKind> = Extract<Entity, { _: K }>

/** All that an account is, by its state at the end of a masterchain block; it replaces what was known of it. */
export interface DetectedAccount {
  address: Address
  /** Of its last transaction in that state. */
  last_transaction_lt: bigint
  code_hash: Buffer | null
  data_hash: Buffer | null
  /** At most one of a kind; empty where it is nothing any more. */
  entities: Entity[]
}

/** A transaction that asked for a transfer or a burn, as its in_msg's body says, of an account with that role. */
export type BatchTransfer = {
  /** Its place in `Batch.transactions`. */
  transaction: number
  /** TL-B TransactionDescr `aborted`; false where the description has none. */
  aborted: boolean
} & (
  | {
      _: 'jetton_transfer'
      /** Who asked: the owner of the wallet, as a rule. Null for messages from outside. */
      source: Address | null
      destination: Address | null
      jetton_wallet: Address
      jetton_master: Address
    }
  | { _: 'jetton_burn'; owner: Address | null; jetton_wallet: Address; jetton_master: Address }
  | {
      _: 'nft_transfer'
      old_owner: Address | null
      new_owner: Address | null
      nft_item: Address
      nft_collection: Address | null
    }
)
