import type { StopSignal } from '../common/stop.ts'
import type { Query } from '../liteserver/query.ts'
import { type BlockTransaction, readTransaction, type Transaction } from '../model/transaction.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { ProvenList } from '../ton/proof/block-transactions.ts'
import { lookupBlock, readHeader } from './blocks.ts'
import type { Chain } from './chain.ts'

/** A block by its full id, or by shard and seqno where one of the hashes is not given. */
export interface BlockRef {
  workchain: number
  shard: bigint
  seqno: number
  root_hash?: Buffer | undefined
  file_hash?: Buffer | undefined
}

/** The place behind one transaction of a block. */
export interface Place {
  /** 32-byte account id. */
  account: Buffer
  lt: bigint
}

export interface PageQuery {
  after: Place | undefined
  count: number
  /** Descending by account and lt instead. */
  reverse?: boolean | undefined
  signal: StopSignal
}

/** A page of a block's transactions, ascending by account and lt. */
export interface BlockTransactionsPage<T> {
  id: BlockIdExt
  req_count: number
  /** False when nothing follows; true when something may, as the liteserver does not look behind a full page. */
  incomplete: boolean
  transactions: T[]
}

/** A liteserver gives no more at a time. */
const CHUNK = 256
const ACCOUNT_LT_HASH = 7
const WANT_PROOF = 1 << 5
const REVERSE = 1 << 6
const AFTER = 1 << 7

interface ListRequest {
  id: BlockIdExt
  mode: number
  count: number
  after: Place | undefined
  reverse_order: true | undefined
  want_proof: true
}

/** Asks for one chunk and checks it. */
type List<T> = (query: Query, request: ListRequest) => Promise<ProvenList<T>>

const blockId = async (chain: Chain, block: BlockRef, signal: StopSignal): Promise<BlockIdExt> => {
  const { workchain, shard, seqno, root_hash, file_hash } = block
  if (root_hash && file_hash) return (await readHeader(chain, { workchain, shard, seqno, root_hash, file_hash })).id
  return (await lookupBlock(chain, { workchain, shard, seqno }, signal)).id
}

/** Collects chunks until the page is full, the block has no more, or a chunk brings nothing on. */
const collect = async <T extends Place>(
  chain: Chain,
  id: BlockIdExt,
  { after, count, reverse, signal }: PageQuery,
  list: List<T>,
): Promise<ProvenList<T>> => {
  const transactions: T[] = []
  let incomplete = true
  let place = after
  while (incomplete && transactions.length < count) {
    const mode = ACCOUNT_LT_HASH | WANT_PROOF | (reverse ? REVERSE : 0) | (place ? AFTER : 0)
    const request: ListRequest = {
      id,
      mode,
      count: Math.min(CHUNK, count - transactions.length),
      after: place,
      reverse_order: reverse || undefined,
      want_proof: true,
    }
    const chunk = await chain.pool.run((query) => list(query, request), { signal })
    incomplete = chunk.incomplete
    const last = chunk.transactions.at(-1)
    if (!last) break
    transactions.push(...chunk.transactions)
    place = { account: last.account, lt: last.lt }
  }
  return { transactions, incomplete }
}

/** Ids of a block's transactions behind `after`, at most `count`. */
export const listBlockTransactions = async (
  chain: Chain,
  block: BlockRef,
  query: PageQuery,
): Promise<BlockTransactionsPage<BlockTransaction>> => {
  const id = await blockId(chain, block, query.signal)
  const { transactions, incomplete } = await collect(chain, id, query, async (ask, request) =>
    chain.trust.checkBlockTransactions(await ask('liteServer.listBlockTransactions', request), request),
  )
  return {
    id,
    req_count: query.count,
    incomplete,
    transactions: transactions.map(({ account, lt, hash }) => ({
      account: { workchain: id.workchain, hash: account },
      id: { lt, hash },
    })),
  }
}

/** Transactions of a block that is known to be on the chain, behind `after`, at most `count`. */
export const readBlockTransactions = async (
  chain: Chain,
  id: BlockIdExt,
  query: PageQuery,
): Promise<ProvenList<Transaction>> => {
  const { transactions, incomplete } = await collect(chain, id, query, async (ask, request) =>
    chain.trust.checkBlockTransactionsExt(await ask('liteServer.listBlockTransactionsExt', request), request),
  )
  return { transactions: transactions.map(({ cell }) => readTransaction(id.workchain, cell)), incomplete }
}

/** A block's transactions behind `after`, at most `count`, whole. */
export const listBlockTransactionsExt = async (
  chain: Chain,
  block: BlockRef,
  query: PageQuery,
): Promise<BlockTransactionsPage<Transaction>> => {
  const id = await blockId(chain, block, query.signal)
  return { id, req_count: query.count, ...(await readBlockTransactions(chain, id, query)) }
}
