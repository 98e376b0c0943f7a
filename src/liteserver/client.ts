import type { BlockIdExt } from '../ton/block-id.ts'
import type { Arguments, Bare } from '../ton/tl/types.ts'
import type { Query, QueryOptions } from './query.ts'

/*
 * One function per method of a liteserver. Names and fields are those of the TL scheme; the bits of `mode` that only say
 * which arguments are there are set here. Every function throws what `Query` throws.
 */

/** An account as liteservers name it: workchain and 32 bytes. */
export type AccountId = Bare<'liteServer.accountId'>

/** Last masterchain block and zero state. */
export const getMasterchainInfo = (query: Query, options?: QueryOptions) =>
  query('liteServer.getMasterchainInfo', {}, options)

/** The same with the server's clock, its version and the time of the last block (unix seconds). */
export const getMasterchainInfoExt = (query: Query, options?: QueryOptions) =>
  query('liteServer.getMasterchainInfoExt', { mode: 0 }, options)

/** The server's clock, unix seconds. */
export const getTime = (query: Query, options?: QueryOptions) => query('liteServer.getTime', {}, options)

/** The server's version, its capabilities and its clock, unix seconds. */
export const getVersion = (query: Query, options?: QueryOptions) => query('liteServer.getVersion', {}, options)

/** A whole block as BoC. */
export const getBlock = (query: Query, id: BlockIdExt, options?: QueryOptions) =>
  query('liteServer.getBlock', { id }, options)

/** A whole shard state as BoC; servers give only small ones. */
export const getState = (query: Query, id: BlockIdExt, options?: QueryOptions) =>
  query('liteServer.getState', { id }, options)

/** Header proof of a block. */
export const getBlockHeader = (query: Query, id: BlockIdExt, mode = 0, options?: QueryOptions) =>
  query('liteServer.getBlockHeader', { id, mode }, options)

/** Hands an external message (BoC) to the network. Not to be repeated: see `RunOptions.once` of the pool. */
export const sendMessage = (query: Query, body: Buffer, options?: QueryOptions) =>
  query('liteServer.sendMessage', { body }, options)

/** State of an account at a masterchain block (or at a shard block), with proofs. */
export const getAccountState = (query: Query, id: BlockIdExt, account: AccountId, options?: QueryOptions) =>
  query('liteServer.getAccountState', { id, account }, options)

/** The same without code and data: only what the proof needs. */
export const getAccountStatePrunned = (query: Query, id: BlockIdExt, account: AccountId, options?: QueryOptions) =>
  query('liteServer.getAccountStatePrunned', { id, account }, options)

/** Runs a get-method on the server. `params` is the stack as BoC. */
export const runSmcMethod = (query: Query, args: Arguments<'liteServer.runSmcMethod'>, options?: QueryOptions) =>
  query('liteServer.runSmcMethod', args, options)

/** The shard block of (workchain, shard) that a masterchain block commits. */
export const getShardInfo = (
  query: Query,
  id: BlockIdExt,
  workchain: number,
  shard: bigint,
  exact: boolean,
  options?: QueryOptions,
) => query('liteServer.getShardInfo', { id, workchain, shard, exact }, options)

/** All shard blocks that a masterchain block commits. */
export const getAllShardsInfo = (query: Query, id: BlockIdExt, options?: QueryOptions) =>
  query('liteServer.getAllShardsInfo', { id }, options)

/** One transaction of an account inside a block, with proof. */
export const getOneTransaction = (
  query: Query,
  id: BlockIdExt,
  account: AccountId,
  lt: bigint,
  options?: QueryOptions,
) => query('liteServer.getOneTransaction', { id, account, lt }, options)

/** An account's transactions from (lt, hash) backwards; a server gives at most 16 at a time. */
export const getTransactions = (
  query: Query,
  account: AccountId,
  lt: bigint,
  hash: Buffer,
  count: number,
  options?: QueryOptions,
) => query('liteServer.getTransactions', { count, account, lt, hash }, options)

/** A block of a shard by its seqno, by a logical time that it covers, or by a unix time. */
export type BlockLookup = { workchain: number; shard: bigint } & (
  | { seqno: number }
  | { lt: bigint }
  | { utime: number }
)

const lookup = (by: BlockLookup) => {
  const { workchain, shard } = by
  if ('seqno' in by) return { mode: 1, id: { workchain, shard, seqno: by.seqno } }
  const id = { workchain, shard, seqno: 0 }
  return 'lt' in by ? { mode: 2, id, lt: by.lt } : { mode: 4, id, utime: by.utime }
}

/** Id and header of the block with this seqno, or of the first one that reaches this lt or unix time. */
export const lookupBlock = (query: Query, by: BlockLookup, options?: QueryOptions) =>
  query('liteServer.lookupBlock', lookup(by), options)

/** The same with proofs that lead to the masterchain block `mc_block_id`. */
export const lookupBlockWithProof = (query: Query, by: BlockLookup, mc_block_id: BlockIdExt, options?: QueryOptions) =>
  query('liteServer.lookupBlockWithProof', { ...lookup(by), mc_block_id }, options)

/** Which of a block's transactions; a server gives at most 256 at a time. */
export interface ListTransactions {
  count: number
  after?: Bare<'liteServer.transactionId3'> | undefined
  reverse_order?: boolean | undefined
  want_proof?: boolean | undefined
}

const list = (id: BlockIdExt, { count, after, reverse_order, want_proof }: ListTransactions) => ({
  id,
  mode: 7 | (want_proof ? 1 << 5 : 0) | (reverse_order ? 1 << 6 : 0) | (after ? 1 << 7 : 0),
  count,
  after,
})

