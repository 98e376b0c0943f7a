import type { RowData } from './row-data.ts'

const TON = '0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8a'

export const EVAA_ROWS: RowData = {
  evaa_supply: (details) => ({ evaa_supply_data: details }),
  evaa_withdraw: (details) => ({ evaa_withdraw_data: { ...details, is_ton: details.asset_id === TON } }),
  evaa_liquidate: ({ collateral, ...details }) => ({ asset: collateral, evaa_liquidate_data: details }),
}
