import { type BlockIdExt, shardContains } from '../block-id.ts'
import { parseBoc } from '../boc.ts'
import type { Cell } from '../cell.ts'
import type { Answer, Arguments } from '../tl/types.ts'
import { transactionAt } from '../tlb/account-blocks.ts'
import { parseBlockExtra } from '../tlb/block-extra.ts'
import { parseTransaction, type Transaction } from '../tlb/transaction.ts'
import { openHeader } from './block.ts'
import { type Evidence, notProven, proofRoot, proving, sameId } from './evidence.ts'

/** A transaction of an account, in the block that the server names. */
export interface ProvenTransaction {
  block: BlockIdExt
  cell: Cell
  transaction: Transaction
}

const readTransaction = (cell: Cell, account_addr: Buffer, lt: bigint): Transaction => {
  const transaction = parseTransaction(cell)
  if (!transaction.account_addr.equals(account_addr)) throw notProven('transaction of another account')
  if (transaction.lt !== lt) throw notProven('transaction with another lt')
  return transaction
}

/**
 * Answer to getTransactions, newest first: the hash of each is named by the one before it, of the first by the request.
 * The blocks are the server's word, of which only the shard is checked. Throws `proof`.
 */
export const checkTransactions = (
  answer: Answer<'liteServer.getTransactions'>,
  request: Arguments<'liteServer.getTransactions'>,
  evidence: Evidence,
): ProvenTransaction[] =>
  proving('transactions', () => {
    const { account } = request
    const cells = answer.transactions.length > 0 ? parseBoc(answer.transactions) : []
    if (cells.length !== answer.ids.length || cells.length > request.count) {
      throw notProven('another number of transactions than said')
    }
    const prefix = account.id.readBigUInt64BE(0)
    let { lt, hash } = request
    return cells.map((cell, i) => {
      if (lt === 0n) throw notProven('transaction before the first one')
      evidence.match(cell, hash, 'transaction')
      const transaction = readTransaction(cell, account.id, lt)
      const block = answer.ids[i]!
      if (block.workchain !== account.workchain || !shardContains(block.shard, prefix)) {
        throw notProven('transaction in a block that cannot hold it')
      }
      lt = transaction.prev_trans_lt
      hash = transaction.prev_trans_hash
      return { block, cell, transaction }
    })
  })

/**
 * Answer to getOneTransaction: the asked block's transaction of the account with this lt, null when the block provably
 * has none. Throws `proof`.
 */
export const checkOneTransaction = (
  answer: Answer<'liteServer.getOneTransaction'>,
  request: Arguments<'liteServer.getOneTransaction'>,
  evidence: Evidence,
): ProvenTransaction | null =>
  proving('transaction', () => {
    const { id, account, lt } = request
    sameId(answer.id, id)
    const { block, info } = openHeader(proofRoot(answer.proof), id, evidence)
    const covered = lt > info.start_lt && lt < info.end_lt
    const named = covered ? transactionAt(parseBlockExtra(block.extra).account_blocks, account.id, lt) : null
    if (!named) {
      if (answer.transaction.length > 0) throw notProven('transaction that its block does not hold')
      return null
    }
    const cell = proofRoot(answer.transaction)
    evidence.match(cell, named.hash(0), 'transaction')
    return { block: id, cell, transaction: readTransaction(cell, account.id, lt) }
  })
