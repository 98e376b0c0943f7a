import type { AccountStatus } from '../model/account.ts'
import type { BatchAccount } from '../model/batch.ts'
import { NO_ACCOUNT_STATE } from '../model/no-account-state.ts'
import type { TransactionId } from '../model/transaction-id.ts'
import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { isWhole } from '../ton/partial-tree.ts'
import { type AccountState, parseAccount } from '../ton/tlb/account.ts'
import { extraCurrencies } from '../ton/tlb/currency.ts'
import { shardAccount } from '../ton/tlb/shard-state.ts'
import { parseHashUpdate, type Transaction } from '../ton/tlb/transaction.ts'

type StateFields = Pick<BatchAccount, 'status' | 'frozen_hash' | 'code_hash' | 'data_hash' | 'code' | 'data'>

const empty = (status: AccountStatus): StateFields => ({
  status,
  frozen_hash: null,
  code_hash: null,
  data_hash: null,
  code: null,
  data: null,
})

const stateFields = (state: AccountState): StateFields => {
  switch (state._) {
    case 'account_active': {
      const { code, data } = state
      return { ...empty('active'), code, data, code_hash: code?.hash(0) ?? null, data_hash: data?.hash(0) ?? null }
    }
    case 'account_frozen':
      return { ...empty('frozen'), frozen_hash: state.state_hash }
    case 'account_uninit':
      return empty('uninit')
  }
}

const extraFields = (other: Cell | null): Pick<BatchAccount, 'extra_currencies' | 'hidden_extra'> =>
  other && !isWhole(other, 0)
    ? { extra_currencies: [], hidden_extra: other }
    : { extra_currencies: extraCurrencies(other) }

/** An account that is not there (any more); `last` is the transaction after which it was gone. */
const noAccount = (address: Address, last: TransactionId): BatchAccount => ({
  ...NO_ACCOUNT_STATE,
  address,
  last_transaction: last,
  code: null,
  data: null,
})

/** The last transaction of an account in a block. */
export interface LastTransaction {
  id: TransactionId
  transaction: Transaction
}

/**
 * An account as a block leaves it. `accounts` is the visible part of the state after the block (TL-B ShardAccounts),
 * `last` its last transaction in the block. An account that was not there before the block and is not there behind it is
 * known by what that transaction says: the state does not show what did not change. Throws `malformed`.
 */
export const readBatchAccount = (address: Address, accounts: Cell, last: LastTransaction): BatchAccount => {
  const { new_hash } = parseHashUpdate(last.transaction.state_update)
  const entry = new_hash.equals(NO_ACCOUNT_STATE.state_hash) ? null : shardAccount(accounts, address.hash)
  if (!entry) return noAccount(address, last.id)
  const { last_trans_lt: lt, last_trans_hash: hash } = entry
  return readAccountState(address, entry.account, { lt, hash }) ?? noAccount(address, last.id)
}

/**
 * An account by its cell (TL-B Account, whole or as a block shows it) and its last transaction; undefined for
 * account_none. Throws `malformed`.
 */
export const readAccountState = (address: Address, cell: Cell, last: TransactionId): BatchAccount | undefined => {
  const account = parseAccount(cell)
  if (account._ === 'account_none') return undefined
  const { balance, state } = account.storage
  return {
    ...stateFields(state),
    address,
    state_hash: cell.hash(0),
    balance: balance.grams,
    ...extraFields(balance.other),
    last_transaction: last,
  }
}
