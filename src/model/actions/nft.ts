import type { Address } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import type { ActionOf } from './content.ts'

export type NftMintDetails = {
  owner: Address | null
  nft_item: Address
  nft_collection: Address | null
  nft_item_index: bigint
}

/** TEP-62 transfers; all amounts in nano-units. The comment of an encrypted one is base64. */
export type NftTransferDetails = {
  nft_collection: Address | null
  nft_item: Address
  nft_item_index: bigint
  old_owner: Address | null
  new_owner: Address | null
  is_purchase: boolean
  price: bigint | null
  query_id: bigint
  response_destination: Address | null
  custom_payload: Cell | null
  forward_payload: Cell | null
  forward_amount: bigint | null
  comment: string | null
  is_encrypted_comment: boolean | null
  /** What the trade went through: `getgems`, `fragment`. */
  marketplace: string | null
  real_old_owner: Address | null
  marketplace_address: Address | null
  payout_amount: bigint | null
  payout_address: Address | null
  payout_comment: string | null
  payout_comment_encrypted: boolean | null
  payout_comment_encoded: boolean | null
  royalty_amount: bigint | null
  royalty_address: Address | null
}

export type NftAction =
  | ActionOf<'nft_mint', NftMintDetails>
  | ActionOf<'nft_transfer', NftTransferDetails>
  | ActionOf<'nft_purchase', NftTransferDetails>
