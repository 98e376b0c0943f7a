import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import type { TokenContent } from './token-content.ts'

/** What get_jetton_data tells (TEP-74). */
export interface JettonMaster {
  _: 'jetton_master'
  /** In the jetton's base units. */
  total_supply: bigint
  mintable: boolean
  /** Undefined where the jetton has no admin. */
  admin_address: Address | undefined
  jetton_content: TokenContent
  jetton_wallet_code: Cell
}

/** What get_wallet_data tells (TEP-74), of a wallet that its master knows. */
export interface JettonWallet {
  _: 'jetton_wallet'
  /** In the jetton's base units. */
  balance: bigint
  owner: Address
  /** The master. */
  jetton: Address
  /** Whether a wallet of a mintless jetton has taken its airdrop (TEP-177); undefined for all other wallets. */
  mintless_is_claimed: boolean | undefined
  jetton_wallet_code: Cell
}
