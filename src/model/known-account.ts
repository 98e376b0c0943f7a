import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import type {
  DnsEntity,
  GetgemsAuctionEntity,
  GetgemsSaleEntity,
  JettonMasterEntity,
  JettonWalletEntity,
  MultisigOrderEntity,
  NftItemEntity,
  TelemintEntity,
} from './entities.ts'

/** A sale; its fees, where they are known. */
export type KnownSale = Pick<
  GetgemsSaleEntity,
  'marketplace_address' | 'nft_address' | 'nft_owner_address' | 'full_price'
> &
  Partial<GetgemsSaleEntity>

/** An auction; its terms, where they are known. */
export type KnownAuction = Pick<
  GetgemsAuctionEntity,
  'marketplace_address' | 'nft_address' | 'nft_owner_address' | 'last_bid'
> &
  Partial<GetgemsAuctionEntity>

/** What is known of an account when a trace is classified; what it is not is missing. */
export interface KnownAccount {
  jetton_wallet?: Pick<JettonWalletEntity, 'owner' | 'jetton'> | undefined
  jetton_master?: Pick<JettonMasterEntity, 'admin_address'> | undefined
  nft_item?: Pick<NftItemEntity, 'index' | 'collection_address' | 'owner_address' | 'content'> | undefined
  getgems_sale?: KnownSale | undefined
  getgems_auction?: KnownAuction | undefined
  /** It is the item of a name. */
  dns_entry?: Pick<DnsEntity, 'domain'> | undefined
  telemint?: Pick<TelemintEntity, 'token_name'> | undefined
  multisig_order?: Pick<MultisigOrderEntity, 'multisig_address' | 'order_seqno' | 'signers'> | undefined
  /** Hash of its code. */
  code_hash?: Buffer | undefined
  /** Its data. */
  data?: Cell | undefined
}

/** What an account can be, by the names of the index. */
export type AccountKind = Exclude<keyof KnownAccount, 'code_hash' | 'data'>

/** Tells what is known of an account, looked up beforehand; an empty record for one of which nothing is. */
export type Facts = (address: Address) => KnownAccount
