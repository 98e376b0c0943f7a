import type { Registry } from 'prom-client'
import type { Clock } from '../../common/clock.ts'
import { type Json, stringifyJson } from '../../common/lossless-json.ts'
import { VERSION } from '../../common/version.ts'
import type { RequestMetrics } from '../middleware/metrics.ts'
import { jsonReply, type Replied, reply } from '../reply.ts'

/** Whether requests can be answered now, with the reason where they cannot. */
export interface Readiness {
  readonly ready: boolean
  readonly reason?: string
}

/** The state of the program by its parts. */
export type SystemStatus = { readonly [key: string]: Json }

/** What the system routes ask of the rest of the program. */
export interface SystemDeps {
  readonly clock: Clock
  readonly network: string
  readonly registry: Registry
  readonly requestMetrics: RequestMetrics
  readiness(): Readiness | Promise<Readiness>
  /** The program's state for operators; no address, key or path of the machine may stand in it. */
  status(): SystemStatus | Promise<SystemStatus>
  /** The metrics of several processes together; those of this one where it is left out. */
  metrics?(): Promise<string>
}

type Answers = Readonly<Record<string, () => Replied>>

/** GET routes that tell whoever asks whether the server lives and can answer, by path. */
export const openRoutes = (deps: Pick<SystemDeps, 'readiness'>): Answers => {
  const healthcheck = () => jsonReply(200, '"OK"')
  const ready = async () => {
    const { ready, reason } = await deps.readiness()
    return jsonReply(ready ? 200 : 503, stringifyJson(reason === undefined ? { ready } : { ready, reason }))
  }
  return {
    '/healthcheck': healthcheck,
    '/api/v2/healthcheck': healthcheck,
    '/ton/api/v2/healthcheck': healthcheck,
    '/ready': ready,
  }
}

/** GET routes for operators and their tools, by path. */
export const operatorRoutes = (deps: SystemDeps): Answers => {
  const startedAt = deps.clock.monotonic()
  const status = async () => {
    const uptime = Math.floor((deps.clock.monotonic() - startedAt) / 1000)
    return jsonReply(
      200,
      stringifyJson({ version: VERSION, network: deps.network, uptime_seconds: uptime, ...(await deps.status()) }),
    )
  }
  const ofThisProcess = async () => (await deps.registry.metrics()) + deps.requestMetrics.text()
  const metrics = async () =>
    reply(200, deps.registry.contentType, await (deps.metrics ? deps.metrics() : ofThisProcess()))
  return { '/status': status, '/metrics': metrics }
}
