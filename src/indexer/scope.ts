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

const touches = ({ source, destination }: BatchMessage, scope: Scope): boolean =>
  scope.has(source) || scope.has(destination)

const isWanted = ({ account, in_msg, out_msgs }: BatchTransaction, scope: Scope): boolean =>
  scope.has(account) ||
  (in_msg !== null && touches(in_msg, scope)) ||
  out_msgs.some((message) => touches(message, scope))

/**
 * What an index keeps of a batch: all blocks; the transactions of the chosen accounts, and those that sent them a message
 * or took one of theirs; the states of the chosen accounts. What is kept has the same place as in the whole.
 */
export const selectBatch = (batch: Batch, scope: Scope | undefined): Batch =>
  scope === undefined
    ? batch
    : {
        ...batch,
        transactions: batch.transactions.filter((transaction) => isWanted(transaction, scope)),
        accounts: batch.accounts.filter(({ address }) => scope.has(address)),
      }
