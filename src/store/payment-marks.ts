import type { TransactionKey } from '../model/trace-changes.ts'
import { readTxKey, txKey } from './keys.ts'
import { firstKey, keysIn } from './scan.ts'
import { NO_VALUE, type Tables } from './tables.ts'

type MarkTable = Pick<Tables, 'payment_marks'>

/** Marks a transaction that may be the payment of a transfer, until it is known what came of it. */
export const markPayment = ({ payment_marks }: MarkTable, key: TransactionKey): void =>
  void payment_marks.putSync(txKey(key), NO_VALUE)

export const unmarkPayment = ({ payment_marks }: MarkTable, key: TransactionKey): void =>
  void payment_marks.removeSync(txKey(key))

/** False while nothing is marked. Cheap. */
export const hasMarks = ({ payment_marks }: MarkTable): boolean => firstKey(payment_marks, {}, 'asc') !== undefined

/** All that is marked, in the order of the chain. */
export const markedPayments = ({ payment_marks }: MarkTable): TransactionKey[] =>
  Array.from(keysIn(payment_marks, {}, 'asc'), (key) => readTxKey(key))
