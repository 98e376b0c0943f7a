import type { ExtraCurrency } from '../../../model/extra-currency.ts'
import type { TransactionId } from '../../../model/transaction-id.ts'
import type { Address } from '../../../ton/address.ts'
import { cellToBase64 } from '../../../ton/boc-writer.ts'
import type { Cell } from '../../../ton/cell.ts'
import { addressIn, type Dialect } from '../dialect.ts'

/* JSON text of what transactions are made of: the same that scalars.ts and dialect.ts say as values. */

/** Standard base64. */
export const bytesJson = (bytes: Buffer): string => `"${bytes.toString('base64')}"`

/** A cell as a bag of cells; the empty text where there is none. */
export const bagJson = (cell: Cell | null): string => (cell ? `"${cellToBase64(cell)}"` : '""')

/** `accountAddress`. */
export const accountAddressJson = (dialect: Dialect, address: Address | undefined): string =>
  `{"@type":"accountAddress","account_address":"${addressIn(dialect, address)}"}`

/** `internal.transactionId`. */
export const transactionIdJson = ({ lt, hash }: TransactionId): string =>
  `{"@type":"internal.transactionId","lt":"${lt}","hash":${bytesJson(hash)}}`

const extraCurrencyJson = ({ id, amount }: ExtraCurrency): string =>
  `{"@type":"extraCurrency","id":${id},"amount":"${amount}"}`

/** A list of `extraCurrency`. */
export const extraCurrenciesJson = (currencies: readonly ExtraCurrency[]): string =>
  listJson(currencies, extraCurrencyJson)

/**
 * A list of what `write` gives for each. Joined, since text that was only put together keeps all its parts as long as nobody
 * has read it, in a cache of answers too: they take five times the memory.
 */
export const listJson = <T>(items: readonly T[], write: (item: T) => string): string =>
  items.length === 0 ? '[]' : `[${items.map(write).join(',')}]`
