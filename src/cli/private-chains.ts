import type { Chain } from '../chain/chain.ts'
import { TonlithError } from '../common/errors.ts'
import type { Plan } from '../common/plans.ts'
import { loadGlobalConfig } from '../liteserver/global-config.ts'
import type { Pool } from '../liteserver/pool.ts'
import { sameBlock } from '../ton/block-id.ts'
import { type LiveChainOptions, startLiveChain } from './live-chain.ts'

/** The liteservers of a plan's own, and reads through them. */
export interface PrivateChain {
  plan: string
  pool: Pool
  chain: Chain
}

/**
 * Starts live reads for each plan that has liteservers of its own. Their proofs are checked as those of all others are,
 * from the same zero state on.
 * @throws TonlithError `invalid` for a global config that cannot be used, or is of another network
 */
export const startPrivateChains = async (
  plans: readonly Plan[],
  common: Omit<LiveChainOptions, 'liteservers'>,
): Promise<PrivateChain[]> => {
  let { firstIndex } = common
  const started: Promise<PrivateChain>[] = []
  const configs = await Promise.all(
    plans.flatMap(({ name, globalConfig }) =>
      globalConfig === undefined ? [] : [loadGlobalConfig(globalConfig).then((config) => ({ plan: name, config }))],
    ),
  )
  for (const { plan, config } of configs) {
    if (!sameBlock(config.zeroState, common.zeroState))
      throw new TonlithError('invalid', `the global config of the plan ${plan} is of another network`)
    const { liteservers } = config
    started.push(startLiveChain({ ...common, liteservers, firstIndex }).then((live) => ({ plan, ...live })))
    firstIndex += liteservers.length
  }
  return await Promise.all(started)
}
