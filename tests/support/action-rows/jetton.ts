import type { RowData } from './row-data.ts'

export const JETTON_ROWS: RowData = {
  jetton_transfer: (details) => ({ jetton_transfer_data: details }),
}
