import type { Steps } from '../common/steps.ts'
import type { EntityKind } from '../model/entities.ts'
import type { Facts, KnownAccount } from '../model/known-account.ts'
import type { IndexReader } from '../store/queries/index-reader.ts'
import { type Address, rawAddress } from '../ton/address.ts'

/** What an account can be that a classifier asks for: kinds of the index, under the same names. */
const KINDS = [
  'jetton_wallet',
  'jetton_master',
  'nft_item',
  'getgems_sale',
  'getgems_auction',
  'dns_entry',
  'telemint',
  'multisig_order',
] as const satisfies readonly (EntityKind & keyof KnownAccount)[]

/** Accounts that are looked up in one step. */
const PIECE = 100

const NOTHING: KnownAccount = {}

/**
 * Looks up in the index what accounts are, by their latest states: what `classify` is to know of those that
 * `accountsToKnow` named. Throws what the index throws.
 */
export function* readKnownAccounts(
  index: Pick<IndexReader, 'entities' | 'accountStates'>,
  addresses: readonly Address[],
): Steps<Facts> {
  const known = new Map<string, KnownAccount>()
  const add = (address: Address, more: KnownAccount): void => {
    Object.assign(
      known.getOrInsertComputed(rawAddress(address), () => ({})),
      more,
    )
  }
  for (let at = 0; at < addresses.length; at += PIECE) {
    if (at > 0) yield
    const piece = addresses.slice(at, at + PIECE)
    for (const { address, code_hash } of index.accountStates(piece)) if (code_hash) add(address, { code_hash })
    for (const kind of KINDS)
      for (const { address, entity } of index.entities(kind, piece)) add(address, { [kind]: entity })
  }
  return (address) => known.get(rawAddress(address)) ?? NOTHING
}
