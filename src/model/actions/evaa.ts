import type { Address } from '../../ton/address.ts'
import type { ActionOf } from './content.ts'

/** Amounts in the assets' base units; null stands for TON as an asset, and where nothing was moved. Asset ids in hex. */
export type EvaaSupplyDetails = {
  sender_jetton_wallet: Address | null
  recipient_jetton_wallet: Address | null
  master_jetton_wallet: Address | null
  master: Address | null
  asset_id: string
  is_ton: boolean
  source: Address | null
  source_wallet: Address | null
  recipient: Address | null
  recipient_contract: Address | null
  asset: Address | null
  amount: bigint
}

export type EvaaWithdrawDetails = {
  recipient_jetton_wallet: Address | null
  master_jetton_wallet: Address | null
  master: Address | null
  fail_reason: string | null
  asset_id: string
  source: Address | null
  recipient: Address | null
  owner_contract: Address | null
  asset: Address | null
  amount: bigint
}

export type EvaaLiquidateDetails = {
  fail_reason: string | null
  debt_amount: bigint
  source: Address | null
  borrower: Address | null
  borrower_contract: Address | null
  /** The asset's id as a decimal number. */
  collateral: string
  asset_id: string
  asset: Address | null
  is_known_asset: boolean
  /** What the liquidator got of the collateral. */
  amount: bigint
}

/** What is told of EVAA's loans. */
export type EvaaAction =
  | ActionOf<'evaa_supply', EvaaSupplyDetails>
  | ActionOf<'evaa_withdraw', EvaaWithdrawDetails>
  | ActionOf<'evaa_liquidate', EvaaLiquidateDetails>
