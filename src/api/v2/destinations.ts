import type { Exchange } from '../exchange.ts'
import type { Destination } from '../gate.ts'
import type { Admission } from '../middleware/admission.ts'
import type { Reply } from '../reply.ts'
import type { Dialect } from './dialect.ts'
import type { Method } from './method.ts'
import { refuseCaller } from './rest.ts'
import { createV2, type V2, type V2Deps } from './routes.ts'

const ANY_VERBS = 'GET, HEAD, POST, OPTIONS'

/** What API v2 under one base path is made of. */
export interface V2Parts<C> {
  readonly methods: readonly Method<C>[]
  readonly deps: Omit<V2Deps<C>, 'chain' | 'admitBatch'>
  readonly admit: Admission
  /** What everybody is answered from, and what callers are whose plan has liteservers of its own, by plan. */
  readonly chain: C
  readonly privateChains: ReadonlyMap<string, C>
}

/**
 * The destinations of API v2 under one base path ("/api/v2"), in one dialect. Each set of liteservers keeps answers of its
 * own: no plan waits for those of another.
 */
export const v2Destinations = <C>(
  base: string,
  dialect: Dialect,
  { methods, deps, admit, chain, privateChains }: V2Parts<C>,
): { paths: Map<string, Destination>; unknown: Destination } => {
  /** The first call of a batch was counted when it arrived. */
  const admitBatch = (exchange: Exchange, calls: number): Reply | undefined => {
    const refusal = calls > 1 ? admit(exchange, calls, 1) : undefined
    return refusal && refuseCaller(refusal, dialect)
  }
  const over = (read: C): V2 => createV2(methods, { ...deps, admitBatch, chain: read }, dialect)
  const common = over(chain)
  const byPlan = [...privateChains].map(([plan, read]) => [plan, over(read)] as const)

  const destination = (name: string): Destination => {
    const answer = common.at(name)
    const ofPlans = new Map(byPlan.map(([plan, v2]) => [plan, v2.at(name)]))
    return {
      route: `${base}/:method`,
      verbs: common.allowed(name) ?? ANY_VERBS,
      handle: (exchange) => {
        const refusal = admit(exchange)
        if (refusal) return refuseCaller(refusal, dialect, exchange.query('@extra'))
        return (ofPlans.get(exchange.plan) ?? answer)(exchange)
      },
    }
  }
  const paths = new Map(common.names.map((name) => [`${base}/${name}`, destination(name)]))
  return { paths, unknown: destination('') }
}
