import { decodeActions } from '../../src/store/action-rows.ts'
import { decodeTransaction } from '../../src/store/codecs.ts'
import { decodeEntity, ENTITY_KINDS } from '../../src/store/entity-codec.ts'
import { transactionCell } from '../../src/store/find.ts'
import type { IndexStore } from '../../src/store/index-store.ts'
import { addressKey, readTxKey } from '../../src/store/keys.ts'
import { keysIn } from '../../src/store/scan.ts'
import { TABLE_NAMES, type TableName } from '../../src/store/tables.ts'
import { decodeTransfer } from '../../src/store/transfers.ts'

/** Tables whose key begins with an interned address. */
const BY_ADDRESS: readonly TableName[] = [
  'tx_by_account',
  'msg_by_source',
  'msg_by_destination',
  'traces_by_account',
  'actions_by_account',
  'accounts',
  'histories',
  'entity_kinds',
]

/** What these hold follows from the rows of other tables: indexFaults looks at them. */
const LISTS: readonly TableName[] = ['entity_lists', 'transfer_lists']

const ID_SIZE = 4

/** Everything in it as text. */
const textOf = (value: unknown): string => Bun.inspect(value, { depth: 20, sorted: true }).replaceAll(/\s+/g, ' ')

const hex = (bytes: Buffer): string => bytes.toString('hex')

/**
 * What an index holds, table by table, without what the order of arrival decides: addresses stand in place of the numbers
 * that they were given, and the cell of a transaction in place of where it was put.
 */
export const logicalDump = ({ tables, addresses }: IndexStore): Record<string, string[]> => {
  const addressOf = (id: number): string => (id === 0 ? 'none' : hex(addressKey(addresses.of(id))))

  const rowOf = (name: TableName, key: Buffer): string => {
    const value = tables[name].get(key)!
    if (name === 'transactions') {
      const { account, place: _, distance: __, hash, ...rest } = decodeTransaction(value)
      const cell = transactionCell(tables, readTxKey(key))!.hash()
      return [hex(key), addressOf(account), hex(hash), hex(cell), ...Object.values(rest)].join(' ')
    }
    if (name === 'address_ids') return hex(key)
    if (BY_ADDRESS.includes(name))
      return `${addressOf(key.readUInt32BE(0))} ${hex(key.subarray(ID_SIZE))}=${hex(value)}`
    if (name === 'accounts_by_balance') {
      const end = key.length - ID_SIZE
      return `${hex(key.subarray(0, end))} ${addressOf(key.readUInt32BE(end))}`
    }
    if (name === 'entities') {
      const kind = ENTITY_KINDS[key[0]!]!
      return `${kind} ${addressOf(key.readUInt32BE(1))} ${textOf(decodeEntity(kind, value, addresses))}`
    }
    if (name === 'actions') {
      const { listed, actions } = decodeActions(value)
      const told = actions.map((action) => ({ ...action, accounts: action.accounts.map(addressOf).sort() }))
      return `${hex(key)} ${textOf(listed.map(addressOf).sort())} ${textOf(told)}`
    }
    if (name === 'transfers') {
      const { kind, aborted, ...ids } = decodeTransfer(value)
      return [hex(key), kind, aborted, ...Object.values(ids).map(addressOf)].join(' ')
    }
    return `${hex(key)}=${hex(value)}`
  }

  const hidden: readonly TableName[] = ['addresses', 'tx_cells', ...LISTS]
  const shown = TABLE_NAMES.filter((name) => !hidden.includes(name))
  return Object.fromEntries(
    shown.map((name) => [name, Array.from(keysIn(tables[name], {}, 'asc'), (key) => rowOf(name, key)).sort()]),
  )
}
