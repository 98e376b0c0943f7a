import type { TgbtcMintDetails, TgbtcNewKeyDetails } from '../../../src/model/actions/tgbtc.ts'
import type { RowData } from './row-data.ts'

const txid = ({ bitcoin_tx_id }: TgbtcMintDetails) => ({ asset_secondary: bitcoin_tx_id })
const key = ({ pubkey }: TgbtcNewKeyDetails) => ({ source_secondary: pubkey })

/** What is no address stands in columns of addresses there. */
export const TGBTC_ROWS: RowData = {
  tgbtc_mint: txid,
  tgbtc_mint_fallback: txid,
  tgbtc_new_key: key,
  tgbtc_new_key_fallback: key,
  tgbtc_dkg_log_fallback: ({ pubkey }) => ({ asset: pubkey }),
}
