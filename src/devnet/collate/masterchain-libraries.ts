import type { Cell } from '../../ton/cell.ts'
import { parseAccount } from '../../ton/tlb/account.ts'
import type { WorkingAccount } from './accounts.ts'
import type { LibraryChange } from './public-libraries.ts'

const librariesOf = (cell: Cell): Cell | null => {
  const account = parseAccount(cell)
  if (account._ !== 'account' || account.storage.state._ !== 'account_active') return null
  return account.storage.state.library
}

/** What the transactions of a block did to the libraries of these accounts. Throws `malformed`. */
export const changedLibraries = (accounts: readonly WorkingAccount[]): LibraryChange[] =>
  accounts
    .map(({ id, original, shardAccount }) => ({
      account: id,
      before: librariesOf(original),
      after: librariesOf(shardAccount.account),
    }))
    .filter(({ before, after }) => before !== after && !(before && after && before.hash().equals(after.hash())))
