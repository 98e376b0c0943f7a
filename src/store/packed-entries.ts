import { compareBytes } from '../common/compare-bytes.ts'
import type { PackedEntries } from '../model/packed-transactions.ts'
import type { Entry } from './entries.ts'
import { NO_VALUE, type TableName, type Tables } from './tables.ts'

/** The tables with entries of transactions and their messages, in the order in which these are packed. */
const PACKED_TABLES = [
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
] as const satisfies readonly TableName[]

/** Those whose keys begin with an interned address. */
const BY_ADDRESS: ReadonlySet<TableName> = new Set(['tx_by_account', 'msg_by_source', 'msg_by_destination'])

/** An entry, with the place from 1 on of the message with which it stands or falls; 0: it stands. */
export interface ClaimedEntry {
  entry: Entry
  claim: number
}

const NONE: readonly ClaimedEntry[] = []

const packed = (entries: readonly ClaimedEntry[]): PackedEntries => {
  const ascending = entries.toSorted((a, b) => compareBytes(a.entry[1], b.entry[1]))
  const size = ascending[0]?.entry[1].length ?? 0
  const keys = new Uint8Array(size * ascending.length)
  const claims = new Uint32Array(ascending.length)
  ascending.forEach(({ entry, claim }, i) => {
    const at = i * size
    const key = entry[1]
    for (let byte = 0; byte < size; byte++) keys[at + byte] = key[byte]!
    claims[i] = claim
  })
  return { size, keys, claims }
}

/** Packs entries of transactions and their messages, of which those of one table have keys of one size. */
export const packEntries = (entries: readonly ClaimedEntry[]): PackedEntries[] => {
  const byTable = Map.groupBy(entries, ({ entry }) => entry[0])
  return PACKED_TABLES.map((table) => packed(byTable.get(table) ?? NONE))
}

/** Neighbouring keys that begin with the same uint32: from where to where they stand. */
interface Run {
  head: number
  from: number
  to: number
}

const runsOf = (keys: Buffer, size: number): Run[] => {
  const runs: Run[] = []
  let last: Run | undefined
  for (let at = 0; at < keys.length; at += size) {
    const head = keys.readUInt32BE(at)
    if (last?.head === head) last.to = at + size
    else {
      last = { head, from: at, to: at + size }
      runs.push(last)
    }
  }
  return runs
}

/**
 * Puts what packEntries gave, ascending in each table.
 * @param ids the interned id of each place that stands for an address
 * @param stands for each message from 1 on: whether the entries are put that stand or fall with it
 */
export const putPacked = (
  tables: Tables,
  lists: readonly PackedEntries[],
  ids: readonly number[],
  stands: readonly boolean[],
): void => {
  for (const [i, table] of PACKED_TABLES.entries()) {
    const { size, claims, keys } = lists[i]!
    const all = Buffer.from(keys.buffer, keys.byteOffset, keys.length)
    const key = Buffer.allocUnsafe(size)
    const put = (from: number, to: number, change: (key: Buffer) => void): void => {
      for (let at = from; at < to; at += size) {
        const claim = claims[at / size]!
        if (claim > 0 && !stands[claim]) continue
        for (let i = 0; i < size; i++) key[i] = all[at + i]!
        change(key)
        tables[table].putSync(key, NO_VALUE)
      }
    }
    if (!BY_ADDRESS.has(table)) {
      put(0, all.length, () => {})
      continue
    }
    const runs = runsOf(all, size).map((run) => ({ ...run, id: ids[run.head]! }))
    for (const { from, to, id } of runs.sort((a, b) => a.id - b.id)) put(from, to, (key) => key.writeUInt32BE(id, 0))
  }
}
