import type { Address } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import type { ActionOf } from './content.ts'

/** TEP-74; `amount` in the jetton's base units, `forward_amount` in nano-units. The comment of an encrypted one is base64. */
export type JettonTransferDetails = {
  asset: Address | null
  sender: Address | null
  receiver: Address | null
  sender_jetton_wallet: Address | null
  receiver_jetton_wallet: Address | null
  amount: bigint
  comment: string | null
  is_encrypted_comment: boolean
  query_id: bigint
  response_destination: Address | null
  custom_payload: Cell | null
  forward_payload: Cell | null
  forward_amount: bigint
}

export type JettonBurnDetails = {
  owner: Address
  owner_jetton_wallet: Address
  asset: Address
  amount: bigint
}

/** `ton_amount` in nano-units: what the minter sends along. */
export type JettonMintDetails = {
  asset: Address
  receiver: Address | null
  receiver_jetton_wallet: Address | null
  amount: bigint | null
  ton_amount: bigint | null
}

export type JettonAction =
  | ActionOf<'jetton_transfer', JettonTransferDetails>
  | ActionOf<'jetton_burn', JettonBurnDetails>
  | ActionOf<'jetton_mint', JettonMintDetails>
