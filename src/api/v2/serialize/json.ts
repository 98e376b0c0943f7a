import type { ByteWriter } from '../../../common/byte-writer.ts'
import type { ExtraCurrency } from '../../../model/extra-currency.ts'
import type { TransactionId } from '../../../model/transaction-id.ts'
import { type Address, BOUNCEABLE, friendlyForm } from '../../../ton/address.ts'
import { passingBoc } from '../../../ton/boc-writer.ts'
import type { Cell } from '../../../ton/cell.ts'
import type { Dialect } from '../dialect.ts'

/* JSON text of what transactions are made of: the same that scalars.ts and dialect.ts say as values. */

/** A cell as a bag of cells in base64; nothing where there is none. */
export const writeBag = (out: ByteWriter, cell: Cell | null): void => {
  if (cell) out.base64(passingBoc(cell))
}

/** The account of rawAddressUpper. */
export const writeRawAddress = (out: ByteWriter, { workchain, hash }: Address): ByteWriter =>
  out.ascii(workchain === 0 ? '0:' : `${workchain}:`).hexUpper(hash)

/** An address as addressIn has it where no flags were given. */
export const writeAddress = (out: ByteWriter, dialect: Dialect, address: Address | undefined): void => {
  if (address === undefined) return
  if (dialect === 'spec') writeRawAddress(out, address)
  else out.base64Url(friendlyForm(address, BOUNCEABLE))
}

/** `accountAddress`. */
export const writeAccountAddress = (out: ByteWriter, dialect: Dialect, address: Address | undefined): void => {
  out.ascii('{"@type":"accountAddress","account_address":"')
  writeAddress(out, dialect, address)
  out.ascii('"}')
}

/** `internal.transactionId`. */
export const writeTransactionId = (out: ByteWriter, { lt, hash }: TransactionId): void => {
  out.ascii('{"@type":"internal.transactionId","lt":"').ascii(`${lt}`).ascii('","hash":"').base64(hash).ascii('"}')
}

const writeExtraCurrency = (out: ByteWriter, { id, amount }: ExtraCurrency): void => {
  out.ascii(`{"@type":"extraCurrency","id":${id},"amount":"${amount}"}`)
}

/** A list of `extraCurrency`. */
export const writeExtraCurrencies = (out: ByteWriter, currencies: readonly ExtraCurrency[]): void =>
  writeList(out, currencies, (currency) => writeExtraCurrency(out, currency))

/** A list of what `write` writes for each. */
export const writeList = <T>(out: ByteWriter, items: readonly T[], write: (item: T) => void): void => {
  out.ascii('[')
  for (let i = 0; i < items.length; i++) {
    if (i > 0) out.ascii(',')
    write(items[i]!)
  }
  out.ascii(']')
}
