import type { RowData } from './row-data.ts'

export const VESTING_ROWS: RowData = {
  vesting_send_message: ({ query_id, message_boc }) => ({
    vesting_send_message_data: { query_id, message_boc },
  }),
  vesting_add_whitelist: ({ query_id, accounts_added }) => ({
    vesting_add_whitelist_data: { query_id, accounts_added },
  }),
}
