import { TonlithError } from '../common/errors.ts'
import { isLoopbackHost } from '../common/loopback.ts'
import { createStopStack } from '../common/shutdown.ts'
import type { Settings } from '../config.ts'
import { openKeys } from './api-keys.ts'
import { listen } from './listen.ts'
import { type ServedNetworkOptions, serveNetwork } from './served-network.ts'

/** What `serve` and `dev` tell their common part. */
export type GatewayOptions = Omit<ServedNetworkOptions, 'keys'> & {
  /** An API key without a limit, where the settings give none. */
  freeKey: string | undefined
}

/** What answers HTTP. */
export interface Gateway {
  url: string
  /** Where operators ask, where they have a listener of their own. */
  adminUrl: string | undefined
  /**
   * Replaces all that was read of the network by what is read from now on: `change` is called while nothing reads, and
   * requests are answered with errors meanwhile. What `change` throws is passed on once there is reading again.
   */
  renew(change: () => Promise<void>): Promise<void>
}

/** What tells of the server is for whoever runs it: beyond this machine only with a token. */
const checkAdmin = ({ admin_listen: at, admin_token: token }: Settings): void => {
  if (!at || token !== undefined || isLoopbackHost(at.host)) return
  throw new TonlithError('invalid', `admin_listen is no loopback address (${at.host}): it needs an admin_token`)
}

/**
 * Starts what answers HTTP from liteservers; requests are answered when it is there.
 * @throws TonlithError `invalid` for a store of keys, a global config, a liteserver's key or an address that cannot be used
 */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { settings, network, logger, parts } = options
  checkAdmin(settings)
  const keys = await openKeys({
    data: settings.data,
    network,
    plans: () => settings.plans,
    freeKey: () => settings.api_key ?? options.freeKey,
    logger,
    parts,
  })
  const newStack = () => createStopStack((err) => logger.error({ err }, 'a part did not end well'))
  let mine = newStack()
  parts.add(() => mine.stop())
  const served = await serveNetwork({ ...options, keys, parts: mine })
  const server = listen(served.app, settings.listen)
  parts.add(server.stop)
  const admin = served.admin && listen(served.admin, settings.admin_listen!)
  if (admin) parts.add(admin.stop)
  served.startIndex()
  return {
    url: server.url,
    adminUrl: admin?.url,
    renew: async (change) => {
      await mine.stop()
      try {
        await change()
      } finally {
        mine = newStack()
        const next = await serveNetwork({ ...options, keys, parts: mine })
        server.replace(next.app)
        if (next.admin) admin?.replace(next.admin)
        next.startIndex()
      }
    },
  }
}
