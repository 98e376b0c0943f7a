import type { Table } from './environment.ts'

/** One line of the schema document. Keys are written by keys.ts, values by codecs.ts. */
interface TableDefinition {
  key: string
  /** `-`: the key says it all. */
  value: string
  writer: string
  why: string
}

/**
 * The schema of the index. `tx` is the 7-byte place of a transaction, `msg` the 9-byte place of a message, `block` the
 * 16 bytes of workchain, shard and seqno, `id` an interned address (0: none), `hash8` the first 8 bytes of a hash.
 * An index entry leads to a row; where a hash was shortened, the row decides.
 *
 * An index of chosen accounts also holds masterchain blocks that do not stand in `ranges`: those with transactions of the
 * history of such an account. Of their blocks only those are there that hold one of its transactions, and the masterchain
 * block itself; they have no `shard_tops`. Lists of blocks show them like all others.
 */
export const TABLES = {
  meta: { key: 'name', value: 'bytes', writer: 'environment.ts', why: 'the stamp: store, version, network' },
  ranges: { key: 'first', value: 'last', writer: 'ranges.ts', why: 'indexed masterchain seqnos: the checkpoint' },

  addresses: { key: 'id', value: 'workchain, account', writer: 'addresses.ts', why: 'interned addresses' },
  address_ids: { key: 'workchain, account', value: 'id', writer: 'addresses.ts', why: 'the way back' },

  blocks: { key: 'block', value: 'BlockRow', writer: 'write-blocks.ts', why: 'what is kept of a block' },
  blocks_by_mc: { key: 'mc_seqno, position', value: 'block', writer: 'write-blocks.ts', why: 'committed by' },
  blocks_by_utime: { key: 'gen_utime, block', value: '-', writer: 'write-blocks.ts', why: 'default order' },
  blocks_by_start_lt: { key: 'start_lt, block', value: '-', writer: 'write-blocks.ts', why: 'filter' },
  blocks_by_hash: { key: 'hash8, block', value: '-', writer: 'write-blocks.ts', why: 'root hash and file hash' },
  shard_tops: { key: 'mc_seqno', value: 'block ids', writer: 'write-blocks.ts', why: 'shard state' },

  transactions: { key: 'tx', value: 'TransactionRow', writer: 'write-transactions.ts', why: 'by place' },
  tx_cells: { key: 'tx', value: 'packed BoCs', writer: 'transaction-cells.ts', why: 'groups of cells, by the first' },
  tx_by_hash: { key: 'hash8, tx', value: '-', writer: 'write-transactions.ts', why: 'look-up' },
  tx_by_account: { key: 'id, lt, tx', value: '-', writer: 'write-transactions.ts', why: 'history of an account' },
  tx_by_lt: { key: 'lt, tx', value: '-', writer: 'write-transactions.ts', why: 'default order' },
  tx_by_now: { key: 'now, lt, tx', value: '-', writer: 'write-transactions.ts', why: 'order with a time filter' },
  tx_by_opcode: { key: 'opcode, lt, tx', value: '-', writer: 'write-transactions.ts', why: 'opcode of the in_msg' },
  tx_by_body: { key: 'hash8, lt, tx', value: '-', writer: 'write-transactions.ts', why: 'body of the in_msg' },

  msg_by_hash: {
    key: 'hash8, msg',
    value: '-',
    writer: 'write-transactions.ts',
    why: 'hash and normalised, both sides',
  },
  msg_by_source: { key: 'id, lt, msg', value: '-', writer: 'write-transactions.ts', why: 'filter' },
  msg_by_destination: { key: 'id, lt, msg', value: '-', writer: 'write-transactions.ts', why: 'filter' },
  msg_by_opcode: { key: 'opcode, lt, msg', value: '-', writer: 'write-transactions.ts', why: 'filter' },
  msg_by_body: { key: 'hash8, lt, msg', value: '-', writer: 'write-transactions.ts', why: 'filter' },
  msg_by_lt: { key: 'lt, msg', value: '-', writer: 'write-transactions.ts', why: 'default order' },
  msg_by_created_at: { key: 'created_at, lt, msg', value: '-', writer: 'write-transactions.ts', why: 'time filter' },

  accounts: { key: 'id', value: 'AccountRow', writer: 'write-accounts.ts', why: 'latest state of an account' },
  accounts_by_balance: { key: 'balance descending, account', value: '-', writer: 'write-accounts.ts', why: 'top list' },
  account_states: { key: 'state hash', value: 'StateRow', writer: 'write-accounts.ts', why: 'states by hash' },
  codes: { key: 'code hash', value: '-', writer: 'write-accounts.ts', why: 'codes whose cells are kept' },
  account_cells: { key: 'hash16', value: 'CellRow', writer: 'account-cells.ts', why: 'codes, data of latest states' },

  histories: { key: 'id', value: 'AccountHistory', writer: 'histories.ts', why: 'how far chosen accounts are' },

  traces: { key: 'root tx', value: 'TraceRow', writer: 'write-traces.ts', why: 'traces without transactions' },
  trace_of: { key: 'tx', value: 'root tx', writer: 'write-traces.ts', why: 'trace of what is not a root' },
  trace_txs: { key: 'root tx, tx', value: '-', writer: 'write-traces.ts', why: 'all of a trace but the root' },
  traces_by_end_lt: { key: 'end_lt, root tx', value: '-', writer: 'write-traces.ts', why: 'default order' },
  traces_by_end_utime: { key: 'end_utime, end_lt, root tx', value: '-', writer: 'write-traces.ts', why: 'time filter' },
  traces_by_mc: { key: 'mc_seqno_end, root tx', value: '-', writer: 'write-traces.ts', why: 'filter, pruning' },
  traces_by_account: {
    key: 'id, end_lt, root tx',
    value: '-',
    writer: 'write-traces.ts',
    why: 'feed of an account; end_lt is the greatest number while messages are under way',
  },

  actions: {
    key: 'root tx',
    value: 'ActionsRow',
    writer: 'write-actions.ts',
    why: 'what decides of filters on actions',
  },
  actions_by_id: { key: 'hash8, root tx', value: '-', writer: 'write-actions.ts', why: 'look-up' },
  actions_by_type: { key: 'type, end_lt, root tx', value: '-', writer: 'write-actions.ts', why: 'filter, all traces' },
  actions_by_type_utime: {
    key: 'type, end_utime, end_lt, root tx',
    value: '-',
    writer: 'write-actions.ts',
    why: 'the same with a time filter',
  },
  actions_by_account: {
    key: 'id, end_lt, root tx',
    value: '-',
    writer: 'write-actions.ts',
    why: 'feed of an account, where traces_by_account lacks it: it is only named, or messages are under way',
  },

  entities: { key: 'kind, id', value: 'EntityRow', writer: 'write-entities.ts', why: 'what accounts are, as seen' },
  entity_kinds: { key: 'id', value: 'a bit per kind', writer: 'write-entities.ts', why: 'which rows an account has' },
  entity_lists: {
    key: 'list, ids or a value, rank, id',
    value: '-',
    writer: 'write-entities.ts',
    why: 'filters and orders, all lists of entity-entries.ts',
  },

  transfers: { key: 'tx', value: 'TransferRow', writer: 'write-transfers.ts', why: 'what a transaction moved' },
  transfer_lists: {
    key: 'list, id or now, lt, tx',
    value: '-',
    writer: 'write-transfers.ts',
    why: 'filters and orders, all lists of transfers.ts',
  },

  payment_marks: {
    key: 'tx',
    value: '-',
    writer: 'payment-marks.ts',
    why: 'may be payments, the end is not known yet',
  },
  payment_events: {
    key: 'number',
    value: 'PaymentRow',
    writer: 'payment-rows.ts',
    why: 'payments of transfers in the order in which they were found, for the payments store to take over',
  },
} as const satisfies Record<string, TableDefinition>

export type TableName = keyof typeof TABLES
export type Tables = Readonly<Record<TableName, Table>>

export const TABLE_NAMES = Object.keys(TABLES) as TableName[]

/** Value of an entry whose key says it all. */
export const NO_VALUE = Buffer.alloc(0)
