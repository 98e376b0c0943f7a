import { accountOf, type MsgAddressInt } from '../../ton/tlb/msg-address.ts'
import { type Draft, idKey } from './draft.ts'

/**
 * True when messages to this account of the shard have to wait for a later block: this one puts the account in, or it is on
 * its way from outside. A block runs nothing on accounts that it puts in, so that everybody can see what they had.
 */
export const mustWait = (draft: Draft, dest: MsgAddressInt): boolean => {
  const awaits = draft.input.choices?.awaits
  if (draft.put_in.ids.size === 0 && !awaits) return false
  const address = accountOf(dest)
  if (!address) return false
  if (draft.put_in.ids.has(idKey(address.hash))) return true
  if (!awaits) return false
  const { existed, transactions } = draft.accounts.get(address.hash)
  return !existed && transactions.length === 0 && awaits(address)
}
