import type { LiteAnswer, LiteRequest } from '../ton/tl/lite-api.ts'
import type { LiteServerMethod } from '../ton/tl/schema.ts'
import type { ChainView } from './chain-view.ts'

/** What a query is answered from. */
export interface QueryContext {
  view: ChainView
  /** Unix time in seconds. */
  now: number
}

/** Answers one method. Throws an error of kind `liteserver` where a node answers with liteServer.error. */
export type Handler<M extends LiteServerMethod> = (context: QueryContext, request: LiteRequest<M>) => LiteAnswer<M>

export type Handlers = { [M in LiteServerMethod]: Handler<M> }
