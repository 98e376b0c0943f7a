import { readBatchMessages } from '../model/batch-message.ts'
import type { TransactionKey } from '../model/trace-changes.ts'
import type { Cell } from '../ton/cell.ts'
import type { TransactionRow } from './codecs.ts'
import { transactionRow } from './find.ts'
import type { Tables } from './tables.ts'
import { readCell } from './transaction-cells.ts'

/** A stored transaction: its row, its cell and its messages. */
export interface TransactionParts {
  key: TransactionKey
  row: TransactionRow
  cell: Cell
  messages: ReturnType<typeof readBatchMessages>
}

/** Reads a stored transaction. Throws `malformed`. */
export const storedTransaction = (tables: Tables, key: TransactionKey): TransactionParts | undefined => {
  const row = transactionRow(tables, key)
  const cell = row && readCell(tables, key, row)
  return row && cell && { key, row, cell, messages: readBatchMessages(cell) }
}
