import { parseBoc } from '../boc.ts'
import type { Cell } from '../cell.ts'
import type { Answer, Arguments } from '../tl/types.ts'
import { blockTransactions, type ListedTransaction } from '../tlb/account-blocks.ts'
import { openExtra } from './block.ts'
import { type Evidence, isOver, notProven, proofRoot, proving, sameId } from './evidence.ts'

/** Transactions of a block, and whether there may be more behind them: a full page does not tell. */
export interface ProvenList<T> {
  transactions: T[]
  incomplete: boolean
}

/** One transaction that listBlockTransactions names. */
export interface TransactionKey {
  account: Buffer
  lt: bigint
  hash: Buffer
}

/** One transaction that listBlockTransactionsExt brings. */
export interface BlockTransaction {
  account: Buffer
  lt: bigint
  cell: Cell
}

type ListRequest = Pick<Arguments<'liteServer.listBlockTransactions'>, 'id' | 'mode' | 'count' | 'after'>
type ListAnswer = Pick<Answer<'liteServer.listBlockTransactions'>, 'id' | 'incomplete' | 'proof'>

const REVERSE = 1 << 6
const AFTER = 1 << 7
/** No liteserver lists more at a time. */
const MAX_LISTED = 256

/** The transactions that the question is about, as the block's proof shows them. */
const walkOf = (proof: Buffer, { id, mode, after }: ListRequest, evidence: Evidence): Generator<ListedTransaction> => {
  const { account_blocks } = openExtra(proofRoot(proof), id, evidence)
  const reverse = (mode & REVERSE) !== 0
  if (!(mode & AFTER) || !after) return blockTransactions(account_blocks, { reverse })
  return blockTransactions(account_blocks, { reverse, after: { account_addr: after.account, lt: after.lt } })
}

/** Takes as many transactions out of the proof as the answer has, and checks what the answer says of the rest. */
const listed = <T>(
  answer: ListAnswer,
  given: readonly T[],
  request: ListRequest,
  evidence: Evidence,
): { pairs: [given: T, named: ListedTransaction][]; incomplete: boolean } => {
  sameId(answer.id, request.id)
  const limit = Math.min(request.count, MAX_LISTED)
  if (given.length > limit) throw notProven('more transactions than asked for')
  const walk = walkOf(answer.proof, request, evidence)
  const pairs = given.map((each): [T, ListedTransaction] => {
    const next = walk.next()
    if (next.done) throw notProven('more transactions than the block holds')
    return [each, next.value]
  })
  const over = isOver(walk)
  const isFull = given.length === limit
  if (over ? answer.incomplete && !isFull : !answer.incomplete || given.length === 0)
    throw notProven('list of transactions that misnames its end')
  return { pairs, incomplete: isFull || !over }
}

/**
 * Answer to listBlockTransactions with a proof: keys of the block's transactions in the asked order, without gaps. The
 * metadata that the mode may ask for is not proven and not given. Throws `proof`.
 */
export const checkBlockTransactions = (
  answer: Answer<'liteServer.listBlockTransactions'>,
  request: ListRequest,
  evidence: Evidence,
): ProvenList<TransactionKey> =>
  proving('list of transactions', () => {
    const { pairs, incomplete } = listed(answer, answer.ids, request, evidence)
    const transactions = pairs.map(([given, { account_addr, lt, cell }]) => {
      const hash = cell.hash(0)
      const same =
        (given.account?.equals(account_addr) ?? true) &&
        (given.lt === undefined || BigInt.asUintN(64, given.lt) === lt) &&
        (given.hash?.equals(hash) ?? true)
      if (!same) throw notProven('transaction in the list differs from its proof')
      return { account: account_addr, lt, hash }
    })
    return { transactions, incomplete }
  })

/** Answer to listBlockTransactionsExt with a proof: the block's transactions in the asked order, without gaps. */
export const checkBlockTransactionsExt = (
  answer: Answer<'liteServer.listBlockTransactionsExt'>,
  request: ListRequest,
  evidence: Evidence,
): ProvenList<BlockTransaction> =>
  proving('list of transactions', () => {
    const cells = answer.transactions.length > 0 ? parseBoc(answer.transactions) : []
    const { pairs, incomplete } = listed(answer, cells, request, evidence)
    const transactions = pairs.map(([cell, { account_addr, lt, cell: named }]) => {
      evidence.match(cell, named.hash(0), 'transaction')
      return { account: account_addr, lt, cell }
    })
    return { transactions, incomplete }
  })
