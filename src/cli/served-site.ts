import type { Logger } from '../common/logger.ts'
import { createStopStack, type StopStack } from '../common/shutdown.ts'
import type { Address } from '../config/kinds.ts'
import { type Listening, listen } from './listen.ts'
import type { ServedNetwork } from './served-network.ts'

export interface SiteOptions {
  /** Starts what reads the network; all of it ends with `parts`. */
  serve(parts: StopStack): Promise<ServedNetwork>
  at: Address
  /** Where operators ask, where they have a listener of their own. */
  adminAt: Address | undefined
  /** Other processes of ours listen at the same address. */
  shared: boolean
  /** Ends those while requests under way are answered here. */
  stopOthers?: (() => Promise<void>) | undefined
  logger: Logger
  parts: StopStack
}

/** A network that is served at an address, and can be served anew. */
export interface Site {
  server: Listening
  admin: Listening | undefined
  /** Ends all that reads the network; requests are answered with errors from now on. */
  pause(): Promise<void>
  /** Begins to read it anew, on the same connections. */
  resume(): Promise<void>
}

/**
 * Serves a network; requests are answered when it is there.
 * @throws TonlithError `invalid` for an address that cannot be used, and as `serve` does
 */
export const startSite = async (options: SiteOptions): Promise<Site> => {
  const { serve, at, adminAt, shared, stopOthers, logger, parts } = options
  const newStack = () => createStopStack((err) => logger.error({ err }, 'a part did not end well'))
  let mine = newStack()
  parts.add(() => mine.stop())
  const served = await serve(mine)
  const server = listen(served.app, at, shared)
  let admin: Listening | undefined
  // All at once: each may wait for its slowest caller as long as the whole end may take.
  parts.add(async () => {
    await Promise.all([server.stop(), admin?.stop(), stopOthers?.()])
  })
  if (served.admin && adminAt) admin = listen(served.admin, adminAt)
  served.startIndex()
  return {
    server,
    admin,
    pause: () => mine.stop(),
    resume: async () => {
      mine = newStack()
      const next = await serve(mine)
      server.replace(next.app)
      if (next.admin) admin?.replace(next.admin)
      next.startIndex()
    },
  }
}