/** Account, lt and hash of a block's transactions. */
export const listBlockTransactions = (query: Query, id: BlockIdExt, which: ListTransactions, options?: QueryOptions) =>
  query('liteServer.listBlockTransactions', list(id, which), options)

/** A block's transactions as one BoC with a root for each. */
export const listBlockTransactionsExt = (
  query: Query,
  id: BlockIdExt,
  which: ListTransactions,
  options?: QueryOptions,
) => query('liteServer.listBlockTransactionsExt', list(id, which), options)

/** A chain of proof links from a known masterchain block to another one, or to the last block when none is named. */
export const getBlockProof = (
  query: Query,
  known_block: BlockIdExt,
  target_block: BlockIdExt | undefined,
  options?: QueryOptions,
) => query('liteServer.getBlockProof', { mode: target_block ? 1 : 0, known_block, target_block }, options)

/** All configuration parameters of a masterchain block, with proofs. */
export const getConfigAll = (query: Query, id: BlockIdExt, mode = 0, options?: QueryOptions) =>
  query('liteServer.getConfigAll', { mode, id }, options)

/** Some configuration parameters of a masterchain block, with proofs. */
export const getConfigParams = (query: Query, id: BlockIdExt, param_list: number[], mode = 0, options?: QueryOptions) =>
  query('liteServer.getConfigParams', { mode, id, param_list }, options)

/** Blocks made by validators, from `start_after` on; only those modified after a unix time when it is given. */
export const getValidatorStats = (
  query: Query,
  id: BlockIdExt,
  which: { limit: number; start_after?: Buffer | undefined; modified_after?: number | undefined },
  options?: QueryOptions,
) => {
  const mode = (which.start_after ? 1 : 0) | (which.modified_after === undefined ? 0 : 4)
  return query('liteServer.getValidatorStats', { mode, id, ...which }, options)
}

/** Library cells by hash; a server takes at most 16 at a time and leaves out what it does not have. */
export const getLibraries = (query: Query, library_list: Buffer[], options?: QueryOptions) =>
  query('liteServer.getLibraries', { library_list }, options)

/** The same, each proven to be there or not by the state of the masterchain block `id`. */
export const getLibrariesWithProof = (
  query: Query,
  id: BlockIdExt,
  library_list: Buffer[],
  mode = 0,
  options?: QueryOptions,
) => query('liteServer.getLibrariesWithProof', { id, mode, library_list }, options)

/** Links from a shard block to a masterchain block that commits it. */
export const getShardBlockProof = (query: Query, id: BlockIdExt, options?: QueryOptions) =>
  query('liteServer.getShardBlockProof', { id }, options)

/** Sizes of the outbound message queues of all shards, or of those inside one. */
export const getOutMsgQueueSizes = (
  query: Query,
  inside: { wc: number; shard: bigint } | undefined,
  options?: QueryOptions,
) => query('liteServer.getOutMsgQueueSizes', { mode: inside ? 1 : 0, ...inside }, options)

/** Size of the outbound message queue behind one block. */
export const getBlockOutMsgQueueSize = (query: Query, id: BlockIdExt, want_proof: boolean, options?: QueryOptions) =>
  query('liteServer.getBlockOutMsgQueueSize', { mode: want_proof ? 1 : 0, id }, options)

/** Accounts with delayed outbound messages, after an account. */
export const getDispatchQueueInfo = (
  query: Query,
  id: BlockIdExt,
  which: { max_accounts: number; after_addr?: Buffer | undefined; want_proof?: boolean | undefined },
  options?: QueryOptions,
) => {
  const { max_accounts, after_addr, want_proof } = which
  const mode = (want_proof ? 1 : 0) | (after_addr ? 2 : 0)
  return query('liteServer.getDispatchQueueInfo', { mode, id, after_addr, max_accounts }, options)
}

/** Delayed outbound messages, from an account and logical time on. */
export const getDispatchQueueMessages = (
  query: Query,
  id: BlockIdExt,
  which: {
    addr: Buffer
    after_lt: bigint
    max_messages: number
    want_proof?: boolean | undefined
    one_account?: boolean | undefined
    messages_boc?: boolean | undefined
  },
  options?: QueryOptions,
) => {
  const { addr, after_lt, max_messages, want_proof, one_account, messages_boc } = which
  const mode = (want_proof ? 1 : 0) | (one_account ? 2 : 0) | (messages_boc ? 4 : 0)
  return query('liteServer.getDispatchQueueMessages', { mode, id, addr, after_lt, max_messages }, options)
}

/** Validator groups with their candidates; only of a validator's own server. */
export const getValidatorGroups = (
  query: Query,
  of: { wc: number; shard: bigint } | undefined,
  options?: QueryOptions,
) => query('liteServer.nonfinal.getValidatorGroups', { mode: of ? 1 : 0, ...of }, options)

/** A block candidate that is not final. */
export const getCandidate = (query: Query, id: Bare<'liteServer.nonfinal.candidateId'>, options?: QueryOptions) =>
  query('liteServer.nonfinal.getCandidate', { id }, options)

/** Shard blocks that are signed or proposed and not yet committed. */
export const getPendingShardBlocks = (
  query: Query,
  of: { wc: number; shard: bigint } | undefined,
  options?: QueryOptions,
) => query('liteServer.nonfinal.getPendingShardBlocks', { mode: of ? 1 : 0, ...of }, options)
