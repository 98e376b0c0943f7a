import type { Address } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import type { ActionOf } from './content.ts'

/** `amount` in nano-units: what the message that the wallet is to send carries. */
export type VestingSendMessageDetails = {
  query_id: bigint
  message_boc: Cell
  source: Address | null
  vesting: Address | null
  destination: Address | null
  amount: bigint | null
}

export type VestingAddWhitelistDetails = {
  query_id: bigint
  accounts_added: Address[]
  source: Address | null
  vesting: Address | null
}

export type VestingAction =
  | ActionOf<'vesting_send_message', VestingSendMessageDetails>
  | ActionOf<'vesting_add_whitelist', VestingAddWhitelistDetails>
