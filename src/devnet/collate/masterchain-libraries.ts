import type { Cell } from '../../ton/cell.ts'
import { beginParse } from '../../ton/slice.ts'
import { loadShardAccount, parseAccount } from '../../ton/tlb/account.ts'
import type { WorkingAccount } from './accounts.ts'
import type { AccountImport } from './collation.ts'
import type { LibraryChange } from './public-libraries.ts'

const librariesOf = (cell: Cell): Cell | null => {
  const account = parseAccount(cell)
  if (account._ !== 'account' || account.storage.state._ !== 'account_active') return null
  return account.storage.state.library
}

/** The libraries that accounts bring along which a block puts in. Throws `malformed`. */
export const broughtLibraries = (imports: readonly AccountImport[]): LibraryChange[] =>
  imports.map(({ address, account }) => ({
    account: address.hash,
    before: null,
    after: librariesOf(loadShardAccount(beginParse(account)).account),
  }))

/** What the transactions of a block did to the libraries of these accounts. Throws `malformed`. */
export const changedLibraries = (accounts: readonly WorkingAccount[]): LibraryChange[] =>
  accounts
    .map(({ id, original, shardAccount }) => ({
      account: id,
      before: librariesOf(original),
      after: librariesOf(shardAccount.account),
    }))
    .filter(({ before, after }) => before !== after && !(before && after && before.hash().equals(after.hash())))
