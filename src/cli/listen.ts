import { TonlithError } from '../common/errors.ts'
import type { Address } from '../config/kinds.ts'

/** What is needed of Bun's server here. */
type Server = {
  port?: number | undefined
  stop(force?: boolean): Promise<void>
  reload(options: { routes: Record<string, never>; fetch(request: Request): Response | Promise<Response> }): unknown
}

/** What is needed of an Elysia app here. */
type App = {
  listen(options: { hostname: string; port: number; reusePort: boolean }): unknown
  compile(): unknown
  fetch(request: Request): Response | Promise<Response>
  server: Server | null
}

/** What answers HTTP now. */
export type Listening = {
  url: string
  /** Lets another app answer from now on, on the same port and the same connections. */
  replace(next: App): void
  /** No new connections; requests under way are answered first. */
  stop(): Promise<void>
}

/** Requests under way get this long to be answered before their connections are cut; the rest ends within the 2 s after that. */
const DRAIN_MS = 8_000

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use',
  EACCES: 'the system does not allow it',
  EADDRNOTAVAIL: 'it is no address of this machine',
}

/**
 * Starts to answer HTTP.
 * @throws TonlithError `invalid` when the address cannot be listened on
 */
export const listen = (app: App, { host, port }: Address): Listening => {
  const shown = host.includes(':') ? `[${host}]` : host
  try {
    app.listen({ hostname: host, port, reusePort: false })
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    throw new TonlithError('invalid', `cannot listen on ${shown}:${port}: ${REASONS[code ?? ''] ?? message}`, { cause })
  }
  return {
    url: `http://${shown}:${app.server?.port ?? port}`,
    replace: (next) => {
      next.compile()
      next.server = app.server
      app.server?.reload({ routes: {}, fetch: (request) => next.fetch(request) })
    },
    stop: async () => {
      const cut = setTimeout(() => void app.server?.stop(true), DRAIN_MS)
      await app.server?.stop()
      clearTimeout(cut)
    },
  }
}
