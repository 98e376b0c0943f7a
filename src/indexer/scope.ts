import type { AccountHistory } from '../model/account-history.ts'
import type { Batch, BatchMessage, BatchTransaction } from '../model/batch.ts'
import { type Address, rawAddress } from '../ton/address.ts'

/** Which accounts an index is about; undefined: all. */
export interface Scope {
  has(address: Address | null): boolean
}

/** The scope of some accounts, by their raw addresses. */
export const scopeOf = (accounts: readonly string[] | undefined): Scope | undefined => {
  if (!accounts) return undefined
  const known = new Set(accounts)
  return { has: (address) => address !== null && known.has(rawAddress(address)) }
}

/**
 * The accounts of which an index has all that touches them in a masterchain block: those that were chosen by then, and
 * those whose history is complete.
 */
export const scopeAt = (histories: readonly AccountHistory[]): ((mc_seqno: number) => Scope) => {
  const first = new Map(
    histories.map(({ address, state, since }) => [rawAddress(address), state === 'complete' ? 0 : since]),
  )
  return (mc_seqno) => ({
    has: (address) => address !== null && (first.get(rawAddress(address)) ?? Number.POSITIVE_INFINITY) <= mc_seqno,
  })
}

const touches = ({ source, destination }: BatchMessage, scope: Scope): boolean =>
  scope.has(source) || scope.has(destination)

const isWanted = ({ account, in_msg, out_msgs }: BatchTransaction, scope: Scope): boolean =>
  scope.has(account) ||
  (in_msg !== null && touches(in_msg, scope)) ||
  out_msgs.some((message) => touches(message, scope))

/**
 * What an index keeps of a batch: all blocks; the transactions of the chosen accounts, and those that sent them a message
 * or took one of theirs; the states of the chosen accounts, and of others that are `known` for their sake: the masters and
 * collections of what they hold. What is kept has the same place as in the whole.
 */
export const selectBatch = (
  batch: Batch,
  scope: Scope | undefined,
  known: (address: Address) => boolean = () => false,
): Batch =>
  scope === undefined
    ? batch
    : {
        ...batch,
        transactions: batch.transactions.filter((transaction) => isWanted(transaction, scope)),
        accounts: batch.accounts.filter(({ address }) => scope.has(address) || known(address)),
      }
