import type { Address } from '../../ton/address.ts'
import type { NoDetails } from './basic.ts'
import type { ActionOf } from './content.ts'

/** Amounts in the assets' base units; null stands for TON as an asset. */
export type CoffeeCreatePoolDetails = {
  source: Address | null
  source_jetton_wallet: Address | null
  initiator_1: Address | null
  initiator_2: Address | null
  pool: Address | null
  pool_creator_contract: Address | null
  provided_asset: Address | null
  amount: bigint
  /** The asset that was provided last, and the other one. */
  asset_1: Address | null
  asset_2: Address | null
  amount_1: bigint
  amount_2: bigint
  lp_tokens_minted: bigint | null
}

export type CoffeeCreatePoolCreatorDetails = {
  source: Address | null
  source_jetton_wallet: Address | null
  deposit_recipient: Address | null
  pool_creator_contract: Address | null
  provided_asset: Address | null
  asset_1: Address | null
  asset_2: Address | null
  amount: bigint
}

export type CoffeeStakingDepositDetails = {
  source: Address | null
  source_jetton_wallet: Address | null
  pool: Address | null
  pool_jetton_wallet: Address | null
  asset: Address | null
  amount: bigint
  minted_item_address: Address | null
  minted_item_index: bigint | null
}

export type CoffeeStakingWithdrawDetails = {
  source: Address | null
  source_jetton_wallet: Address | null
  pool: Address | null
  pool_jetton_wallet: Address | null
  asset: Address | null
  amount: bigint
  nft_address: Address | null
  nft_index: bigint
  points: bigint
}

export type CoffeeStakingClaimRewardsDetails = {
  pool: Address | null
  pool_jetton_wallet: Address | null
  recipient: Address | null
  recipient_jetton_wallet: Address | null
  asset: Address | null
  amount: bigint
}

export type CoffeeMevProtectHoldFundsDetails = {
  source: Address | null
  source_jetton_wallet: Address | null
  mev_contract: Address | null
  mev_contract_jetton_wallet: Address | null
  asset: Address | null
  amount: bigint
}

export type CoffeeCreateVaultDetails = {
  source: Address | null
  vault: Address | null
  asset: Address | null
  value: bigint
}

/** What is told of swap.coffee beside swaps and liquidity. */
export type CoffeeAction =
  | ActionOf<'coffee_create_pool', CoffeeCreatePoolDetails>
  | ActionOf<'coffee_create_pool_creator', CoffeeCreatePoolCreatorDetails>
  | ActionOf<'coffee_create_vault', CoffeeCreateVaultDetails>
  | ActionOf<'coffee_mev_protect_hold_funds', CoffeeMevProtectHoldFundsDetails>
  | ActionOf<'coffee_mev_protect_failed_swap', NoDetails>
  | ActionOf<'coffee_staking_deposit', CoffeeStakingDepositDetails>
  | ActionOf<'coffee_staking_withdraw', CoffeeStakingWithdrawDetails>
  | ActionOf<'coffee_staking_claim_rewards', CoffeeStakingClaimRewardsDetails>
