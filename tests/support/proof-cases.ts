import { checkBlockProof } from '../../src/ton/block-proof.ts'
import { checkAccountState, checkAccountStatePrunned } from '../../src/ton/proof/account.ts'
import { checkBlockTransactions, checkBlockTransactionsExt } from '../../src/ton/proof/block-transactions.ts'
import { checkConfig, FROM_KEY_BLOCK } from '../../src/ton/proof/config.ts'
import { checkDispatchQueueInfo, checkDispatchQueueMessages } from '../../src/ton/proof/dispatch-queue.ts'
import type { Evidence } from '../../src/ton/proof/evidence.ts'
import { checkLibraries, checkLibrariesWithProof } from '../../src/ton/proof/libraries.ts'
import { checkShardBlockProof } from '../../src/ton/proof/links.ts'
import { checkBlockHeader, checkLookup, checkPlainLookup } from '../../src/ton/proof/lookup.ts'
import { checkOutMsgQueueSize } from '../../src/ton/proof/queues.ts'
import { checkAllShards, checkShardInfo } from '../../src/ton/proof/shards.ts'
import { checkOneTransaction, checkTransactions } from '../../src/ton/proof/transactions.ts'
import type { LiteAnswer } from '../../src/ton/tl/lite-api.ts'
import type { LiteServerMethod } from '../../src/ton/tl/schema.ts'
import type { Arguments } from '../../src/ton/tl/types.ts'
import { bitFlips } from './bit-flips.ts'
import { recordedAnswers } from './recorded-answers.ts'

/** A recorded answer together with the check that it must pass. */
export interface ProofCase {
  method: LiteServerMethod
  name: string
  verify(evidence: Evidence): unknown
  /** The same for every copy of the answer with one bit flipped in a part that is proven. */
  flipped(count: number, evidence: Evidence): Iterable<{ path: string; verify: () => unknown }>
}

interface Suite<M extends LiteServerMethod> {
  check: (answer: LiteAnswer<M>, args: Arguments<M>, evidence: Evidence) => unknown
  /** Only answers to these questions can be proven. */
  when?: (args: Arguments<M>) => boolean
  /** Parts of the answer that the check neither proves nor gives to its caller, or that it leaves to the caller. */
  unproven?: (args: Arguments<M>) => RegExp
}

const WANT_PROOF = 1 << 5
const QUEUE_PROOF = 1

const suites: { [M in LiteServerMethod]?: Suite<M> } = {
  // The server's last block (seqno -1 in the question) cannot be named before it is known.
  'liteServer.getAccountState': { check: checkAccountState, when: ({ id }) => id.seqno >= 0 },
  'liteServer.getAccountStatePrunned': { check: checkAccountStatePrunned },
  'liteServer.getAllShardsInfo': { check: checkAllShards },
  'liteServer.getBlockHeader': { check: checkBlockHeader, unproven: () => /^mode$/ },
  'liteServer.getBlockOutMsgQueueSize': {
    check: checkOutMsgQueueSize,
    when: ({ mode }) => (mode & QUEUE_PROOF) !== 0,
    unproven: () => /^mode$/,
  },
  'liteServer.getBlockProof': {
    check: (answer, args) => checkBlockProof(answer, args),
    // Without a target only the server knows which block is its last one.
    unproven: ({ target_block }) => (target_block ? /^$/ : /^complete$/),
  },
  'liteServer.getConfigAll': {
    check: checkConfig,
    unproven: ({ mode }) => (mode & FROM_KEY_BLOCK ? /^(mode|id\.file_hash)/ : /^mode$/),
  },
  'liteServer.getConfigParams': {
    check: checkConfig,
    unproven: ({ mode }) => (mode & FROM_KEY_BLOCK ? /^(mode|id\.file_hash)/ : /^mode$/),
  },
  'liteServer.getDispatchQueueInfo': {
    check: checkDispatchQueueInfo,
    when: ({ mode }) => (mode & QUEUE_PROOF) !== 0,
    unproven: () => /^(mode|complete)$/,
  },
  'liteServer.getDispatchQueueMessages': {
    check: checkDispatchQueueMessages,
    when: ({ mode }) => (mode & QUEUE_PROOF) !== 0,
    unproven: () => /(^|\.)(mode|complete)$/,
  },
  'liteServer.getLibraries': { check: checkLibraries },
  'liteServer.getLibrariesWithProof': { check: checkLibrariesWithProof, unproven: () => /^mode$/ },
  'liteServer.getOneTransaction': { check: checkOneTransaction },
  'liteServer.getShardBlockProof': {
    check: checkShardBlockProof,
    unproven: () => /^masterchain_id\.(file_hash|seqno)/,
  },
  'liteServer.getShardInfo': { check: checkShardInfo },
  'liteServer.getTransactions': { check: checkTransactions, unproven: () => /^ids/ },
  'liteServer.listBlockTransactions': {
    check: checkBlockTransactions,
    when: ({ mode }) => (mode & WANT_PROOF) !== 0,
    unproven: () => /^(req_count|ids\[\d+\]\.(mode|metadata))/,
  },
  'liteServer.listBlockTransactionsExt': {
    check: checkBlockTransactionsExt,
    when: ({ mode }) => (mode & WANT_PROOF) !== 0,
    unproven: () => /^req_count/,
  },
  'liteServer.lookupBlock': { check: checkPlainLookup, unproven: () => /^(mode$|id\.file_hash)/ },
  'liteServer.lookupBlockWithProof': { check: checkLookup, unproven: () => /^mode$/ },
}

const casesOf = <M extends LiteServerMethod>(
  method: M,
  { check, when = () => true, unproven = () => /^$/ }: Suite<M>,
  lines?: Parameters<typeof recordedAnswers>[1],
): ProofCase[] =>
  recordedAnswers(method, lines)
    .filter(({ args }) => when(args))
    .map(({ id, note, args, answer }) => ({
      method,
      name: `${method} #${id} ${note}`,
      verify: (evidence) => check(answer, args, evidence),
      flipped: (count, evidence) =>
        bitFlips(answer, count, unproven(args)).map(({ path, value }) => ({
          path,
          verify: () => check(value, args, evidence),
        })),
    }))

/** Every recorded answer that can be proven; of the fixture unless lines of another golden.jsonl are given. */
export const proofCases = (lines?: Parameters<typeof recordedAnswers>[1]): ProofCase[] =>
  (Object.keys(suites) as LiteServerMethod[]).flatMap((method) =>
    casesOf(method, suites[method] as Suite<typeof method>, lines),
  )
