import { TonlithError } from '../common/errors.ts'
import type { Address } from '../config/kinds.ts'

type Answers = (request: Request) => Response | Promise<Response>

/** What is needed of Bun's server here. */
type Server = {
  port?: number | undefined
  stop(force?: boolean): Promise<void>
  reload(options: { routes: Record<string, Answers>; fetch: Answers }): unknown
}

/** What is needed of an Elysia app here. */
type App = {
  config: {
    /** Options of Bun's server: limits, and routes that it finds by itself. */
    serve?: { idleTimeout?: number; maxRequestBodySize?: number; routes?: unknown }
  }
  /** Answers what none of the routes does. */
  fetch: Answers
  server: Server | null
}

/** What answers HTTP now. */
export type Listening = {
  url: string
  /** With the port that it got. */
  at: Address
  /** Lets another app answer from now on, on the same port and the same connections. */
  replace(next: App): void
  /** No new connections; requests under way are answered first. */
  stop(): Promise<void>
}

/** Requests under way get this long to be answered before their connections are cut; the rest ends within the 3 s after that. */
const DRAIN_MS = 7_000

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use',
  EACCES: 'the system does not allow it',
  EADDRNOTAVAIL: 'it is no address of this machine',
}

const inWords = (host: string): string => (host.includes(':') ? `[${host}]` : host)

const refusal = ({ host, port }: Address, cause: unknown): TonlithError => {
  const { code, message } = cause as NodeJS.ErrnoException
  return new TonlithError('invalid', `cannot listen on ${inWords(host)}:${port}: ${REASONS[code ?? ''] ?? message}`, {
    cause,
  })
}

/**
 * Looks whether an address can be listened on and nobody else does, also where several processes of ours are to share it:
 * another program of the same user that shares its own would get a part of their connections.
 * @param flag what names another address
 * @throws TonlithError `invalid` when it cannot be
 */
export const checkUnused = (at: Address, flag: string): void => {
  try {
    const probe = Bun.serve({ hostname: at.host, port: at.port, reusePort: false, fetch: () => new Response() })
    void probe.stop(true)
  } catch (cause) {
    const { message } = refusal(at, cause)
    throw new TonlithError('invalid', `${message}; ${flag} HOST:PORT names another address`, { cause })
  }
}

const limitsOf = ({ config: { serve } }: App) => ({
  development: false,
  ...(serve?.idleTimeout !== undefined && { idleTimeout: serve.idleTimeout }),
  ...(serve?.maxRequestBodySize !== undefined && { maxRequestBodySize: serve.maxRequestBodySize }),
})

const answersOf = (app: App) => ({
  routes: (app.config.serve?.routes ?? {}) as Record<string, Answers>,
  fetch: (request: Request) => app.fetch(request),
})

/**
 * Starts to answer HTTP.
 * @param shared other processes of ours listen there too, and each gets its share of the connections
 * @throws TonlithError `invalid` when the address cannot be listened on
 */
export const listen = (app: App, at: Address, shared = false): Listening => {
  const { host, port } = at
  let server: Server
  try {
    // Elysia's own `listen` merges all routes, and a turn later compiles and merges them again: a fifth of a start.
    server = Bun.serve({
      ...limitsOf(app),
      ...answersOf(app),
      hostname: host,
      port,
      reusePort: shared,
    })
  } catch (cause) {
    throw refusal(at, cause)
  }
  app.server = server
  const got = server.port ?? port
  return {
    url: `http://${inWords(host)}:${got}`,
    at: { host, port: got },
    replace: (next) => {
      next.server = server
      server.reload(answersOf(next))
    },
    stop: async () => {
      const cut = setTimeout(() => void server.stop(true), DRAIN_MS)
      await server.stop()
      clearTimeout(cut)
    },
  }
}
