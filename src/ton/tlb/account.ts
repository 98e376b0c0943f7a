import { isTonlithError } from '../../common/errors.ts'
import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { beginParse, type Slice } from '../slice.ts'
import { type CurrencyCollection, loadCurrencyCollection, storeCurrencyCollection } from './currency.ts'
import { loadMsgAddressInt, type MsgAddressInt, storeMsgAddressInt } from './msg-address.ts'
import { loadStateInit, type StateInit, storeStateInit } from './state-init.ts'
import { loadOldStorageInfo, loadStorageInfo, type StorageInfo, storeStorageInfo } from './storage-info.ts'
import { buildCell } from './tag.ts'

/** TL-B AccountState. */
export type AccountState =
  | { _: 'account_uninit' }
  | ({ _: 'account_active' } & StateInit)
  | { _: 'account_frozen'; state_hash: Buffer }

/** TL-B AccountStorage. */
export interface AccountStorage {
  last_trans_lt: bigint
  balance: CurrencyCollection
  state: AccountState
}

/** TL-B Account. */
export type Account =
  | { _: 'account_none' }
  | { _: 'account'; addr: MsgAddressInt; storage_stat: StorageInfo; storage: AccountStorage }

export type AccountStatus = 'acc_state_uninit' | 'acc_state_frozen' | 'acc_state_active' | 'acc_state_nonexist'

/** TL-B ShardAccount; `account` is for parseAccount. */
export interface ShardAccount {
  account: Cell
  last_trans_hash: Buffer
  last_trans_lt: bigint
}

const STATUSES: readonly AccountStatus[] = [
  'acc_state_uninit',
  'acc_state_frozen',
  'acc_state_active',
  'acc_state_nonexist',
]

/** TL-B AccountStatus. */
export const loadAccountStatus = (slice: Slice): AccountStatus => STATUSES[slice.uint(2)]!

/** TL-B ShardAccount. */
export const loadShardAccount = (slice: Slice): ShardAccount => ({
  account: slice.ref(),
  last_trans_hash: slice.bytes(32),
  last_trans_lt: slice.uintBig(64),
})

/** Writes TL-B ShardAccount. */
export const storeShardAccount = (builder: Builder, shardAccount: ShardAccount): Builder =>
  builder.ref(shardAccount.account).bytes(shardAccount.last_trans_hash).uint(shardAccount.last_trans_lt, 64)

const loadAccountState = (slice: Slice): AccountState => {
  if (slice.bit()) return { _: 'account_active', ...loadStateInit(slice) }
  return slice.bit() ? { _: 'account_frozen', state_hash: slice.bytes(32) } : { _: 'account_uninit' }
}

const loadAccount = (slice: Slice, loadStat: (slice: Slice) => StorageInfo): Account => {
  if (!slice.bit()) {
    slice.expectEnd()
    return { _: 'account_none' }
  }
  const account: Account = {
    _: 'account',
    addr: loadMsgAddressInt(slice),
    storage_stat: loadStat(slice),
    storage: {
      last_trans_lt: slice.uintBig(64),
      balance: loadCurrencyCollection(slice),
      state: loadAccountState(slice),
    },
  }
  slice.expectEnd()
  return account
}

/**
 * TL-B Account (the cell that ShardAccount refers to), with the storage statistics of today or of before 2025: what
 * fits the cell to its end. Code, data, libraries and extra currencies stay closed. Throws `malformed`.
 */
export const parseAccount = (cell: Cell): Account => {
  const slice = beginParse(cell)
  try {
    return loadAccount(slice.clone(), loadStorageInfo)
  } catch (error) {
    if (!isTonlithError(error, 'malformed')) throw error
    return loadAccount(slice, loadOldStorageInfo)
  }
}

const storeAccountState = (builder: Builder, state: AccountState): Builder => {
  switch (state._) {
    case 'account_uninit':
      return builder.uint(0, 2)
    case 'account_frozen':
      return builder.uint(1, 2).bytes(state.state_hash)
    case 'account_active':
      return storeStateInit(builder.bit(true), state)
  }
}

const storeAccountStorage = (builder: Builder, { last_trans_lt, balance, state }: AccountStorage): Builder =>
  storeAccountState(storeCurrencyCollection(builder.uint(last_trans_lt, 64), balance), state)

/** TL-B AccountStorage as a cell of its own: what an account's storage statistics count. */
export const buildAccountStorage = (storage: AccountStorage): Cell => buildCell(storeAccountStorage, storage)

const storeAccount = (builder: Builder, account: Account): void => {
  if (account._ === 'account_none') return void builder.bit(false)
  const { addr, storage_stat, storage } = account
  storeAccountStorage(storeStorageInfo(storeMsgAddressInt(builder.bit(true), addr), storage_stat), storage)
}

/** TL-B ^Account. */
export const buildAccount = (account: Account): Cell => buildCell(storeAccount, account)
