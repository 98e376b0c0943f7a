import type { Exchange } from '../exchange.ts'
import type { Replied } from '../reply.ts'
import { type CallDeps, createCaller } from './call.ts'
import type { Dialect } from './dialect.ts'
import { answerJsonRpc, type JsonRpcDeps } from './json-rpc.ts'
import type { Method } from './method.ts'
import { answerGet, answerPost, refuse } from './rest.ts'

export const JSON_RPC = 'jsonRPC'

/** What API v2 takes beside its methods. */
export type V2Deps<C> = CallDeps<C> & Pick<JsonRpcDeps<C>, 'readBody' | 'admitBatch'>

/** API v2 in one dialect. */
export interface V2 {
  /** The last parts of all its paths. */
  readonly names: readonly string[]
  /** What answers requests for the last part of a v2 path. */
  at(name: string): (exchange: Exchange) => Replied
  /** The verbs that such a path answers; undefined when there is no such path. */
  allowed(name: string): string | undefined
}

const byName = <C>(methods: readonly Method<C>[]): ReadonlyMap<string, Method<C>> =>
  new Map(methods.flatMap((method) => [method.name, ...(method.aliases ?? [])].map((name) => [name, method] as const)))

export const NOT_FOUND = { status: 404, error: 'Not Found' } as const

const verbsOf = (method: Method<never> | undefined): string | undefined =>
  method && [...method.verbs.flatMap((verb) => (verb === 'get' ? ['GET', 'HEAD'] : ['POST'])), 'OPTIONS'].join(', ')

/** API v2 in one dialect: REST and JSON-RPC over the method table. */
export const createV2 = <C>(methods: readonly Method<C>[], deps: V2Deps<C>, dialect: Dialect): V2 => {
  const table = byName(methods)
  const call = createCaller(deps, dialect)
  const rpc: JsonRpcDeps<C> = { ...deps, call, methods: table }
  const allowed: V2['allowed'] = (name) => (name === JSON_RPC ? 'POST, OPTIONS' : verbsOf(table.get(name)))
  const at: V2['at'] = (name) => {
    const method = table.get(name)
    const [gets, posts] = [method?.verbs.includes('get'), method?.verbs.includes('post')]
    const allow = allowed(name)
    return (exchange) => {
      const verb = exchange.request.method
      if (method && gets && (verb === 'GET' || verb === 'HEAD')) return answerGet(call, method, exchange)
      if (method && posts && verb === 'POST') return answerPost(call, method, exchange, deps.readBody)
      if (name === JSON_RPC && verb === 'POST') return answerJsonRpc(rpc, exchange)
      const extra = exchange.query('@extra')
      if (allow === undefined) return refuse(NOT_FOUND, undefined, extra)
      return refuse({ status: 405, error: `method ${verb} is not supported` }, { allow }, extra)
    }
  }
  return { names: [...table.keys(), JSON_RPC], at, allowed }
}
