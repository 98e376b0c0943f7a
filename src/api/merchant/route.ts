import { TonlithError } from '../../common/errors.ts'
import type { Json } from '../../common/lossless-json.ts'
import type { Merchant } from '../../model/payments.ts'
import type { PaymentStore } from '../../store/payments/environment.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Query } from '../query.ts'
import type { Members } from './members.ts'
import type { MerchantParts } from './parts.ts'

/** A request to the merchant API that may pass. */
export interface MerchantCall {
  readonly parts: MerchantParts
  readonly store: PaymentStore
  /** Null without a key. */
  readonly merchant: Merchant | null
  /** Who asks without a key: callerOf its address; null with one. */
  readonly caller: string | null
  readonly query: Query
  /** The members of the body; empty where the verb has none. */
  readonly members: Members
  /** The parts of the path that the route names: `:id`. */
  readonly path: Readonly<Record<string, string>>
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal
}

/** As MerchantCall, of a merchant. */
export type OwnCall = MerchantCall & { readonly merchant: Merchant }

/** A parameter in the query, or a member of the body, for the OpenAPI document. */
export interface Field {
  readonly description: string
  readonly schema: JsonSchema
  readonly required?: true
}

interface RouteText {
  readonly verb: 'GET' | 'POST' | 'PUT'
  /** Behind /api/merchant/v1/; `:name` stands for a part that differs. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly query?: Readonly<Record<string, Field>>
  readonly body?: Readonly<Record<string, Field>>
  readonly result: JsonSchema
  /** What its errors mean, beside those that every route has. */
  readonly errors: Readonly<Record<string, string>>
}

/** One call of the merchant API: what it is asked, and what it does. `run` throws TonlithErrors for callers. */
export type MerchantRoute = RouteText &
  (
    | { readonly key: 'required'; run(call: OwnCall): Promise<Json> | Json }
    /** Without a key it is counted for the caller's address: as a creation, or as a look-up. */
    | {
        readonly key: 'optional'
        readonly counts: 'creation' | 'lookup'
        run(call: MerchantCall): Promise<Json> | Json
      }
  )

/** The greatest page of a list. */
export const MAX_PAGE = 100
const DEFAULT_PAGE = 50

/** The `limit` of a list. Throws `invalid`. */
export const limitIn = (query: Query): number => {
  const text = query('limit')
  if (text === undefined) return DEFAULT_PAGE
  const limit = Number(text)
  if (!/^\d{1,3}$/.test(text) || limit < 1 || limit > MAX_PAGE)
    throw new TonlithError('invalid', `limit must be a whole number from 1 to ${MAX_PAGE}`)
  return limit
}
