import { accountIn, flagIn, needInteger, recordIn } from '../../contracts/fields.ts'
import type { Matcher } from '../classify/family.ts'
import { messageOf } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'
import { saidBy } from './dex-parts.ts'

const CREATE_POOL = 0x2e3034ef
const POOL_INIT = 0x441c39ed

/** A router of TONCO makes a pool. */
export const toncoDeployPool: Matcher = {
  name: 'TONCO pool',
  pattern: call(CREATE_POOL, { bare: true, child: call(POOL_INIT, { as: 'init' }) }),
  build: (start, match) => {
    const init = match.one('init')!
    const said = saidBy(start)
    const minters = recordIn(said, 'minter_cell')
    const { source, destination: router } = messageOf(start)
    const { destination: pool } = messageOf(init)
    return {
      btype: 'tonco_deploy_pool',
      content: {
        type: 'tonco_deploy_pool',
        details: {
          source,
          pool,
          router,
          router_jetton_wallet_1: accountIn(said, 'jetton_wallet0'),
          router_jetton_wallet_2: accountIn(said, 'jetton_wallet1'),
          jetton_minter_1: accountIn(minters, 'jetton0_minter'),
          jetton_minter_2: accountIn(minters, 'jetton1_minter'),
          tick_spacing: needInteger(said, 'tick_spacing'),
          initial_price_x96: needInteger(said, 'initial_price_x96'),
          protocol_fee: needInteger(said, 'protocol_fee'),
          lp_fee_base: needInteger(said, 'lp_fee_base'),
          lp_fee_current: needInteger(said, 'lp_fee_current'),
          pool_active: flagIn(saidBy(init), 'pool_active') ?? false,
        },
      },
      columns: { source, destination: router, destination_secondary: pool },
      failed: start.failed || init.failed,
    }
  },
}
