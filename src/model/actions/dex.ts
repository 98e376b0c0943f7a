import type { Address } from '../../ton/address.ts'
import type { ActionOf } from './content.ts'

/** Exchanges that are known. */
export type Dex = 'stonfi' | 'stonfi_v2' | 'dedust' | 'tonco' | 'coffee'

/** What an exchange was given or gave; TON has neither asset nor wallets of its own. */
export type DexTransfer = {
  asset: Address | null
  source: Address | null
  destination: Address | null
  source_jetton_wallet: Address | null
  destination_jetton_wallet: Address | null
  amount: bigint
}

/** A swap in one of the pools that a longer one went through. */
export type PeerSwap = {
  asset_in: Address | null
  amount_in: bigint
  asset_out: Address | null
  amount_out: bigint
}

export type JettonSwapDetails = {
  dex: Dex
  sender: Address | null
  asset_in: Address | null
  asset_out: Address | null
  dex_incoming_transfer: DexTransfer
  dex_outgoing_transfer: DexTransfer
  /** None where one pool did all. */
  peer_swaps: readonly PeerSwap[]
}

/** Of TONCO: what came out, as clients of the reference find it there; not the bound that the sender asked for. */
export type BoundedSwapDetails = JettonSwapDetails & { min_out_amount: bigint | null }

export type VaultExcess = { asset: Address | null; amount: bigint }

export type DexDepositLiquidityDetails = {
  dex: Dex
  amount_1: bigint | null
  amount_2: bigint | null
  asset_1: Address | null
  asset_2: Address | null
  user_jetton_wallet_1: Address | null
  user_jetton_wallet_2: Address | null
  source: Address | null
  pool: Address | null
  destination_liquidity: Address | null
  lp_tokens_minted: bigint | null
  target_asset_1: Address | null
  target_asset_2: Address | null
  target_amount_1: bigint | null
  target_amount_2: bigint | null
  vault_excesses: readonly VaultExcess[]
  tick_lower: bigint | null
  tick_upper: bigint | null
  nft_index: bigint | null
  nft_address: Address | null
}

export type DexWithdrawLiquidityDetails = {
  dex: Dex
  amount_1: bigint | null
  amount_2: bigint | null
  asset_1: Address | null
  asset_2: Address | null
  user_jetton_wallet_1: Address | null
  user_jetton_wallet_2: Address | null
  lp_tokens_burnt: bigint | null
  /** Always null: kept for clients that read it. */
  is_refund: null
  source: Address | null
  pool: Address | null
  destination_liquidity: Address | null
  burnt_nft_index: bigint | null
  burnt_nft_address: Address | null
  tick_lower: bigint | null
  tick_upper: bigint | null
}

export type DexAction =
  | ActionOf<'jetton_swap', JettonSwapDetails | BoundedSwapDetails>
  | ActionOf<'dex_deposit_liquidity', DexDepositLiquidityDetails>
  | ActionOf<'dex_withdraw_liquidity', DexWithdrawLiquidityDetails>
