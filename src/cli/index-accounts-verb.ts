import { existsSync } from 'node:fs'
import { TonlithError } from '../common/errors.ts'
import type { AccountsAction } from '../config/index-accounts-command.ts'
import type { AccountHistory } from '../model/account-history.ts'
import { addChosen, type ChosenStore, listChosen, openChosenStore, removeChosen } from '../store/chosen-accounts.ts'
import { dataFile } from '../store/disk.ts'
import { cameBack, readHistories } from '../store/histories.ts'
import { readScope } from '../store/index-scope.ts'
import { type IndexStore, indexFolder, openIndexStore } from '../store/index-store.ts'
import { type Address, rawAddress } from '../ton/address.ts'
import { addressOf, readAccountList } from './index-accounts.ts'
import { networkIn } from './index-network.ts'
import { textTable, timeText } from './text-table.ts'

/** What an index is about that is there already, and how far the histories of its accounts are. */
type Made = { accounts: readonly string[] | undefined; histories: ReadonlyMap<string, string> }

const completeText = (store: IndexStore, history: AccountHistory): string => {
  const { oldest_lt } = history
  if (oldest_lt === 0n) return 'none found: it had none, or was gone'
  return cameBack(store, history) ? `complete since it came back at lt ${oldest_lt}` : 'complete'
}

const historyText = (store: IndexStore, history: AccountHistory): string => {
  const { state, oldest_lt } = history
  if (state === 'complete') return completeText(store, history)
  if (state === 'under_way') return oldest_lt === 0n ? 'under way' : `under way, down to lt ${oldest_lt}`
  return state === 'cut' ? 'as far as it is kept' : state
}

/** Gives undefined where there is no index. */
const readMade = async (folder: string): Promise<Made | undefined> => {
  if (!existsSync(dataFile(folder))) return undefined
  const store = await openIndexStore(folder, await networkIn(folder), { readOnly: true })
  try {
    const histories = [...readHistories(store)].map(
      (one) => [rawAddress(one.address), historyText(store, one)] as const,
    )
    return { accounts: readScope(store), histories: new Map(histories) }
  } finally {
    await store.environment.close()
  }
}

const HEAD = ['ACCOUNT', 'SINCE', 'CHOSEN BY', 'HISTORY']

/** Those of the list, and what the index is about beside them: that stands in the file of its settings. */
const listLines = (store: ChosenStore, made: Made | undefined): string[] => {
  const chosen = listChosen(store)
  const known = new Set(chosen.map(({ address }) => address))
  const ofFile = (made?.accounts ?? []).filter((address) => !known.has(address))
  if (chosen.length + ofFile.length === 0)
    return [made && !made.accounts ? 'the index is about all accounts' : 'no account is chosen']
  const rows = [
    ...chosen.map(({ address, since }) => [address, timeText(since), 'list']),
    ...ofFile.map((address) => [address, '-', 'index_accounts']),
  ]
  return textTable([HEAD, ...rows.map((row) => [...row, made?.histories.get(row[0]!) ?? '-'])])
}

/** All addresses that were given, or none: the first one that is wrong is told, and where it stands. */
const addressesOf = (given: readonly string[], file: string | undefined): Address[] => {
  const named = given.map((text, i) => addressOf(text, `account ${i + 1} on the command line`))
  const ofFile = file === undefined ? [] : readAccountList(file)
  return [...named, ...ofFile]
}

const refuseWhole = (made: Made | undefined, folder: string): void => {
  if (!made || made.accounts) return
  throw new TonlithError(
    'invalid',
    `${folder} is about all accounts already: for an index of chosen ones name another --data, or remove the folder`,
  )
}

const accountsText = (count: number): string => (count === 1 ? '1 account' : `${count} accounts`)

const change = (
  { action }: Exclude<AccountsAction, { action: 'list' }>,
  addresses: readonly Address[],
  store: ChosenStore,
): string => {
  if (action === 'remove') return `removed ${accountsText(removeChosen(store, addresses))}`
  const before = listChosen(store).length
  const added = addChosen(store, addresses, Math.floor(Date.now() / 1000))
  return `added ${accountsText(added)} to ${before}`
}

/**
 * Shows and changes the list of chosen accounts of the index in a data folder, and prints what came of it once that is on
 * disk. A server that keeps the index follows by itself.
 * @throws TonlithError for what is no address, an account that is not in the list, an index of all accounts, and a folder
 * or file that cannot be used
 */
export const accountsVerb = async (
  action: AccountsAction,
  data: string,
  print: (line: string) => void,
): Promise<void> => {
  const addresses = action.action === 'list' ? [] : addressesOf(action.addresses, action.file)
  const folder = indexFolder(data)
  const made = await readMade(folder)
  if (action.action === 'add') refuseWhole(made, folder)
  const store = await openChosenStore(data)
  try {
    const lines = action.action === 'list' ? listLines(store, made) : [change(action, addresses, store)]
    await store.flushed()
    lines.forEach(print)
  } finally {
    await store.close()
  }
}
