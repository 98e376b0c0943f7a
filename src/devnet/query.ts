import type { LiteAnswer, LiteRequest } from '../ton/tl/lite-api.ts'
import type { LiteServerMethod } from '../ton/tl/schema.ts'
import type { TvmRunner } from '../tvm/local.ts'
import type { ChainView } from './chain-view.ts'

/**
 * Takes an external message (a bag of cells) into the mempool, after a node's checks. Throws errors of kind `liteserver` in
 * the node's words.
 */
export type SendMessage = (body: Buffer) => Promise<void>

/** What a query is answered from. */
export interface QueryContext {
  view: ChainView
  /** Unix time in seconds. */
  now: number
  /** Runs get-methods; undefined where there is nothing that could. */
  tvm: TvmRunner | undefined
  /** Takes external messages; undefined where nothing does. */
  send: SendMessage | undefined
}

/** A node answers runSmcMethod for an account of a shard that does not exist as if it was asked for the account. */
type AnswerTo<M extends LiteServerMethod> = M extends 'liteServer.runSmcMethod'
  ? LiteAnswer<M> | LiteAnswer<'liteServer.getAccountState'>
  : LiteAnswer<M>

/** Answers one method. Throws an error of kind `liteserver` where a node answers with liteServer.error. */
export type Handler<M extends LiteServerMethod> = (
  context: QueryContext,
  request: LiteRequest<M>,
) => AnswerTo<M> | Promise<AnswerTo<M>>

export type Handlers = { [M in LiteServerMethod]: Handler<M> }
