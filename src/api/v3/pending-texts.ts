import type { PendingView, ShownTransaction } from '../../model/shown-trace.ts'
import { goJson } from './go-json.ts'
import { EXTRA_FLAGS_VERSION } from './network-version.ts'
import { transaction, type WrittenTransaction } from './serialize/transactions.ts'

/** A transaction of a trace that has not happened, as JSON, and what a trace's tree is made of. */
interface PendingText {
  text: string
  node: Omit<WrittenTransaction, 'wire' | 'addresses'>
}

/** Writes transactions that have not happened; the states of their accounts are those of their trace. */
export const pendingTexts = () => {
  const named = new Set<string>()
  return {
    /** The addresses of all that was written. */
    named,
    write: ({ states, global_version }: PendingView, record: ShownTransaction): PendingText => {
      const { wire, addresses, ...node } = transaction(record, {
        hasIhrFee: global_version !== undefined && global_version < EXTRA_FLAGS_VERSION,
        stateByHash: (hash) => states.get(hash.toString('hex')),
      })
      for (const each of addresses) named.add(each)
      return { text: goJson(wire), node }
    },
  }
}
