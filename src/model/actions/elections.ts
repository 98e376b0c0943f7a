import type { Address } from '../../ton/address.ts'
import type { ActionOf } from './content.ts'

/** `amount` in nano-units. */
export type ElectionDetails = {
  stake_holder: Address | null
  amount: bigint | null
}

export type ElectionAction =
  | ActionOf<'election_deposit', ElectionDetails>
  | ActionOf<'election_recover', ElectionDetails>
