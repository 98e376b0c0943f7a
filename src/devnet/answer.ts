import { type Clock, systemClock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { Address } from '../ton/address.ts'
import {
  decodeRequest,
  encodeAnswer,
  encodeError,
  isLiteRequest,
  type LiteAnswer,
  type LiteRequest,
  unwrapQuery,
} from '../ton/tl/lite-api.ts'
import type { TvmRunner } from '../tvm/local.ts'
import type { Chain } from './chain.ts'
import { viewAt } from './chain-view.ts'
import type { Head } from './head.ts'
import { BAD_REQUEST, liteError, NOT_READY, PROTOVIOLATION } from './lite-error.ts'
import { accounts } from './queries/account-state.ts'
import { blocks } from './queries/block.ts'
import { blockProof } from './queries/block-proof.ts'
import { config } from './queries/config.ts'
import { dispatchQueue } from './queries/dispatch-queue.ts'
import { libraries } from './queries/libraries.ts'
import { listTransactions } from './queries/list-transactions.ts'
import { lookup } from './queries/lookup.ts'
import { lookupProof } from './queries/lookup-proof.ts'
import { masterchainInfo } from './queries/masterchain-info.ts'
import { outMsgQueues } from './queries/out-msg-queues.ts'
import { runSmcMethod } from './queries/run-smc-method.ts'
import { sendMessage } from './queries/send-message.ts'
import { shardBlockProof } from './queries/shard-block-proof.ts'
import { shards } from './queries/shards.ts'
import { transactions } from './queries/transactions.ts'
import { unsupported } from './queries/unsupported.ts'
import { validatorStats } from './queries/validator-stats.ts'
import type { Handlers, QueryContext, SendMessage } from './query.ts'

const HANDLERS: Handlers = {
  ...masterchainInfo,
  ...blocks,
  ...accounts,
  ...shards,
  ...transactions,
  ...lookup,
  ...lookupProof,
  ...listTransactions,
  ...blockProof,
  ...config,
  ...validatorStats,
  ...libraries,
  ...shardBlockProof,
  ...outMsgQueues,
  ...dispatchQueue,
  ...runSmcMethod,
  ...sendMessage,
  ...unsupported,
}

const handle = (context: QueryContext, request: LiteRequest): LiteAnswer | Promise<LiteAnswer> => {
  const handler = HANDLERS[request._] as (
    context: QueryContext,
    request: LiteRequest,
  ) => LiteAnswer | Promise<LiteAnswer>
  return handler(context, request)
}

export interface AnswerOptions {
  clock?: Pick<Clock, 'now'>
  /** Left out, get-methods are refused. */
  tvm?: TvmRunner | undefined
  /** Left out, messages are refused. */
  send?: SendMessage | undefined
  /** Is told which accounts are asked about. */
  sought?: ((account: Address) => void) | undefined
}

/**
 * Answers queries from a chain as it stands at the head: takes the bytes of one `liteServer.query` and gives the bytes of
 * the answer, of liteServer.error where a node would answer with that; undefined for what a node leaves unanswered.
 * Never rejects. Waits first when the query says so (liteServer.waitMasterchainSeqno).
 */
export const createAnswer = (
  chain: Chain,
  head: Head,
  logger: Logger,
  { clock = systemClock, tvm, send, sought }: AnswerOptions = {},
) => {
  const failure = (error: unknown): Buffer => {
    if (isTonlithError(error, 'liteserver')) return encodeError(error.code ?? 0, error.message)
    logger.error({ err: error }, 'a liteserver query failed')
    return encodeError(BAD_REQUEST, 'internal error')
  }
  return async (query: Buffer): Promise<Buffer | undefined> => {
    const data = unwrapQuery(query)
    if (!data) return undefined
    let request: ReturnType<typeof decodeRequest>
    try {
      request = decodeRequest(data)
    } catch (error) {
      return isTonlithError(error, 'malformed') ? encodeError(0, error.message) : failure(error)
    }
    try {
      const { wait, call } = request
      if (wait) await head.wait(wait.seqno >>> 0, wait.timeout_ms)
      if (!isLiteRequest(call)) throw liteError(PROTOVIOLATION, 'unknown query')
      if (head.seqno === 0) throw liteError(NOT_READY, 'there is no masterchain block yet')
      if (sought && 'account' in call && 'id' in call.account)
        sought({ workchain: call.account.workchain, hash: call.account.id })
      const context = { view: viewAt(chain, head.seqno), now: Math.floor(clock.now() / 1000), tvm, send }
      return encodeAnswer(await handle(context, call))
    } catch (error) {
      return failure(error)
    }
  }
}
