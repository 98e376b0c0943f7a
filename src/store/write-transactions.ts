import type { Batch, BatchMessage, BatchTransaction } from '../model/batch.ts'
import { readBatchMessage } from '../model/batch-message.ts'
import { transactionKey } from '../model/trace-changes.ts'
import type { AddressIds } from './addresses.ts'
import { encodeTransaction, type TransactionRow } from './codecs.ts'
import { type Entry, messageEntries, messageHashEntries, transactionEntries } from './entries.ts'
import { type MessagePlace, messageCell, transactionRow } from './find.ts'
import { messageKey, txKey } from './keys.ts'
import type { Tables } from './tables.ts'
import { writeCells } from './transaction-cells.ts'
import { putEntries, removeEntries, sorted } from './write-entries.ts'

/** What writing messages asks of what is stored. */
export interface MessageSides {
  /** Where the internal message with this hash was sent. */
  sentAt(hash: Buffer): MessagePlace | undefined
  /** Where it was taken. */
  takenAt(hash: Buffer): MessagePlace | undefined
}

/** A message of a transaction with its place in it: 0 for the one that came in. */
export const numbered = (messages: Pick<BatchTransaction, 'in_msg' | 'out_msgs'>): [n: number, BatchMessage][] => [
  ...(messages.in_msg ? [[0, messages.in_msg] satisfies [number, BatchMessage]] : []),
  ...messages.out_msgs.map((message, i): [number, BatchMessage] => [i + 1, message]),
]

/** The entries that only one side of a message has, for the side with this key. */
export const ownEntries = (
  addresses: AddressIds,
  key: Buffer,
  { lt, now }: Pick<TransactionRow, 'lt' | 'now'>,
  message: BatchMessage,
): Entry[] =>
  messageEntries(message, {
    key,
    source: addresses.intern(message.source),
    destination: addresses.intern(message.destination),
    lt,
    now,
  })

/** As ownEntries, for a stored transaction. */
const storedEntries = (tables: Tables, addresses: AddressIds, { transaction, n }: MessagePlace): Entry[] => {
  const row = transactionRow(tables, transaction)
  const cell = messageCell(tables, { transaction, n })
  return row && cell ? ownEntries(addresses, messageKey(txKey(transaction), n), row, readBatchMessage(cell)) : []
}

/** Takes from a stored side of a message the entries that only one side has. */
const releaseMessage = (tables: Tables, addresses: AddressIds, place: MessagePlace): void =>
  removeEntries(tables, storedEntries(tables, addresses, place))

/** Gives them to it. */
export const claimMessage = (tables: Tables, addresses: AddressIds, place: MessagePlace): void =>
  putEntries(tables, storedEntries(tables, addresses, place))

/** Hashes of the internal messages that a batch sends. */
const sentHashes = (transactions: readonly BatchTransaction[]): Set<string> => {
  const hashes = new Set<string>()
  for (const { out_msgs } of transactions) {
    for (const { kind, hash } of out_msgs) if (kind === 'internal') hashes.add(hash.toString('latin1'))
  }
  return hashes
}

/**
 * Writes the transactions that a masterchain block commits, in their order, with the entries of their messages. An
 * internal message is listed once: by its sender, or by its taker as long as the sender is not stored.
 */
export const writeTransactions = (
  tables: Tables,
  addresses: AddressIds,
  stored: MessageSides,
  { mc, transactions, cell_groups }: Pick<Batch, 'mc' | 'transactions' | 'cell_groups'>,
): void => {
  const mc_seqno = mc.seqno
  const sent = sentHashes(transactions)
  const isListed = (n: number, { kind, hash }: BatchMessage): boolean =>
    n > 0 || kind !== 'internal' || !(sent.has(hash.toString('latin1')) || stored.sentAt(hash))

  const packed = cell_groups?.reduce((sum, { count }) => sum + count, 0)
  const places = writeCells(tables, mc_seqno, transactions, packed === transactions.length ? cell_groups : undefined)
  const entries: Entry[] = []
  transactions.forEach((transaction, i) => {
    const { account, id, now, block, index, in_msg } = transaction
    const key = txKey(transactionKey(mc_seqno, index))
    const row = {
      account: addresses.intern(account),
      lt: id.lt,
      now,
      position: block,
      ...places[i]!,
      hash: id.hash,
    }
    tables.transactions.putSync(key, encodeTransaction(row))
    entries.push(...transactionEntries({ ...row, key, in_msg }))
    for (const [n, message] of numbered(transaction)) {
      const side = messageKey(key, n)
      entries.push(...messageHashEntries(side, message))
      const taker = n > 0 && message.kind === 'internal' ? stored.takenAt(message.hash) : undefined
      if (taker) releaseMessage(tables, addresses, taker)
      if (isListed(n, message)) entries.push(...ownEntries(addresses, side, row, message))
    }
  })
  putEntries(tables, sorted(entries))
}
