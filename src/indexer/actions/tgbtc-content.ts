import type { TgbtcKeyMade, TgbtcMinted, TgbtcNewKey } from '../../contracts/tgbtc-events.ts'
import type { TgbtcBurnDetails } from '../../model/actions/tgbtc.ts'
import type { Address } from '../../ton/address.ts'
import type { Told } from '../classify/part.ts'

/** What is known only of a mint of which more was seen than what was told the outside. */
export interface SeenMint {
  sender: Address | null
  asset: Address | null
  wallet: Address | null
}

/** A mint that `teleport` told of; `seen` is null where that is all. */
export const mintTold = (said: TgbtcMinted, teleport: Address | null, seen: SeenMint | null): Omit<Told, 'failed'> => {
  const source = seen ? seen.sender : teleport
  const { recipient: destination, amount, bitcoin_txid: bitcoin_tx_id } = said
  const [asset, destination_wallet] = [seen?.asset ?? null, seen?.wallet ?? null]
  return {
    btype: 'tgbtc_mint',
    content: {
      type: seen ? 'tgbtc_mint' : 'tgbtc_mint_fallback',
      details: { source, destination, amount, asset, bitcoin_tx_id, destination_wallet },
    },
    columns: {
      source,
      source_secondary: teleport,
      destination,
      destination_secondary: destination_wallet,
      asset,
      amount,
    },
  }
}

/** A burn. */
export const burnTold = (
  type: 'tgbtc_burn' | 'tgbtc_burn_fallback',
  details: TgbtcBurnDetails,
): Omit<Told, 'failed'> => {
  const { source, source_wallet: source_secondary, destination, amount, asset } = details
  return {
    btype: 'tgbtc_burn',
    content: { type, details },
    columns: { source, source_secondary, destination, amount, asset },
  }
}

/** A key that is new to `coordinator`; `made` is what the contract told in which it was agreed on, null where it was not seen. */
export const newKeyTold = (
  { amount, pubkey, pegout }: TgbtcNewKey,
  coordinator: Address | null,
  made: (TgbtcKeyMade & { by: Address | null }) | null,
): Omit<Told, 'failed'> => {
  const source = made?.by ?? null
  return {
    btype: 'tgbtc_new_key',
    content: {
      type: made ? 'tgbtc_new_key' : 'tgbtc_new_key_fallback',
      details: { source, pubkey, coordinator, pegout, amount, asset: null },
    },
    columns: {
      source,
      destination: coordinator,
      destination_secondary: pegout,
      amount,
      value: made?.timestamp ?? null,
    },
  }
}
