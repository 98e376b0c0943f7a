import type { BatchMessage, BatchTransaction } from '../model/batch.ts'
import type { AddressIds } from './addresses.ts'
import type { TransactionRow } from './codecs.ts'
import { type Entry, messageEntries } from './entries.ts'

/** A message of a transaction with its place in it: 0 for the one that came in. */
export const numbered = (messages: Pick<BatchTransaction, 'in_msg' | 'out_msgs'>): [n: number, BatchMessage][] => [
  ...(messages.in_msg ? [[0, messages.in_msg] satisfies [number, BatchMessage]] : []),
  ...messages.out_msgs.map((message, i): [number, BatchMessage] => [i + 1, message]),
]

/** The entries that only one side of a message has, for the side with this key. */
export const ownEntries = (
  { intern }: Pick<AddressIds, 'intern'>,
  key: Buffer,
  { lt, now }: Pick<TransactionRow, 'lt' | 'now'>,
  message: BatchMessage,
): Entry[] =>
  messageEntries(message, {
    key,
    source: intern(message.source),
    destination: intern(message.destination),
    lt,
    now,
  })
