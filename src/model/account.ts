import type { Address } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import { type AccountState, parseAccount, type AccountStatus as Status } from '../ton/tlb/account.ts'
import { type ExtraCurrency, readExtraCurrencies } from './extra-currency.ts'
import type { TransactionId } from './transaction-id.ts'

/** TL-B AccountStatus; `nonexist` stands for an account that the shard state does not hold. */
export type AccountStatus = 'nonexist' | 'uninit' | 'active' | 'frozen'

const STATUS: Record<Status, AccountStatus> = {
  acc_state_uninit: 'uninit',
  acc_state_frozen: 'frozen',
  acc_state_active: 'active',
  acc_state_nonexist: 'nonexist',
}

/** The status that a transaction names (TL-B AccountStatus). */
export const accountStatus = (status: Status): AccountStatus => STATUS[status]

/** An account as one block leaves it. */
export interface Account {
  address: Address
  status: AccountStatus
  /** Nano-units. */
  balance: bigint
  extra_currencies: ExtraCurrency[]
  last_transaction: TransactionId
  /** Only of an active account, and null where its StateInit has none. */
  code: Cell | null
  data: Cell | null
  /** TL-B account_frozen state_hash; null unless frozen. */
  frozen_hash: Buffer | null
}

/** An account together with where it was read. */
export interface AccountSnapshot extends Account {
  /** The masterchain block that the reading was pinned to. */
  block: BlockIdExt
  /** gen_utime (seconds) of the block whose state holds the account: the shard's block for a basechain account. */
  gen_utime: number
}

type StateFields = Pick<Account, 'status' | 'code' | 'data' | 'frozen_hash'>

const EMPTY: StateFields = { status: 'uninit', code: null, data: null, frozen_hash: null }

const stateFields = (state: AccountState): StateFields => {
  switch (state._) {
    case 'account_active':
      return { ...EMPTY, status: 'active', code: state.code, data: state.data }
    case 'account_frozen':
      return { ...EMPTY, status: 'frozen', frozen_hash: state.state_hash }
    case 'account_uninit':
      return EMPTY
  }
}

/**
 * Reads an account from its cell (TL-B Account; null where the shard state has no entry). `last_transaction` is what the
 * entry names, NO_TRANSACTION without one. Throws `malformed`.
 */
export const readAccountCell = (address: Address, cell: Cell | null, last_transaction: TransactionId): Account => {
  const account = cell && parseAccount(cell)
  if (!account || account._ === 'account_none') {
    return {
      ...EMPTY,
      status: 'nonexist',
      address,
      balance: 0n,
      extra_currencies: [],
      last_transaction,
    }
  }
  const { balance, state } = account.storage
  return {
    ...stateFields(state),
    address,
    balance: balance.grams,
    extra_currencies: readExtraCurrencies(balance.other),
    last_transaction,
  }
}
