import { isTonlithError } from '../common/errors.ts'
import type { Cell } from '../ton/cell.ts'
import { storeShardAccount } from '../ton/tlb/account.ts'
import { configParam } from '../ton/tlb/config-params.ts'
import { parseGlobalVersion } from '../ton/tlb/global-version.ts'
import { mcStateExtraOf } from '../ton/tlb/mc-state-extra.ts'
import { parseShardStateUnsplit, shardAccount } from '../ton/tlb/shard-state.ts'
import { buildCell, malformed } from '../ton/tlb/tag.ts'
import { tvmConfig } from '../tvm/config.ts'
import type { Executor } from '../tvm/executor.ts'
import { changeFault, withParam } from './collate/key-block-config.ts'
import { executionNetwork } from './execution-network.ts'
import type { SendingHead } from './external-message.ts'
import { CONFIG_ADDRESS } from './genesis/config.ts'

const GLOBAL_VERSION = 8
/** The producer gives the blocks of one step the same second, which older versions forbid; newer ones nothing here knows. */
const NETWORK_VERSION = 13

const configOf = (state: Cell): Cell => mcStateExtraOf(parseShardStateUnsplit(state)).config.config

/** True when the configuration of the head has this value already. */
export const hasParam = ({ state }: SendingHead, index: number, value: Cell): boolean =>
  configParam(configOf(state), index)?.hash().equals(value.hash()) === true

/** True when transactions can be made with the configuration: one of the config contract is tried. */
const runs = (executor: Executor, { id, state }: SendingHead, config: Cell): boolean => {
  const { accounts, gen_utime, gen_lt } = parseShardStateUnsplit(state)
  const entry = shardAccount(accounts, CONFIG_ADDRESS)
  if (!entry) throw malformed('masterchain state without the config contract')
  const network = { ...executionNetwork(id, state), config: tvmConfig(config) }
  const context = { ...network, now: gen_utime, lt: gen_lt + 1n, rand_seed: id.root_hash }
  try {
    executor.tickTock(buildCell(storeShardAccount, entry), 'tick', context)
    return true
  } catch (error) {
    if (isTonlithError(error, 'unsupported')) return false
    throw error
  }
}

/**
 * What forbids to set one parameter (int32 index) in a network that is to go on, null for nothing: what a node forbids, a
 * global version that the network does not make blocks of, or a value at which the emulator breaks.
 */
export const networkFault = async (
  executor: Executor,
  head: SendingHead,
  index: number,
  value: Cell,
): Promise<string | null> => {
  const config = configOf(head.state)
  const fault = changeFault(config, index, value)
  if (fault) return fault
  if (index === GLOBAL_VERSION && parseGlobalVersion(value).version !== NETWORK_VERSION)
    return `configuration parameter 8: the network makes blocks of global version ${NETWORK_VERSION} only`
  await executor.ready()
  const fits = runs(executor, head, withParam(config, index, value))
  await executor.ready()
  return fits ? null : `configuration parameter ${index} is not what it should be: no transaction can be made with it`
}
