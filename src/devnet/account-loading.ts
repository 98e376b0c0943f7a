import { TonlithError } from '../common/errors.ts'
import type { Address } from '../ton/address.ts'
import type { BlockLoop } from './block-loop.ts'
import type { AccountImport } from './collate/collation.ts'
import { accountAtHead } from './external-message.ts'
import { sendingHead } from './opening.ts'
import type { StoredChain } from './stored-chain.ts'

type States = Parameters<typeof sendingHead>[0]

/** Which accounts came into the chain, and which were there already and are as they were. */
export interface LoadedAccounts {
  loaded: readonly Address[]
  present: readonly Address[]
}

/** A shard that is being split or merged takes accounts a few blocks later. */
const MAX_STEPS = 8

/** True when the newest blocks have the account. Throws `liteserver` for a workchain that does not exist. */
export const hasAccount = (chain: States, address: Address): boolean =>
  accountAtHead(sendingHead(chain), address) !== null

/**
 * Has accounts put into a chain that runs, and waits until blocks have them. Throws `internal` when none takes them, and as
 * Producer.step.
 */
export const loadAccounts = async (
  { chain, loop }: { chain: StoredChain; loop: Pick<BlockLoop, 'load'> },
  accounts: readonly AccountImport[],
): Promise<LoadedAccounts> => {
  const isMissing = ({ address }: AccountImport): boolean => !hasAccount(chain, address)
  let wanted: readonly AccountImport[] | undefined
  const missing = (): readonly AccountImport[] => {
    wanted ??= accounts.filter(isMissing)
    return wanted.filter(isMissing)
  }
  if (accounts.some(isMissing))
    for (let made = 0; made < MAX_STEPS && (made === 0 || missing().length > 0); made++) await loop.load(missing)
  if (missing().length > 0) throw new TonlithError('internal', 'no block takes the accounts; the log tells why')
  const loaded = new Set(wanted)
  return {
    loaded: accounts.filter((each) => loaded.has(each)).map(({ address }) => address),
    present: accounts.filter((each) => !loaded.has(each)).map(({ address }) => address),
  }
}
