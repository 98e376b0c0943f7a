import { checkAccountState, checkAccountStatePrunned } from '../ton/proof/account.ts'
import { checkBlockTransactions, checkBlockTransactionsExt } from '../ton/proof/block-transactions.ts'
import { checkConfig } from '../ton/proof/config.ts'
import { checkDispatchQueueInfo, checkDispatchQueueMessages } from '../ton/proof/dispatch-queue.ts'
import type { Evidence } from '../ton/proof/evidence.ts'
import { checkLibraries, checkLibrariesWithProof } from '../ton/proof/libraries.ts'
import { checkShardBlockProof } from '../ton/proof/links.ts'
import { checkBlockHeader, checkLookup, checkPlainLookup } from '../ton/proof/lookup.ts'
import { checkPrevBlocks } from '../ton/proof/prev-blocks.ts'
import { checkOutMsgQueueSize } from '../ton/proof/queues.ts'
import { checkAllShards, checkShardInfo } from '../ton/proof/shards.ts'
import { checkOneTransaction, checkTransactions } from '../ton/proof/transactions.ts'

type Check<A, R, T> = (answer: A, request: R, evidence: Evidence) => T

/**
 * The checks of liteserver answers, all called with the answer and the request's arguments. Each gives what is proven,
 * read from the proof where it can be, and throws kind `proof` otherwise. They prove an answer against the block that
 * the request names; that this block is on the chain is for Trust.verifyBlock.
 */
export const checksBy = (evidence: Evidence) => {
  const bind =
    <A, R, T>(check: Check<A, R, T>) =>
    (answer: A, request: R): T =>
      check(answer, request, evidence)
  return {
    checkAccountState: bind(checkAccountState),
    checkAccountStatePrunned: bind(checkAccountStatePrunned),
    checkAllShards: bind(checkAllShards),
    checkBlockHeader: bind(checkBlockHeader),
    checkBlockTransactions: bind(checkBlockTransactions),
    checkBlockTransactionsExt: bind(checkBlockTransactionsExt),
    checkConfig: bind(checkConfig),
    checkDispatchQueueInfo: bind(checkDispatchQueueInfo),
    checkDispatchQueueMessages: bind(checkDispatchQueueMessages),
    checkLibraries: bind(checkLibraries),
    checkLibrariesWithProof: bind(checkLibrariesWithProof),
    checkLookup: bind(checkLookup),
    checkOneTransaction: bind(checkOneTransaction),
    checkOutMsgQueueSize: bind(checkOutMsgQueueSize),
    checkPlainLookup: bind(checkPlainLookup),
    checkPrevBlocks: bind(checkPrevBlocks),
    checkShardBlockProof: bind(checkShardBlockProof),
    checkShardInfo: bind(checkShardInfo),
    checkTransactions: bind(checkTransactions),
  }
}

export type Checks = ReturnType<typeof checksBy>
