import { TonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import type { Message } from '../model/message.ts'
import type { Transaction } from '../model/transaction.ts'
import { type Address, accountPrefix, sameAddress } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { AccountEdge } from './account-cache.ts'
import { accountEdge } from './accounts.ts'
import { readBlockTransactions } from './block-transactions.ts'
import { lookupBlock } from './blocks.ts'
import type { Chain } from './chain.ts'
import { readTransactions } from './transactions.ts'

/** A message between two accounts, which its source and its logical time name. */
export interface MessageKey {
  source: Address
  destination: Address
  created_lt: bigint
}

/**
 * A search does some work at each step and ends with the transaction, with null when there provably is none, or with
 * undefined when it has come to its end and cannot tell.
 */
type Search = AsyncGenerator<void, Transaction | null | undefined>

/** A first look into a block takes this many transactions; few accounts have more than one or two there. */
const FIRST_LOOK = 4
/** A liteserver gives no more of a block at a time. */
const LOOK = 256
/** A liteserver gives no more of an account at a time. */
const PAGE = 16

const notFound = (): TonlithError => new TonlithError('notFound', 'transaction was not found')

const isMessage = (message: Message | null, { source, destination, created_lt }: MessageKey): boolean =>
  message?.source !== undefined &&
  message.destination !== undefined &&
  message.created_lt === created_lt &&
  sameAddress(message.source, source) &&
  sameAddress(message.destination, destination)

const receives = (key: MessageKey) => (transaction: Transaction) => isMessage(transaction.in_msg, key)

/** The first block of an account's shard that goes beyond this lt; one must be there. */
const blockBeyond = (chain: Chain, { workchain, hash }: Address, lt: bigint, signal: StopSignal) => {
  // The deepest shard that holds the account stands for the account.
  const shard = BigInt.asIntN(64, accountPrefix({ workchain, hash }) | 1n)
  return lookupBlock(chain, { workchain, shard, lt: lt + 1n }, signal)
}

/**
 * The transaction that sent a message, or null when there provably is none up to the end of the source's shard. A
 * transaction and its messages stand in one block, and between a message and its transaction there is no other one.
 */
const findSource = async (
  chain: Chain,
  key: MessageKey,
  { end_lt }: AccountEdge,
  signal: StopSignal,
): Promise<Transaction | null> => {
  const { source, created_lt } = key
  if (created_lt >= end_lt) return null
  const { id } = await blockBeyond(chain, source, created_lt, signal)
  const after = { account: source.hash, lt: created_lt }
  const { transactions } = await readBlockTransactions(chain, id, { after, count: 1, reverse: true, signal })
  const sender = transactions.find(({ account }) => sameAddress(account, source))
  return sender?.out_msgs.some((message) => isMessage(message, key)) ? sender : null
}

/** The transaction of a block that received a message. */
const findInBlock = async (
  chain: Chain,
  id: BlockIdExt,
  key: MessageKey,
  signal: StopSignal,
): Promise<Transaction | undefined> => {
  const { destination } = key
  const isOwn = ({ account }: Transaction): boolean => sameAddress(account, destination)
  let lt = key.created_lt
  for (let count = FIRST_LOOK; ; count = LOOK) {
    const after = { account: destination.hash, lt }
    const { transactions, incomplete } = await readBlockTransactions(chain, id, { after, count, signal })
    const found = transactions.filter(isOwn).find(receives(key))
    const last = transactions.at(-1)
    if (found || !incomplete || !last || !isOwn(last)) return found
    lt = last.id.lt
  }
}

/** Through the blocks of the destination's shard, from the message's own lt to the head. */
async function* forward(chain: Chain, key: MessageKey, { end_lt }: AccountEdge, signal: StopSignal): Search {
  for (let lt = key.created_lt; lt < end_lt; ) {
    const block = await blockBeyond(chain, key.destination, lt, signal)
    const found = await findInBlock(chain, block.id, key, signal)
    if (found) return found
    lt = block.end_lt
    yield
  }
  return null
}

/**
 * Through the destination's transactions, from the head back to the message's lt. Behind the first transaction of an
 * account that was destroyed and came back there may be others, which it does not name.
 */
async function* backward(chain: Chain, key: MessageKey, { transaction }: AccountEdge, signal: StopSignal): Search {
  const { destination, created_lt } = key
  let from = transaction
  while (from.lt > created_lt) {
    const query = { from, to_lt: created_lt, limit: PAGE, archival: undefined, signal }
    const { transactions, previous } = await readTransactions(chain, destination, query)
    const found = transactions.find(receives(key))
    if (found) return found
    from = previous
    yield
  }
  return from.lt > 0n ? null : undefined
}

/** What nobody sent, nobody receives. */
async function* sent(chain: Chain, key: MessageKey, signal: StopSignal): Search {
  yield
  const edge = await accountEdge(chain, key.source, { signal })
  return (await findSource(chain, key, edge, signal)) ? undefined : null
}

/** Lets the searches take turns until one of them knows. One at least must end with a transaction or null. */
const firstToKnow = async (searches: Search[]): Promise<Transaction | null> => {
  for (let left = searches; ; ) {
    const going: Search[] = []
    for (const search of left) {
      const { done, value } = await search.next()
      if (!done) going.push(search)
      else if (value !== undefined) return value
    }
    left = going
  }
}

/**
 * The transaction that sent a message. Throws `notFound` when there is none up to the head, and what the liteserver says
 * when it does not have the block that would tell.
 */
export const locateSource = async (chain: Chain, key: MessageKey, signal: StopSignal): Promise<Transaction> => {
  const found = await findSource(chain, key, await accountEdge(chain, key.source, { signal }), signal)
  if (!found) throw notFound()
  return found
}

/**
 * The transaction that received a message. It is looked for in both directions at once: from the message's lt onward,
 * which finds it soon on a busy account, and from the head backward, which finds it soon on a quiet one. Throws
 * `notFound` when there provably is none up to the head, `timeout` when the caller's time ends before that is known, and
 * what the liteserver says when it does not have what would tell.
 */
export const locateResult = async (chain: Chain, key: MessageKey, signal: StopSignal): Promise<Transaction> => {
  const edge = await accountEdge(chain, key.destination, { signal })
  if (key.created_lt >= edge.end_lt) throw notFound()
  const found = await firstToKnow([
    forward(chain, key, edge, signal),
    backward(chain, key, edge, signal),
    sent(chain, key, signal),
  ])
  if (!found) throw notFound()
  return found
}
