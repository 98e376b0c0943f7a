import { bytesKey } from '../../common/bytes-key.ts'
import type { TransactionRecord } from '../../model/index-records.ts'
import type { IndexReader } from '../../store/queries/index-reader.ts'
import { goJson } from './go-json.ts'
import type { IhrFeeDays } from './network-version.ts'
import { message, type WrittenMessage } from './serialize/messages.ts'
import { transaction, type WrittenTransaction } from './serialize/transactions.ts'

/** Writes the transactions of one answer. */
export interface TransactionTexts {
  /** The addresses of all that was written: what the address book is to name. */
  readonly named: ReadonlySet<string>
  /** JSON. */
  write(record: TransactionRecord): string
  /** JSON, and what a trace's tree is made of. */
  writeNode(record: TransactionRecord): { text: string; node: Omit<WrittenTransaction, 'wire' | 'addresses'> }
}

/** Messages of which the other side may still be to come. */
const MOST_REMEMBERED = 4096

/** As `message`, once for both sides of a message that stand in one answer. */
const messageWriter = (): typeof message => {
  const written = new Map<string, WrittenMessage>()
  return (cell, context) => {
    const name = bytesKey(cell.hash()) + context.hasIhrFee
    const known = written.get(name)
    if (known) {
      written.delete(name)
      return known
    }
    if (written.size >= MOST_REMEMBERED) written.clear()
    const made = message(cell, context)
    written.set(name, made)
    return made
  }
}

/** Makes the writer of one answer's transactions. */
export const transactionTexts = (index: IndexReader, hasIhrFee: IhrFeeDays): TransactionTexts => {
  const named = new Set<string>()
  const stateByHash = (hash: Buffer) => index.stateByHash(hash)
  const writeMessage = messageWriter()
  const writeNode: TransactionTexts['writeNode'] = (record) => {
    const context = { hasIhrFee: hasIhrFee(index, record.mc_seqno), stateByHash, writeMessage }
    const { wire, addresses, ...node } = transaction(record, context)
    for (const each of addresses) named.add(each)
    return { text: goJson(wire), node }
  }
  return { named, writeNode, write: (record) => writeNode(record).text }
}
