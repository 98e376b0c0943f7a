import type { NftTransferDetails } from '../../model/actions/nft.ts'
import type { Told } from '../classify/part.ts'

/** What a transfer of an item is that nobody paid for. */
export const NO_PURCHASE = {
  is_purchase: false,
  price: null,
  marketplace: null,
  real_old_owner: null,
  marketplace_address: null,
  payout_amount: null,
  payout_address: null,
  payout_comment: null,
  payout_comment_encrypted: null,
  payout_comment_encoded: null,
  royalty_amount: null,
  royalty_address: null,
} as const

/** Details in the order of the wire. */
const ordered = (details: NftTransferDetails): NftTransferDetails => ({
  nft_collection: details.nft_collection,
  nft_item: details.nft_item,
  nft_item_index: details.nft_item_index,
  old_owner: details.old_owner,
  new_owner: details.new_owner,
  is_purchase: details.is_purchase,
  price: details.price,
  query_id: details.query_id,
  response_destination: details.response_destination,
  custom_payload: details.custom_payload,
  forward_payload: details.forward_payload,
  forward_amount: details.forward_amount,
  comment: details.comment,
  is_encrypted_comment: details.is_encrypted_comment,
  marketplace: details.marketplace,
  real_old_owner: details.real_old_owner,
  marketplace_address: details.marketplace_address,
  payout_amount: details.payout_amount,
  payout_address: details.payout_address,
  payout_comment: details.payout_comment,
  payout_comment_encrypted: details.payout_comment_encrypted,
  payout_comment_encoded: details.payout_comment_encoded,
  royalty_amount: details.royalty_amount,
  royalty_address: details.royalty_address,
})

/** A change of an item's owner. */
export const nftTransferTold = (
  type: 'nft_transfer' | 'nft_purchase',
  details: NftTransferDetails,
): Omit<Told, 'failed'> => ({
  btype: type,
  content: { type, details: ordered(details) },
  columns: {
    source: details.old_owner,
    destination: details.new_owner,
    asset: details.nft_collection,
    asset_secondary: details.nft_item,
  },
})
