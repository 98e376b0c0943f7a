import type { LiteAnswer, Wait } from '../ton/tl/lite-api.ts'
import type { LiteServerMethod } from '../ton/tl/schema.ts'
import type { Arguments } from '../ton/tl/types.ts'

export interface QueryOptions {
  /** Let the server wait until it has this masterchain block (the `waitMasterchainSeqno` prefix). */
  wait?: Wait | undefined
  /** Milliseconds for this one query, where less than the whole request's time is meant. */
  timeoutMs?: number | undefined
}

/**
 * Asks one liteserver one question. Throws kind `liteserver` with the server's code and text when it answers with an
 * error, `timeout` without an answer in time, `connection` when the connection breaks, `malformed` when the answer is
 * none.
 */
export type Query = <M extends LiteServerMethod>(
  method: M,
  args: Arguments<M>,
  options?: QueryOptions,
) => Promise<LiteAnswer<M>>
