import { actionEntries, actionsAt } from './action-rows.ts'
import { missingEntries, surplusEntries } from './entity-check.ts'
import { readTxKey } from './keys.ts'
import { keysIn } from './scan.ts'
import type { TableName, Tables } from './tables.ts'
import { traceAt } from './write-traces.ts'

const LISTS: readonly TableName[] = ['actions_by_id', 'actions_by_type', 'actions_by_type_utime', 'actions_by_account']

/**
 * Differences between what is noted of actions, their lists and their traces, a line for each: none in a sound index.
 * @throws TonlithError `malformed` for a row that cannot be read
 */
export function* actionFaults({ tables }: { tables: Tables }): Generator<string> {
  const counts = new Map<TableName, number>(LISTS.map((name) => [name, 0]))
  for (const key of keysIn(tables.actions, {}, 'asc')) {
    const root = readTxKey(key)
    const trace = traceAt(tables, root)
    const what = `the row of actions at ${key.toString('hex')}`
    if (!trace) {
      yield `${what} is of no trace`
      continue
    }
    const wanted = actionEntries(trace, actionsAt(tables, root)!)
    for (const [table] of wanted) counts.set(table, (counts.get(table) ?? 0) + 1)
    yield* missingEntries(tables, wanted, what)
  }
  for (const [name, wanted] of counts) yield* surplusEntries(name, tables[name].getCount(), wanted)
}
