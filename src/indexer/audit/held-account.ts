import type { EntityKind } from '../../model/entities.ts'
import type { EntityRecord } from '../../model/entity-records.ts'
import type { AccountRecord } from '../../model/index-records.ts'
import { storedEntity, storedKinds } from '../../store/entity-rows.ts'
import { readScope } from '../../store/index-scope.ts'
import type { IndexStore } from '../../store/index-store.ts'
import { queryAccountStates } from '../../store/queries/accounts.ts'
import { readRanges } from '../../store/ranges.ts'
import { type Address, rawAddress } from '../../ton/address.ts'

/** Why an account need not be as the chain has it: others are chosen, or it may have changed in a gap. */
export type Unfollowed = 'not_chosen' | 'gap'

/** All that the index holds of an account. */
export interface HeldAccount {
  address: Address
  /** Undefined where a row tells what the account is, and none its state. */
  account: AccountRecord | undefined
  rows: EntityRecord<EntityKind>[]
  /** The masterchain block at which the account must be as it is held. */
  seqno: number
  unfollowed: Unfollowed | undefined
}

/**
 * Accounts (interned addresses) as one snapshot of the index has them; undefined where no masterchain block is indexed.
 * Throws `malformed` for a row that cannot be read.
 */
export const readHeldAccounts = (store: IndexStore, ids: readonly number[]): HeldAccount[] | undefined => {
  store.environment.renew()
  const { tables, addresses } = store
  const ranges = readRanges(tables)
  const newest = ranges.at(-1)
  if (!newest) return undefined
  const beforeGap = ranges.at(-2)?.last ?? -1
  const scope = readScope(store)
  const chosen = scope && new Set(scope)

  const unfollowed = (address: Address, mc_seqno: number | undefined): Unfollowed | undefined => {
    if (chosen && !chosen.has(rawAddress(address))) return 'not_chosen'
    return mc_seqno !== undefined && mc_seqno <= beforeGap ? 'gap' : undefined
  }

  return ids.map((id) => {
    const address = addresses.of(id)
    const [account] = queryAccountStates(store, [address])
    return {
      address,
      account,
      rows: storedKinds(store, address).flatMap((kind) => storedEntity(store, kind, address) ?? []),
      seqno: Math.max(newest.last, account?.mc_seqno ?? 0),
      unfollowed: unfollowed(address, account?.mc_seqno),
    }
  })
}
