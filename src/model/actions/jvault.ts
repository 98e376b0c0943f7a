import type { Address } from '../../ton/address.ts'
import type { ActionOf } from './content.ts'

/** Amounts in the jettons' base units. */
export type JvaultStakeDetails = {
  /** Seconds; null where the payload does not tell it. */
  period: number | null
  /** What the stake's wallet was credited with; null where the stake was refused. */
  minted_stake_jettons: bigint | null
  stake_wallet: Address | null
  source: Address | null
  source_jetton_wallet: Address | null
  asset: Address | null
  pool: Address | null
  amount: bigint
}

export type JvaultUnstakeDetails = {
  source: Address | null
  stake_wallet: Address | null
  pool: Address | null
  amount: bigint
  /** Of the stake's wallet, where it went no further. */
  exit_code: number | null
  /** The jetton that is staked, and the one that stands for the stake. */
  asset: Address | null
  staking_asset: Address | null
}

export type JvaultClaimDetails = {
  /** `jetton` is the pool's wallet of the jetton, by which the claim names it. */
  claimed_rewards: readonly { jetton: Address | null; amount: bigint }[]
  source: Address | null
  stake_wallet: Address | null
  pool: Address | null
}

/** What is told of jVault's stakes. */
export type JvaultAction =
  | ActionOf<'jvault_stake', JvaultStakeDetails>
  | ActionOf<'jvault_unstake' | 'jvault_unstake_request', JvaultUnstakeDetails>
  | ActionOf<'jvault_claim', JvaultClaimDetails>
