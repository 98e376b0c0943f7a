import type { Settings } from '../config.ts'
import { startGateway } from './gateway.ts'
import { networkServers } from './network-servers.ts'
import { type SpawnWorkers, type Started, startParts } from './start-parts.ts'
import { createTrustStore } from './trust-store.ts'

/**
 * Answers HTTP from the liteservers of a network. Gives what was started.
 * @throws TonlithError when it cannot start; nothing runs then
 */
export const serve = (settings: Settings, print: (line: string) => void, spawn: SpawnWorkers): Promise<Started> =>
  startParts(settings, spawn, async (common) => {
    const servers = await networkServers(settings)
    const { url, adminUrl } = await startGateway({
      ...common,
      settings,
      network: settings.network,
      servers,
      freeKey: undefined,
      index: { home: settings.data, replaceable: false, moves: true },
      trustStore: createTrustStore(settings.data, common.logger),
    })
    if (adminUrl !== undefined) print(`admin ${adminUrl}`)
    print(`listening on ${url}`)
  })
