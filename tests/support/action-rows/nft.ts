import type { NftTransferDetails } from '../../../src/model/actions/nft.ts'
import type { RowData } from './row-data.ts'

const transfer = ({ real_old_owner, ...details }: NftTransferDetails) => ({
  nft_transfer_data: { ...details, real_prev_owner: real_old_owner, nft_item_index: details.nft_item_index },
})

export const NFT_ROWS: RowData = {
  nft_mint: ({ nft_item_index }) => ({ nft_mint_data: { nft_item_index } }),
  nft_transfer: transfer,
  nft_purchase: transfer,
}
