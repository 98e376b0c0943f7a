import type { BlockIdExt } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import { type PrevBlocks, readPrevBlocks } from '../ton/prev-blocks.ts'
import { mcStateExtraOf, parseMcStateHistory } from '../ton/tlb/mc-state-extra.ts'
import { parseShardStateTotals, parseShardStateUnsplit } from '../ton/tlb/shard-state.ts'
import { type TvmConfig, tvmConfig } from '../tvm/config.ts'
import type { ExecutionContext } from '../tvm/executor.ts'

/** What transactions see of the network: the same for all that refer to one masterchain block. */
export type ExecutionNetwork = Pick<ExecutionContext, 'config' | 'libraries' | 'prevBlocks'>

/** The configuration that was used last: states are opened anew, and it seldom changes. */
let lastConfig: { root: Cell; config: TvmConfig } | undefined

const configOf = (root: Cell): TvmConfig => {
  if (!lastConfig?.root.hash().equals(root.hash())) lastConfig = { root, config: tvmConfig(root) }
  return lastConfig.config
}

/**
 * The network as the masterchain block `id` leaves it with this state (TL-B ShardStateUnsplit). Transactions of a shard
 * block see that of the masterchain block which it refers to, those of a masterchain block that of the one before.
 * Throws `malformed`.
 */
export const executionNetwork = (id: BlockIdExt, state: Cell): ExecutionNetwork => {
  const root = parseShardStateUnsplit(state)
  const { config, history } = mcStateExtraOf(root)
  let prevBlocks: PrevBlocks | undefined
  return {
    config: configOf(config.config),
    libraries: parseShardStateTotals(root.totals).libraries,
    prevBlocks: () => {
      prevBlocks ??= readPrevBlocks(parseMcStateHistory(history), id)
      return prevBlocks
    },
  }
}
