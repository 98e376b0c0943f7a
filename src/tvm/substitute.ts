import { beginCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import { withRefs } from '../ton/data-cell.ts'
import { beginParse } from '../ton/slice.ts'
import {
  type Account,
  buildAccount,
  loadShardAccount,
  parseAccount,
  type ShardAccount,
  storeShardAccount,
} from '../ton/tlb/account.ts'
import { stateInitCell } from '../ton/tlb/state-init.ts'
import { buildCell, parseCell } from '../ton/tlb/tag.ts'
import { buildHashUpdate } from '../ton/tlb/transaction.ts'

type ExistingAccount = Extract<Account, { _: 'account' }>

/** A transaction (TL-B Transaction) and the account (TL-B ShardAccount) after it. */
export interface Outcome {
  transaction: Cell
  account: Cell
}

/** An account in the place of one with which the emulator breaks. */
export interface Substitute {
  /** TL-B ShardAccount. */
  account: Cell
  /** Makes of its transaction that of the account itself. */
  restore(outcome: Outcome): Outcome
}

/** Throws 2047, with no need of any argument. */
const THROWING_CODE = beginCell().uint(0xf2c7ff, 24).endCell()

/** TL-B Transaction keeps its state update in front of its description, which is the last of its cells. */
const withStateUpdate = (transaction: Cell, update: Cell): Cell => {
  const refs = Array.from({ length: transaction.refCount }, (_, i) => transaction.ref(i))
  return withRefs(transaction, refs.with(-2, update))
}

const substitute = (
  entry: ShardAccount,
  changed: ExistingAccount,
  restored: (after: ExistingAccount) => ExistingAccount,
): Substitute => ({
  account: buildCell(storeShardAccount, { ...entry, account: buildAccount(changed) }),
  restore: (outcome) => {
    const after = parseCell(outcome.account, loadShardAccount)
    const account = parseAccount(after.account)
    const cell = account._ === 'account' ? buildAccount(restored(account)) : after.account
    const update = buildHashUpdate({ old_hash: entry.account.hash(), new_hash: cell.hash() })
    const transaction = withStateUpdate(outcome.transaction, update)
    const last_trans_hash = transaction.hash()
    return { transaction, account: buildCell(storeShardAccount, { ...after, account: cell, last_trans_hash }) }
  },
})

const existing = (shardAccount: Cell): { entry: ShardAccount; account: ExistingAccount } | undefined => {
  const entry = loadShardAccount(beginParse(shardAccount))
  const account = parseAccount(entry.account)
  return account._ === 'account' ? { entry, account } : undefined
}

const withCurrencies = (account: ExistingAccount, other: Cell | null): ExistingAccount => {
  const { storage } = account
  return { ...account, storage: { ...storage, balance: { ...storage.balance, other } } }
}

/**
 * The account (TL-B ShardAccount) without its extra currencies: the emulator breaks when it is to send more of one than
 * there is, and does as a node does when there is none of any. Undefined for an account that has none.
 */
export const withoutCurrencies = (shardAccount: Cell): Substitute | undefined => {
  const found = existing(shardAccount)
  const other = found?.account.storage.balance.other
  if (!found || !other) return undefined
  return substitute(found.entry, withCurrencies(found.account, null), (after) => withCurrencies(after, other))
}

/**
 * The account (TL-B ShardAccount) with a code that fails at once (exit code 2047), for a contract at which the emulator
 * breaks whatever it is sent. Undefined for an account without code.
 */
export const withFailingCode = (shardAccount: Cell): Substitute | undefined => {
  const found = existing(shardAccount)
  const state = found?.account.storage.state
  if (!found || state?._ !== 'account_active') return undefined
  const { entry, account } = found
  const { used, storage_extra } = account.storage_stat
  const failing = { ...state, code: THROWING_CODE }
  return substitute(entry, { ...account, storage: { ...account.storage, state: failing } }, (after) => {
    const { storage, storage_stat } = after
    if (storage.state._ === 'account_frozen') {
      const frozen = { ...storage.state, state_hash: stateInitCell(state).hash() }
      return { ...after, storage: { ...storage, state: frozen } }
    }
    if (storage.state._ !== 'account_active') return after
    return { ...after, storage_stat: { ...storage_stat, used, storage_extra }, storage: { ...storage, state } }
  })
}
