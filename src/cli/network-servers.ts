import type { Settings } from '../config.ts'
import { type GlobalConfig, loadGlobalConfig } from '../liteserver/global-config.ts'
import { knownNetwork } from '../liteserver/known-networks.ts'

/** The liteservers of the network that the settings name. Throws `invalid` for a global config that cannot be used. */
export const networkServers = async ({
  global_config,
  network,
}: Pick<Settings, 'global_config' | 'network'>): Promise<GlobalConfig> =>
  global_config ? await loadGlobalConfig(global_config) : knownNetwork(network)
