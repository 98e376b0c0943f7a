import type { Address } from '../../ton/address.ts'
import type { ActionOf } from './content.ts'

export type StakingProvider = 'liquid_staking' | 'nominator' | 'ethena'

/** `amount` in nano-units (`source_asset`'s, where that is given), `tokens_minted` in `asset`'s base units. */
export type StakeDepositDetails = {
  provider: StakingProvider
  stake_holder: Address | null
  pool: Address | null
  amount: bigint | null
  tokens_minted: bigint | null
  asset: Address | null
  source_asset: Address | null
}

/** `amount` in nano-units. */
export type StakeWithdrawalDetails = {
  provider: StakingProvider
  stake_holder: Address | null
  pool: Address | null
  amount: bigint | null
  /** The item that stands for a payout that is to come, or that came. */
  payout_nft: Address | null
  tokens_burnt: bigint | null
  asset: Address | null
}

export type StakeWithdrawalRequestDetails = {
  provider: StakingProvider
  stake_holder: Address | null
  pool: Address | null
  payout_nft: Address | null
  asset: Address | null
  tokens_burnt: bigint | null
  tokens_minted: bigint | null
}

export type StakingAction =
  | ActionOf<'stake_deposit', StakeDepositDetails>
  | ActionOf<'stake_withdrawal', StakeWithdrawalDetails>
  | ActionOf<'stake_withdrawal_request', StakeWithdrawalRequestDetails>
