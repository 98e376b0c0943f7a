import type { Settings } from '../config.ts'
import { type GlobalConfig, loadGlobalConfig } from '../liteserver/global-config.ts'
import { knownNetwork } from '../liteserver/known-networks.ts'

/** The liteservers of a network that is built in, or of a global config. Throws `invalid` for one that cannot be used. */
export const serversOf = async (source: string): Promise<GlobalConfig> =>
  source === 'mainnet' || source === 'testnet' ? knownNetwork(source) : await loadGlobalConfig(source)

/** The liteservers of the network that the settings name. Throws `invalid` for a global config that cannot be used. */
export const networkServers = async ({
  global_config,
  network,
}: Pick<Settings, 'global_config' | 'network'>): Promise<GlobalConfig> => serversOf(global_config ?? network)
