import { createLogger } from '../common/logger.ts'
import { createStopStack } from '../common/shutdown.ts'
import type { Settings } from '../config.ts'
import { loadGlobalConfig } from '../liteserver/global-config.ts'
import { knownNetwork } from '../liteserver/known-networks.ts'
import type { SpawnTvmWorker } from '../tvm/pool.ts'
import { startGateway } from './gateway.ts'
import { createTrustStore } from './trust-store.ts'
import { startTvm } from './tvm.ts'

/**
 * Answers HTTP from the liteservers of a network. Gives what ends it.
 * @throws TonlithError when it cannot start; nothing runs then
 */
export const serve = async (
  settings: Settings,
  print: (line: string) => void,
  spawnTvmWorker: SpawnTvmWorker,
): Promise<() => Promise<void>> => {
  const logger = createLogger(settings.log_level, settings.log)
  const parts = createStopStack((err) => logger.error({ err }, 'a part did not end well'))
  const tvm = startTvm(spawnTvmWorker)
  parts.add(tvm.stop)
  try {
    const servers = settings.global_config
      ? await loadGlobalConfig(settings.global_config)
      : knownNetwork(settings.network)
    const url = await startGateway({
      settings,
      network: settings.network,
      servers,
      tvm,
      freeKey: settings.api_key,
      logger,
      trustStore: createTrustStore(settings.data, logger),
      parts,
    })
    print(`listening on ${url}`)
    return parts.stop
  } catch (error) {
    await parts.stop()
    throw error
  }
}
