import { bytesKey } from '../common/bytes-key.ts'
import { joinedBytes } from '../common/joined-bytes.ts'
import type { Batch, BatchTransaction } from '../model/batch.ts'
import type { PackedTransactions } from '../model/packed-transactions.ts'
import { transactionKey } from '../model/trace-changes.ts'
import type { Address } from '../ton/address.ts'
import { NO_ADDRESS } from './addresses.ts'
import { encodeTransaction } from './codecs.ts'
import { messageHashEntries, transactionEntries } from './entries.ts'
import { addressKey, messageKey, txKey } from './keys.ts'
import { type ClaimedEntry, packEntries } from './packed-entries.ts'
import { packCells, placesIn } from './transaction-cells.ts'
import { numbered, ownEntries } from './transaction-messages.ts'

/** Hashes of the internal messages that transactions send. */
const sentHashes = (transactions: readonly BatchTransaction[]): Set<string> => {
  const hashes = new Set<string>()
  for (const { out_msgs } of transactions) {
    for (const { kind, hash } of out_msgs) if (kind === 'internal') hashes.add(bytesKey(hash))
  }
  return hashes
}

/** Gives addresses places from 1 on, in the order in which they are met; NO_ADDRESS stands for null. */
const addressPlaces = () => {
  const keys: Buffer[] = []
  const ofObjects = new Map<Address, number>()
  const places = new Map<string, number>()
  const met = (address: Address): number => {
    const key = addressKey(address)
    return places.getOrInsertComputed(bytesKey(key), () => keys.push(key))
  }
  return {
    keys,
    intern: (address: Address | null): number => (address ? ofObjects.getOrInsertComputed(address, met) : NO_ADDRESS),
  }
}

const endsOf = (parts: readonly Buffer[]): Uint32Array<ArrayBuffer> => {
  let end = 0
  return Uint32Array.from(parts, ({ length }) => (end += length))
}

/**
 * Packs transactions of a masterchain block, ascending by their index in it, with the entries of their messages. An
 * internal message is listed by its sender where that is among them; by its taker else, unless the sender is stored.
 */
export const packTransactions = ({ mc, transactions }: Pick<Batch, 'mc' | 'transactions'>): PackedTransactions => {
  const addresses = addressPlaces()
  const sent = sentHashes(transactions)
  const cell_groups = packCells(transactions)
  const places = placesIn(cell_groups, transactions)
  const [keys, values, unsent]: [Buffer[], Buffer[], Buffer[]] = [[], [], []]
  const entries: ClaimedEntry[] = []
  transactions.forEach((transaction, i) => {
    const { account, id, now, block, index, in_msg } = transaction
    const key = txKey(transactionKey(mc.seqno, index))
    const row = { account: addresses.intern(account), lt: id.lt, now, position: block, ...places[i]!, hash: id.hash }
    keys.push(key)
    values.push(encodeTransaction(row))
    for (const entry of transactionEntries({ ...row, key, in_msg })) entries.push({ entry, claim: 0 })
    for (const [n, message] of numbered(transaction)) {
      const side = messageKey(key, n)
      for (const entry of messageHashEntries(side, message)) entries.push({ entry, claim: 0 })
      const isTaken = n === 0 && message.kind === 'internal'
      if (isTaken && sent.has(bytesKey(message.hash))) continue
      const claim = isTaken ? unsent.push(message.hash) : 0
      for (const entry of ownEntries(addresses, side, row, message)) entries.push({ entry, claim })
    }
  })
  return {
    count: transactions.length,
    addresses: joinedBytes(addresses.keys),
    cell_groups,
    keys: joinedBytes(keys),
    values: joinedBytes(values),
    ends: endsOf(values),
    entries: packEntries(entries),
    unsent: joinedBytes(unsent),
  }
}
