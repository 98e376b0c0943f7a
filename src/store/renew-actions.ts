import type { NoteActions } from '../model/noted-action.ts'
import { seqnoOfKey } from '../model/trace-changes.ts'
import { removeActions } from './action-rows.ts'
import type { IndexStore } from './index-store.ts'
import { readTxKey } from './keys.ts'
import { firstKey, keysIn } from './scan.ts'
import type { Tables } from './tables.ts'
import { writeActions } from './write-actions.ts'
import { traceAt } from './write-traces.ts'

/** In `meta`: by which rules actions are noted, and up to where traces (by their keys) still are by older ones. */
const KEY = Buffer.from('actions')

interface Rules {
  rules: number
  /** Hex; null: none is. */
  below: string | null
}

/** Transactions of the traces that are classified in one transaction, and traces at most. */
const PIECE = { transactions: 200, traces: 100 }

const rulesIn = ({ meta }: Pick<Tables, 'meta'>): Rules | undefined => {
  const stored = meta.get(KEY)
  return stored && (JSON.parse(stored.toString()) as Rules)
}

const noteRules = ({ meta }: Pick<Tables, 'meta'>, rules: Rules): void => {
  meta.putSync(KEY, Buffer.from(JSON.stringify(rules)))
}

/** A key behind those of all traces. */
const BEHIND_ALL = 'ff'.repeat(8)

/** Settles by which rules actions are noted from now on: where they are other ones, all traces are to be noted again. */
export const settleRules = ({ environment, tables }: IndexStore, rules: number): void => {
  if (rulesIn(tables)?.rules === rules) return
  const isEmpty = firstKey(tables.traces, {}, 'asc') === undefined
  environment.transaction(() => noteRules(tables, { rules, below: isEmpty ? null : BEHIND_ALL }))
}

/**
 * The masterchain seqno below which what is noted of actions is still by other rules, or nothing is: only traces that
 * begin there are concerned. Undefined where that is over; Infinity before the first piece.
 */
export const renewedDownTo = ({ tables }: Pick<IndexStore, 'tables'>): number | undefined => {
  const below = rulesIn(tables)?.below
  if (below === undefined || below === null) return undefined
  return below === BEHIND_ALL ? Number.POSITIVE_INFINITY : seqnoOfKey(readTxKey(Buffer.from(below, 'hex')))
}

/**
 * Notes the actions of some traces again that are still noted by other rules, the newest first. False when there are none.
 * @throws TonlithError `unavailable` when the disk is full or gives no right to write
 */
export const renewActions = (store: IndexStore, note: NoteActions): boolean => {
  const { environment, tables, addresses } = store
  const noted = rulesIn(tables)
  if (!noted || noted.below === null) return false
  try {
    return environment.transaction(() => {
      let below: string | null = null
      let [transactions, traces] = [0, 0]
      for (const key of keysIn(tables.traces, { to: Buffer.from(noted.below!, 'hex') }, 'desc')) {
        if (transactions >= PIECE.transactions || traces >= PIECE.traces) break
        const trace = traceAt(tables, readTxKey(key))!
        removeActions(tables, trace)
        writeActions(store, { put: [trace], members: [] }, new Map(), note)
        transactions += trace.nodes
        traces++
        below = key.toString('hex')
      }
      noteRules(tables, { ...noted, below })
      return below !== null
    })
  } catch (error) {
    addresses.forget()
    throw error
  }
}
