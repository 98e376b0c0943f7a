import type { RowData } from './row-data.ts'

export const DEX_ROWS: RowData = {
  jetton_swap: (details) => ({ jetton_swap_data: details }),
  dex_deposit_liquidity: ({ amount_1, amount_2, asset_1, asset_2, ...details }) => ({
    dex_deposit_liquidity_data: {
      ...details,
      amount1: amount_1,
      amount2: amount_2,
      asset1: asset_1,
      asset2: asset_2,
    },
  }),
  dex_withdraw_liquidity: (
    { amount_1, amount_2, asset_1, asset_2, burnt_nft_index, burnt_nft_address, is_refund, ...details },
    { payouts },
  ) => ({
    dex_withdraw_liquidity_data: {
      ...details,
      amount1: amount_1,
      amount2: amount_2,
      asset1_out: asset_1,
      asset2_out: asset_2,
      is_refund: is_refund ?? false,
      burned_nft_index: burnt_nft_index,
      burned_nft_address: burnt_nft_address,
      dex_wallet_1: payouts?.[0]?.source,
      dex_wallet_2: payouts?.[1]?.source,
      dex_jetton_wallet_1: payouts?.[0]?.source_jetton_wallet,
      dex_jetton_wallet_2: payouts?.[1]?.source_jetton_wallet,
    },
  }),
  tonco_deploy_pool: ({
    router_jetton_wallet_1,
    router_jetton_wallet_2,
    jetton_minter_1,
    jetton_minter_2,
    ...details
  }) => ({
    tonco_deploy_pool_data: {
      ...details,
      jetton0_router_wallet: router_jetton_wallet_1,
      jetton1_router_wallet: router_jetton_wallet_2,
      jetton0_minter: jetton_minter_1,
      jetton1_minter: jetton_minter_2,
    },
  }),
  coffee_create_pool: (details) => ({ coffee_create_pool_data: details }),
  coffee_staking_deposit: (details) => ({ coffee_staking_deposit_data: details }),
  coffee_staking_withdraw: (details) => ({ coffee_staking_withdraw_data: details }),
}
