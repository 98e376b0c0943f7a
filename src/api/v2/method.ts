import type { Json } from '../../common/lossless-json.ts'
import type { StopSignal } from '../../common/stop.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Query } from '../query.ts'
import type { Result } from './dialect.ts'
import type { Param } from './param.ts'

/** The topics of API v2; the same words name the files in methods/, in chain/ and in the tests. */
export const GROUPS = ['accounts', 'blocks', 'transactions', 'send', 'run-method', 'utils', 'config'] as const
export type Group = (typeof GROUPS)[number]

export type Verb = 'get' | 'post'
/** Read methods answer both verbs. */
export const GET_POST: readonly Verb[] = ['get', 'post']
/** Methods that send, and those whose parameters have no room in a query. */
export const POST: readonly Verb[] = ['post']

export type ParamsSpec = Readonly<Record<string, Param<unknown>>>
/** The typed values of a params spec. */
export type ParamsOf<P extends ParamsSpec> = {
  readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never
}

/** What a call gets beside its parameters. `C` names the chain functions that it needs. */
export interface CallContext<C> {
  readonly chain: C
  /** Aborted when the time for this answer is over; the caller then already gets 504. */
  readonly signal: StopSignal
}

/** One v2 method as written down in methods/: REST GET, REST POST, JSON-RPC and OpenAPI all come from it. */
export interface MethodSpec<P extends ParamsSpec, C> {
  name: string
  /** Other names that reach it; OpenAPI lists only `name`. */
  aliases?: readonly string[]
  group: Group
  /** One sentence for OpenAPI. */
  summary: string
  verbs: readonly Verb[]
  params: P
  /** The parameters whose bounds are checked first, in this order; the others follow in the order of `params`. */
  checkOrder?: readonly (keyof P & string)[]
  /** Rules between parameters, after all bounds; throws `invalid`. */
  validate?(values: ParamsOf<P>): void
  /** JSON schema of `result` in the spec dialect. */
  result: JsonSchema
  /** What its answers with other statuses mean, beside those that every method has; for OpenAPI. */
  errors?: Readonly<Record<number, string>>
  /**
   * Seconds for which the answer to these values may be given again (contracts/v2.md 4, 17.5, 20 #11): 1 for what follows
   * the head, long for what can never change. Equal questions that arrive meanwhile share one call.
   */
  cacheSeconds?(values: ParamsOf<P>): number
  /** Left out of OpenAPI. */
  hidden?: boolean
  call(values: ParamsOf<P>, ctx: CallContext<C>): Promise<Result> | Result
}

/** Where a request's parameters come from; a list may stand in more than one place there. */
export type ParamSource = (name: string, isList: boolean) => Json | undefined

/** A request whose parameters are read and checked. */
export interface PreparedCall<C> {
  /** Equal for equal questions, whatever their spelling; empty when the answer may not be shared. */
  readonly key: string
  /** Seconds for which the answer may be given again; undefined when it may not even be shared. */
  readonly cacheSeconds: number | undefined
  /** At once where the method needs nobody. */
  run(ctx: CallContext<C>): Result | Promise<Result>
}

/** An entry of the method table: the spec without its parameter types, plus the one way to call it. */
export interface Method<C>
  extends Omit<MethodSpec<ParamsSpec, C>, 'validate' | 'cacheSeconds' | 'call' | 'checkOrder'> {
  /** Reads and checks the parameters in the documented order. Throws `invalid` with the bare text. */
  prepare(source: ParamSource): PreparedCall<C>
  /** As prepare, of a query; what a kept one asks for is kept with it. */
  prepareQuery(query: Query): PreparedCall<C>
}

/** Makes a table entry from its spec. */
export const method = <const P extends ParamsSpec, C = unknown>(spec: MethodSpec<P, C>): Method<C> => {
  const { validate, cacheSeconds, call, checkOrder, ...described } = spec
  const names = Object.keys(spec.params)
  const order = [...new Set<string>([...(checkOrder ?? []), ...names])]
  const keyOf = (values: Record<string, unknown>): string =>
    names.reduce((key, name) => `${key},${spec.params[name]!.key(values[name])}`, spec.name)
  const prepare = (source: ParamSource): PreparedCall<C> => {
    const values: Record<string, unknown> = {}
    for (const name of names) {
      const param = spec.params[name]!
      values[name] = param.read(source(name, param.isList === true), name)
    }
    for (const name of order) spec.params[name]!.check?.(values[name], name)
    const typedValues = values as ParamsOf<P>
    validate?.(typedValues)
    const key = cacheSeconds ? keyOf(values) : ''
    return { key, cacheSeconds: cacheSeconds?.(typedValues), run: (ctx) => call(typedValues, ctx) }
  }
  if (names.length === 0) {
    const only = prepare(() => undefined)
    return { ...described, prepare: () => only, prepareQuery: () => only }
  }
  const kept = new WeakMap<Query, PreparedCall<C>>()
  const prepareQuery = (query: Query): PreparedCall<C> => {
    const known = kept.get(query)
    if (known) return known
    const prepared = prepare((name, isList) => (isList ? query.all(name) : query(name)))
    if (query.isKept) kept.set(query, prepared)
    return prepared
  }
  return { ...described, prepare, prepareQuery }
}
