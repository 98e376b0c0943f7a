import { TonlithError } from '../common/errors.ts'
import { type Address, rawAddress } from '../ton/address.ts'
import { addressKey, readAddressKey, u32Key } from './keys.ts'
import { type OperatorStore, openOperatorStore } from './operator.ts'

/** The operator's store, opened for the list of chosen accounts. */
export type ChosenStore = OperatorStore<'chosen_accounts' | 'revisions'>

/** An account that the operator has chosen. */
export interface ChosenAccount {
  /** Raw. */
  address: string
  /** When it was added: unix seconds. */
  since: number
}

const REVISION = Buffer.from('chosen_accounts')

/** Opens the list of chosen accounts of the index in this data folder. Throws as openEnvironment does. */
export const openChosenStore = (data: string, readOnly = false): Promise<ChosenStore> =>
  openOperatorStore(data, ['chosen_accounts', 'revisions'], readOnly)

/** How often the list has changed: 0 where nobody ever chose an account. Cheap to ask. */
export const chosenRevision = ({ tables }: ChosenStore): number => tables.revisions.get(REVISION)?.readUInt32BE(0) ?? 0

/** All chosen accounts, ascending by workchain and account id. */
export const listChosen = ({ tables }: ChosenStore): ChosenAccount[] =>
  Array.from(tables.chosen_accounts.getRange(), ({ key, value }) => ({
    address: rawAddress(readAddressKey(key)),
    since: value.readUInt32BE(0),
  }))

const raiseRevision = (store: ChosenStore): void => {
  store.tables.revisions.putSync(REVISION, u32Key(chosenRevision(store) + 1))
}

/**
 * Adds accounts that are chosen from `since` (unix seconds) on. Those that are in the list already stay as they are.
 * @returns how many are new
 * @throws TonlithError as Environment.transaction does
 */
export const addChosen = (store: ChosenStore, accounts: readonly Address[], since: number): number =>
  store.transaction(() => {
    let added = 0
    for (const key of accounts.map(addressKey)) {
      if (store.tables.chosen_accounts.get(key)) continue
      store.tables.chosen_accounts.putSync(key, u32Key(since))
      added++
    }
    if (added > 0) raiseRevision(store)
    return added
  })

/**
 * Takes accounts out of the list.
 * @returns how many these were
 * @throws TonlithError `notFound` when one is not in the list: none is taken out then; as Environment.transaction does
 */
export const removeChosen = (store: ChosenStore, accounts: readonly Address[]): number =>
  store.transaction(() => {
    const keys = new Map(accounts.map((account) => [rawAddress(account), addressKey(account)]))
    for (const [address, key] of keys) {
      if (!store.tables.chosen_accounts.removeSync(key))
        throw new TonlithError('notFound', `${address} is not in the list; tonlith index accounts list tells what is`)
    }
    if (keys.size > 0) raiseRevision(store)
    return keys.size
  })
