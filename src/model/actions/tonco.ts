import type { Address } from '../../ton/address.ts'
import type { ActionOf } from './content.ts'

export type ToncoDeployPoolDetails = {
  source: Address | null
  pool: Address | null
  router: Address | null
  router_jetton_wallet_1: Address | null
  router_jetton_wallet_2: Address | null
  jetton_minter_1: Address | null
  jetton_minter_2: Address | null
  tick_spacing: bigint
  initial_price_x96: bigint
  protocol_fee: bigint
  lp_fee_base: bigint
  lp_fee_current: bigint
  pool_active: boolean
}

export type ToncoAction = ActionOf<'tonco_deploy_pool', ToncoDeployPoolDetails>
