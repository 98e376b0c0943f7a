import { createStopStack } from '../common/shutdown.ts'
import { openKeys } from './api-keys.ts'
import { listen } from './listen.ts'
import { type ServedNetworkOptions, serveNetwork } from './served-network.ts'

/** What `serve` and `dev` tell their common part. */
export type GatewayOptions = Omit<ServedNetworkOptions, 'keys'> & {
  /** An API key without a limit. */
  freeKey: string | undefined
}

/** What answers HTTP. */
export interface Gateway {
  url: string
  /**
   * Replaces all that was read of the network by what is read from now on: `change` is called while nothing reads, and
   * requests are answered with errors meanwhile. What `change` throws is passed on once there is reading again.
   */
  renew(change: () => Promise<void>): Promise<void>
}

/**
 * Starts what answers HTTP from liteservers; requests are answered when it is there.
 * @throws TonlithError `invalid` for a store of keys, a global config, a liteserver's key or an address that cannot be used
 */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { settings, network, logger, parts } = options
  const keys = await openKeys({
    data: settings.data,
    network,
    plans: settings.plans,
    freeKey: options.freeKey,
    logger,
    parts,
  })
  const newStack = () => createStopStack((err) => logger.error({ err }, 'a part did not end well'))
  let mine = newStack()
  parts.add(() => mine.stop())
  const served = await serveNetwork({ ...options, keys, parts: mine })
  const server = listen(served.app, settings.listen)
  parts.add(server.stop)
  served.startIndex()
  return {
    url: server.url,
    renew: async (change) => {
      await mine.stop()
      try {
        await change()
      } finally {
        mine = newStack()
        const next = await serveNetwork({ ...options, keys, parts: mine })
        server.replace(next.app)
        next.startIndex()
      }
    },
  }
}
