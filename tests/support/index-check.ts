import { readBatchMessages } from '../../src/model/batch-message.ts'
import { actionFaults } from '../../src/store/action-check.ts'
import { decodeBlock } from '../../src/store/codecs.ts'
import { entityFaults, transferFaults } from '../../src/store/entity-check.ts'
import {
  blockEntries,
  type Entry,
  messageHashEntries,
  traceAccountEntry,
  traceEntries,
  transactionEntries,
} from '../../src/store/entries.ts'
import { sentAt, transactionCell, transactionRow } from '../../src/store/find.ts'
import type { IndexStore } from '../../src/store/index-store.ts'
import { hashKey, messageKey, readBlockKey, readTxKey, txKey } from '../../src/store/keys.ts'
import { keysIn } from '../../src/store/scan.ts'
import type { TableName } from '../../src/store/tables.ts'
import { numbered, ownEntries } from '../../src/store/transaction-messages.ts'
import { accountsOfTrace, rootOf, traceAt, transactionsOfTrace } from '../../src/store/write-traces.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { parseBlockInfo } from '../../src/ton/tlb/block-info.ts'

const INDEXES: readonly TableName[] = [
  'blocks_by_utime',
  'blocks_by_start_lt',
  'blocks_by_hash',
  'tx_by_hash',
  'tx_by_account',
  'tx_by_lt',
  'tx_by_now',
  'tx_by_opcode',
  'tx_by_body',
  'msg_by_hash',
  'msg_by_source',
  'msg_by_destination',
  'msg_by_opcode',
  'msg_by_body',
  'msg_by_lt',
  'msg_by_created_at',
  'traces_by_end_lt',
  'traces_by_end_utime',
  'traces_by_mc',
  'traces_by_account',
  'trace_txs',
]

/** Every index entry that the rows ask for. */
function* wantedEntries({ tables, addresses }: IndexStore): Generator<Entry> {
  for (const key of keysIn(tables.blocks, {}, 'asc')) {
    const { root_hash, file_hash, info } = decodeBlock(tables.blocks.get(key)!)
    yield* blockEntries({ ...readBlockKey(key), root_hash, file_hash }, parseBlockInfo(parseBocRoot(info)))
  }
  for (const bytes of keysIn(tables.transactions, {}, 'asc')) {
    const key = readTxKey(bytes)
    const row = transactionRow(tables, key)!
    const messages = readBatchMessages(transactionCell(tables, key)!)
    yield* transactionEntries({ ...row, key: bytes, in_msg: messages.in_msg })
    for (const [n, message] of numbered(messages)) {
      yield* messageHashEntries(messageKey(bytes, n), message)
      const hasSender = n === 0 && message.kind === 'internal' && sentAt(tables, message.hash) !== undefined
      if (!hasSender) yield* ownEntries(addresses, messageKey(bytes, n), row, message)
    }
    const root = rootOf(tables, key)
    if (root !== key) yield ['trace_txs', Buffer.concat([txKey(root), bytes])]
  }
  for (const bytes of keysIn(tables.traces, {}, 'asc')) {
    const trace = traceAt(tables, readTxKey(bytes))!
    yield* traceEntries(trace)
    const accounts = accountsOfTrace(tables, transactionsOfTrace(tables, trace.root))
    for (const account of accounts) yield traceAccountEntry(trace, account)
    if (!tables.transactions.doesExist(bytes)) yield ['tx_by_hash', hashKey(trace.root_hash, bytes)]
  }
}

/** Index entries that are missing or that nobody asks for, as texts: none in a sound index. */
export const indexFaults = (index: IndexStore): string[] => {
  const wanted = new Map(INDEXES.map((name) => [name, new Set<string>()]))
  for (const [table, key] of wantedEntries(index)) wanted.get(table)!.add(key.toString('hex'))
  const lists = [...entityFaults(index), ...transferFaults(index), ...actionFaults(index)]
  const entries = INDEXES.flatMap((table) => {
    const found = new Set(Array.from(keysIn(index.tables[table], {}, 'asc'), (key) => key.toString('hex')))
    const missing = wanted.get(table)!.difference(found)
    const surplus = found.difference(wanted.get(table)!)
    return [
      ...Array.from(missing, (key) => `${table} lacks ${key}`),
      ...Array.from(surplus, (key) => `${table} has ${key} too many`),
    ]
  })
  return [...entries, ...lists]
}
