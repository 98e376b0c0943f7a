import type { ExtraCurrency } from '../../../model/extra-currency.ts'
import type { TransactionId } from '../../../model/transaction-id.ts'
import { cellToBase64 } from '../../../ton/boc-writer.ts'
import type { Cell } from '../../../ton/cell.ts'
import type { Neutral } from '../dialect.ts'

/** A cell as a bag of cells; the empty text where there is none. */
export const bytesOf = (cell: Cell | null): Neutral => (cell ? cellToBase64(cell) : '')

/** `tvm.cell`; its bytes are the empty text where there is none. */
export const tvmCell = (cell: Cell | null): Neutral => ({ '@type': 'tvm.cell', bytes: bytesOf(cell) })

/** `internal.transactionId`. */
export const transactionId = (id: TransactionId): Neutral => ({
  '@type': 'internal.transactionId',
  lt: String(id.lt),
  hash: id.hash,
})

/** A list of `extraCurrency`. */
export const extraCurrencies = (currencies: readonly ExtraCurrency[]): Neutral =>
  currencies.map(({ id, amount }) => ({ '@type': 'extraCurrency', id, amount: String(amount) }))
