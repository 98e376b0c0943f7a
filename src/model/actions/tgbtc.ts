import type { Address } from '../../ton/address.ts'
import type { ActionOf } from './content.ts'

/** Bitcoin that came in, and jettons that were minted for it; amounts in the jetton's base units. */
export type TgbtcMintDetails = {
  source: Address | null
  destination: Address | null
  amount: bigint
  asset: Address | null
  /** Hex, as explorers of Bitcoin show it. */
  bitcoin_tx_id: string
  destination_wallet: Address | null
}

/** Jettons burned, for Bitcoin that `destination` has sent. */
export type TgbtcBurnDetails = {
  source: Address | null
  source_wallet: Address | null
  destination: Address | null
  amount: bigint
  asset: Address | null
}

/** The signers have a new key, to which all Bitcoin is sent. */
export type TgbtcNewKeyDetails = {
  /** The contract in which the signers agreed on the key. */
  source: Address | null
  /** Hex. */
  pubkey: string
  /** The contract that keeps the Bitcoin, so the reference calls it. */
  coordinator: Address | null
  pegout: Address | null
  amount: bigint
  asset: Address | null
}

/** The signers agreed on a key. */
export type TgbtcDkgLogDetails = {
  coordinator: Address | null
  /** Hex. */
  pubkey: string
  /** Seconds. */
  timestamp: bigint
}

export type TgbtcAction =
  | ActionOf<'tgbtc_mint' | 'tgbtc_mint_fallback', TgbtcMintDetails>
  | ActionOf<'tgbtc_burn' | 'tgbtc_burn_fallback', TgbtcBurnDetails>
  | ActionOf<'tgbtc_new_key' | 'tgbtc_new_key_fallback', TgbtcNewKeyDetails>
  | ActionOf<'tgbtc_dkg_log_fallback', TgbtcDkgLogDetails>
