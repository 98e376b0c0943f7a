import type { RowData } from './row-data.ts'

export const STAKING_ROWS: RowData = {
  stake_deposit: ({ provider, tokens_minted }) => ({ staking_data: { provider, tokens_minted } }),
  stake_withdrawal: ({ provider, payout_nft, tokens_burnt }) => ({
    staking_data: { provider, ts_nft: payout_nft, tokens_burnt },
  }),
  stake_withdrawal_request: ({ provider, payout_nft, tokens_burnt, tokens_minted }) => ({
    staking_data: { provider, ts_nft: payout_nft, tokens_burnt, tokens_minted },
  }),
}
