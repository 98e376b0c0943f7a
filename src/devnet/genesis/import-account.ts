import { isTonlithError, TonlithError } from '../../common/errors.ts'
import { MASTERCHAIN } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import { buildAccountStorage, loadShardAccount, parseAccount } from '../../ton/tlb/account.ts'
import { accountOf } from '../../ton/tlb/msg-address.ts'
import { parseCell } from '../../ton/tlb/tag.ts'
import type { AccountImport } from '../collate/collation.ts'
import { accountStorageUsed, type NewAccount, newShardAccount } from './account-cell.ts'

/** What a node lets an account grow to (TL-B SizeLimitsConfig: max_acc_state_cells). */
const MAX_CELLS = 65_536n
/** Deeper data cannot be worked with, and would take the state beyond what cells may nest. */
const MAX_DEPTH = 512
const MAX_GRAMS = (1n << 120n) - 1n

const SHARD_ACCOUNT_BITS = 256 + 64

const refuse = (what: string): TonlithError => new TonlithError('invalid', what)

/**
 * An account for the state of a network that has not seen it. Throws `invalid` where a node would not let it be: in another
 * workchain, too large, too deep, with an amount that is none.
 */
export const checkedImport = (account: NewAccount): AccountImport => {
  const { address, balance, state } = account
  if (address.workchain !== MASTERCHAIN && address.workchain !== 0)
    throw refuse(`there is no workchain ${address.workchain}`)
  if (balance.grams < 0n || balance.grams > MAX_GRAMS) throw refuse('the balance is no amount of nanotons')
  const storage = buildAccountStorage({ last_trans_lt: 0n, balance, state })
  if (storage.level !== 0) throw refuse('cells are missing: what a proof left out cannot be loaded')
  if (storage.depth() > MAX_DEPTH) throw refuse(`the account is deeper than ${MAX_DEPTH}`)
  if (accountStorageUsed(account).cells > MAX_CELLS) throw refuse(`the account has more than ${MAX_CELLS} cells`)
  return { address, account: newShardAccount(account) }
}

const accountCell = (cell: Cell): Cell =>
  !cell.exotic && cell.bits === SHARD_ACCOUNT_BITS && cell.refCount === 1
    ? parseCell(cell, loadShardAccount).account
    : cell

/**
 * An account of another network, as TL-B Account or ShardAccount, as if it had always been there: balance and state stay,
 * its transactions and the time of its storage start anew.
 * @param now unix seconds
 * @throws TonlithError `invalid` for a cell that is no account, for one that does not exist, and as `checkedImport`
 */
export const importAccount = (cell: Cell, now: number): AccountImport => {
  try {
    const account = parseAccount(accountCell(cell))
    if (account._ === 'account_none') throw refuse('the account does not exist')
    const { addr, storage, storage_stat } = account
    const address = addr._ === 'addr_std' && !addr.anycast ? accountOf(addr) : null
    if (!address) throw refuse('the account has no standard address')
    const { balance, state } = storage
    return checkedImport({ address, balance, state, last_paid: now, due_payment: storage_stat.due_payment })
  } catch (error) {
    if (isTonlithError(error, 'malformed')) throw refuse('the cells are no account')
    throw error
  }
}
