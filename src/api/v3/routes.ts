import type { Clock } from '../../common/clock.ts'
import { isTonlithError, TonlithError } from '../../common/errors.ts'
import type { DocumentOf } from '../../model/token-info.ts'
import type { IndexReader } from '../../store/queries/index-reader.ts'
import type { Exchange } from '../exchange.ts'
import { within } from '../middleware/timeout.ts'
import { jsonReply, type Reply, type ReplyHeaders } from '../reply.ts'
import type { BodyReader } from '../request-body.ts'
import { fieldOf, takeObject } from '../v2/body.ts'
import { bodyFailureHeaders, callFailure, type Failure, requestError } from '../v2/errors.ts'
import { createAddressBook } from './address-book.ts'
import { awaitSeqno } from './await-seqno.ts'
import { callError, indexFailure, refuse } from './errors.ts'
import { rangesText } from './indexed-range.ts'
import { createKnownCodes } from './known-codes.ts'
import { createMetadata } from './metadata.ts'
import type { Answer, CallContext, Method, Prepared } from './method.ts'
import { createIhrFeeDays } from './network-version.ts'
import { parametersOf, type SentParameters, sentParameters, type Wishes, wishesOf } from './query-parameters.ts'
import { createTextWriter, type HeldText, type TextWriter } from './text-writer.ts'

/** What API v3 takes beside its methods. */
export interface V3Deps {
  readonly clock: Clock
  /** Milliseconds that an answer may take before the caller gets 504. */
  readonly requestMs: number
  /** Calls that may be under way at once; more are refused with 503. */
  readonly maxCalls: number
  readonly readBody: BodyReader
  /** Whether friendly addresses say that they are of a test network. */
  readonly testOnly: boolean
  /** The index; undefined where there is none. */
  index(): IndexReader | undefined
  /** What the URIs of tokens led to; undefined where none is fetched. */
  documents(): DocumentOf | undefined
  /** Makes of a failure what callers of this API get; left out, they get it as it is. */
  readonly failureOf?: ((failure: Failure) => Failure) | undefined
  /** Is told when a row of the index cannot be written as an answer. */
  damaged(reason: string): void
}

/** API v3. */
export interface V3<C> {
  /** All its paths, without what they are under. */
  readonly names: readonly string[]
  /** Answers a request for one of its paths, live reads going through `chain`. Never throws. */
  handle(exchange: Exchange, name: string, chain: C): Promise<Reply>
  /** The verbs that a path answers; undefined when there is no such path. */
  allowed(name: string): string | undefined
}

interface Asked<C> {
  prepared: Prepared<C>
  wishes: Wishes
}

const NOT_FOUND = { status: 404, error: 'Not Found' } as const
const BUSY = { status: 503, error: 'too many calls under way' } as const
/** A body has all that a call says but for its headers. */
const NONE: SentParameters = new Map()
/** Nothing is going to be fetched: what stands on the chain is all. */
const noDocument: DocumentOf = () => ({ _: 'failed' })
const VERBS = { get: ['GET', 'HEAD'], post: ['POST'] } as const

const takes = ({ verb }: Method<never>, sent: string): boolean => VERBS[verb].some((each) => each === sent)

