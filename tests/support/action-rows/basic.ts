import type { RowData } from './row-data.ts'

export const BASIC_ROWS: RowData = {
  ton_transfer: ({ comment, encrypted }) => ({ ton_transfer_data: { content: comment, encrypted } }),
}
