import { TonlithError } from '../../common/errors.ts'
import type { TransactionRecord } from '../../model/index-records.ts'
import type { TransactionKey } from '../../model/trace-changes.ts'
import { seqnoOfKey } from '../../model/trace-changes.ts'
import type { AddressIds } from '../addresses.ts'
import type { TransactionRow } from '../codecs.ts'
import { transactionRow } from '../find.ts'
import { addressKey, readBlockKey, readTxKey, TRANSACTION_KEY_SIZE, txKey } from '../keys.ts'
import type { Tables } from '../tables.ts'
import { cellReader } from '../transaction-cells.ts'
import { positionKey } from '../write-blocks.ts'
import { rootOf, traceRootHash } from '../write-traces.ts'

/** What queries read from. */
export interface Source {
  tables: Tables
  addresses: AddressIds
}

/** Workchain, shard and seqno of a block. */
export type BlockPlace = TransactionRecord['block']

/** Says that a row is not there that another one leads to. */
export const missing = (what: string): TonlithError => new TonlithError('malformed', `index: ${what} is missing`)

/** The block at `position` among those that `mc_seqno` commits. */
export const blockPlace = (tables: Tables, mc_seqno: number, position: number): BlockPlace => {
  const key = tables.blocks_by_mc.get(positionKey(mc_seqno, position))
  if (!key) throw missing('a block of a transaction')
  return readBlockKey(key)
}

/** The row of a transaction that an index entry leads to. */
export const rowOf = (tables: Tables, key: TransactionKey): TransactionRow => {
  const row = transactionRow(tables, key)
  if (!row) throw missing('a transaction')
  return row
}

/** False for a transaction that went since its key was read. */
export const isStored = ({ tables }: Source, key: TransactionKey): boolean => tables.transactions.doesExist(txKey(key))

/** Those of some ranked keys, read before, that are still there. */
export function* storedOnly(source: Source, ranked: Iterable<Buffer>): Generator<Buffer> {
  for (const key of ranked) if (isStored(source, placeOf(key))) yield key
}

/** Hash of the root transaction of a trace. */
const traceId = (tables: Tables, root: TransactionKey): Buffer =>
  traceRootHash(tables, root) ?? rowOf(tables, root).hash

/** What `make` gives for a name, made once. */
export const remembered = <K, V>(make: (name: K) => V): ((name: K) => V) => {
  const made = new Map<K, V>()
  return (name) => {
    const known = made.get(name)
    if (known !== undefined) return known
    const value = make(name)
    made.set(name, value)
    return value
  }
}

/**
 * Reads transactions by their ranked keys, all in one turn: undefined for one that is gone. Throws `malformed` when one
 * cannot be read.
 */
const recordReader = ({ tables, addresses }: Source): ((ranked: Buffer) => TransactionRecord | undefined) => {
  const cellAt = cellReader(tables)
  const traceIdOf = remembered((root: TransactionKey) => traceId(tables, root))
  const blocksOf = remembered((mc_seqno: number) =>
    remembered((position: number) => blockPlace(tables, mc_seqno, position)),
  )
  return (ranked) => {
    const key = placeOf(ranked)
    const row = transactionRow(tables, key)
    if (!row) return undefined
    const { account, lt, now, position, hash } = row
    const cell = cellAt(key, row)
    if (!cell) throw missing('the cell of a transaction')
    const mc_seqno = seqnoOfKey(key)
    const root = rootOf(tables, key)
    return {
      account: addresses.of(account),
      id: { lt, hash },
      now,
      block: blocksOf(mc_seqno)(position),
      mc_seqno,
      trace_id: root === key ? hash : traceIdOf(root),
      cell,
    }
  }
}

/** Stored transactions by their ranked keys. Throws `malformed` when one is not there or cannot be read. */
export const transactionRecords = (source: Source, ranked: Iterable<Buffer>): TransactionRecord[] => {
  const read = recordReader(source)
  return Array.from(ranked, (key) => {
    const record = read(key)
    if (!record) throw missing('a transaction')
    return record
  })
}

/** As transactionRecords, of keys that were read before: without what is gone since then. */
export const storedRecords = (source: Source, ranked: readonly Buffer[]): TransactionRecord[] => {
  const read = recordReader(source)
  return ranked.flatMap((key) => read(key) ?? [])
}

/** The place at the end of a ranked key. */
export const placeOf = (ranked: Buffer): TransactionKey => readTxKey(ranked, ranked.length - TRANSACTION_KEY_SIZE)

/**
 * Puts transactions of one lt into the order of their accounts. Those of one masterchain block are stored in that order.
 */
export const byAccount =
  ({ tables, addresses }: Source) =>
  (group: Buffer[]): Buffer[] => {
    const places = group.map((ranked) => ({ ranked, place: placeOf(ranked) }))
    const [first] = places
    const oneBlock = places.every(({ place }) => seqnoOfKey(place) === seqnoOfKey(first!.place))
    if (oneBlock) return group.sort((a, b) => a.compare(b))
    return places
      .map(({ ranked, place }) => ({ ranked, account: addressKey(addresses.of(rowOf(tables, place).account)) }))
      .sort((a, b) => a.account.compare(b.account) || a.ranked.compare(b.ranked))
      .map(({ ranked }) => ranked)
  }
