import { systemClock } from '../common/clock.ts'
import { TonlithError } from '../common/errors.ts'
import { isLoopbackHost } from '../common/loopback.ts'
import type { Settings } from '../config.ts'
import { openKeys } from './api-keys.ts'
import { createFurtherProcesses, type FurtherProcesses } from './first-peer.ts'
import { wireSettings } from './http-worker-messages.ts'
import { checkUnused } from './listen.ts'
import { type ServedNetworkOptions, serveNetwork } from './served-network.ts'
import { startSite } from './served-site.ts'
import type { CommonParts } from './start-parts.ts'

/** What `serve` and `dev` tell their common part. */
export type GatewayOptions = Omit<ServedNetworkOptions, 'keys' | 'peers'> & {
  onReload: CommonParts['onReload']
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

/** Before liteservers are dialled, which takes seconds where they do not answer. Throws `invalid`. */
const checkAddresses = ({ listen, admin_listen }: Settings): void => {
  checkUnused(listen, '--listen')
  if (admin_listen) checkUnused(admin_listen, '--admin-listen')
}

/** The further processes, where there are to be any. Throws `invalid` where there cannot be any. */
const furtherProcesses = ({ settings, dev, logger, onReload }: GatewayOptions): FurtherProcesses | undefined => {
  if (settings.http_workers === 1) return undefined
  if (process.platform !== 'linux')
    throw new TonlithError('invalid', 'http_workers is 1 on this system: only Linux spreads connections over processes')
  const further = createFurtherProcesses({ settings, dev, clock: systemClock, logger })
  onReload(further.settingsChanged)
  return further
}

/**
 * Starts what answers HTTP from liteservers; requests are answered when it is there.
 * @throws TonlithError `invalid` for a store of keys, a global config, a liteserver's key or an address that cannot be used
 */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { settings, network, servers, freeKey, index, logger, parts } = options
  checkAdmin(settings)
  checkAddresses(settings)
  const further = furtherProcesses(options)
  const plans = () => settings.plans
  const freeKeyNow = () => settings.api_key ?? freeKey
  const keys = await openKeys({ data: settings.data, network, plans, freeKey: freeKeyNow, logger, parts })
  const site = await startSite({
    serve: (mine) => serveNetwork({ ...options, keys, parts: mine, peers: further?.peers }),
    at: settings.listen,
    adminAt: settings.admin_listen,
    shared: further !== undefined,
    stopOthers: further?.stop,
    logger,
    parts,
  })
  const { server, admin } = site
  await further?.start(() => ({
    settings: wireSettings(settings),
    listen: server.at,
    network,
    servers,
    freeKey,
    home: index.home,
    dev: options.dev !== undefined,
    fork: options.arrive !== undefined,
  }))
  return {
    url: server.url,
    adminUrl: admin?.url,
    renew: async (change) => {
      await Promise.all([further?.pause(), site.pause()])
      try {
        await change()
      } finally {
        await site.resume()
        await further?.resume()
      }
    },
  }
}