/** API v3 over its method table. */
export const createV3 = <C>(methods: readonly Method<C>[], deps: V3Deps): V3<C> => {
  const { clock, requestMs, maxCalls, readBody, testOnly } = deps
  const table = Map.groupBy(
    methods.flatMap((method) => [method.name, ...(method.aliases ?? [])].map((name) => ({ name, method }))),
    ({ name }) => name,
  )
  const failureOf = deps.failureOf ?? ((failure: Failure) => failure)
  const codes = createKnownCodes()
  const hasIhrFee = createIhrFeeDays()
  const held: HeldText = { characters: 0 }
  let underWay = 0

  /** What every answer tells of the index; nothing while it cannot be read. */
  const indexHeaders = (): ReplyHeaders => {
    try {
      const index = deps.index()
      const ranges = index?.ranges() ?? []
      const newest = ranges.at(-1)
      const scope = index?.isOfChosen() ? { 'x-index-scope': 'chosen-accounts' } : {}
      return newest ? { 'x-index-seqno': String(newest.last), 'x-index-range': rangesText(ranges), ...scope } : {}
    } catch (error) {
      if (isTonlithError(error)) return {}
      throw error
    }
  }

  const contextOf = (chain: C, signal: AbortSignal, wishes: Wishes, writer: TextWriter): CallContext<C> => {
    const index = deps.index()
    return {
      chain,
      signal,
      writer,
      codes,
      hasIhrFee,
      actionsVersion: wishes.actionsVersion,
      hasIndex: index?.seqno() !== undefined,
      index: () => {
        if (!index) throw new TonlithError('unavailable', 'no index can be read here: /status tells why', { code: 503 })
        return index
      },
      book: createAddressBook({ index, codes, writer, testOnly, wanted: wishes.addressBook }),
      metadata: createMetadata({ index, documentOf: deps.documents() ?? noDocument, writer, wanted: wishes.metadata }),
    }
  }

  const run = async ({ prepared, wishes }: Asked<C>, exchange: Exchange, chain: C): Promise<[Answer, ReplyHeaders]> => {
    const ms = Math.min(requestMs, wishes.timeoutMs ?? requestMs)
    const controller = new AbortController()
    const { signal } = controller
    const { writer, end } = createTextWriter(clock, signal, held)
    const work = async (): Promise<[Answer, ReplyHeaders]> => {
      await writer.rest()
      const context = contextOf(chain, signal, wishes, writer)
      if (wishes.minSeqno !== undefined) await awaitSeqno(context.index(), wishes.minSeqno, { clock, ms, signal })
      const headers = indexHeaders()
      return [await prepared(context), headers]
    }
    underWay++
    try {
      return await within({ ms, signal: () => exchange.request.signal }, work(), () => controller.abort())
    } finally {
      end()
      underWay--
    }
  }

  const answer = async (asked: Asked<C>, method: Method<C>, exchange: Exchange, chain: C): Promise<Reply> => {
    if (underWay >= maxCalls) return refuse(BUSY, indexHeaders())
    try {
      const [{ text, next }, headers] = await run(asked, exchange, chain)
      const cursor = next ? { 'x-next-cursor': next.toString('base64url') } : {}
      return jsonReply(200, text, { ...headers, ...cursor })
    } catch (error) {
      const readsIndex = method.verb === 'get' && method.needsIndex
      exchange.error = callError(error, { readsIndex, hurried: (asked.wishes.timeoutMs ?? requestMs) < requestMs })
      if (readsIndex && isTonlithError(error, 'malformed')) deps.damaged(error.message)
      return refuse(failureOf(readsIndex ? indexFailure(error) : callFailure(error)), indexHeaders())
    }
  }

  const ask = async (method: Method<C>, exchange: Exchange): Promise<Asked<C> | Reply> => {
    try {
      if (method.verb === 'get') {
        const { request } = exchange
        const sent = sentParameters(request.url)
        const prepared = method.prepare(parametersOf(sent, method.params))
        return { prepared, wishes: wishesOf(request.headers, sent) }
      }
      const taken = await takeObject(exchange.request, readBody)
      if ('failure' in taken) {
        const { failure } = taken
        return refuse(failureOf(failure), { ...indexHeaders(), ...bodyFailureHeaders(failure.status) })
      }
      return {
        prepared: method.prepare((name) => fieldOf(taken.value, name)),
        wishes: wishesOf(exchange.request.headers, NONE),
      }
    } catch (error) {
      exchange.error = requestError(error)
      return refuse(failureOf(callFailure(exchange.error)), indexHeaders())
    }
  }

  const allowed = (name: string): string | undefined => {
    const verbs = table.get(name)?.flatMap(({ method }) => VERBS[method.verb])
    return verbs && [...verbs, 'OPTIONS'].join(', ')
  }

  return {
    names: [...table.keys()],
    allowed,
    handle: async (exchange, name, chain) => {
      const allow = allowed(name)
      if (allow === undefined) return refuse(NOT_FOUND, indexHeaders())
      const verb = exchange.request.method
      const method = table.get(name)?.find(({ method }) => takes(method, verb))?.method
      if (!method) {
        const refused = { status: 405, error: `method ${verb} is not supported` }
        return refuse(refused, { ...indexHeaders(), allow })
      }
      exchange.method = method.name
      const asked = await ask(method, exchange)
      return 'prepared' in asked ? answer(asked, method, exchange, chain) : asked
    },
  }
}
