import { isTonlithError } from '../../common/errors.ts'
import { shardContains } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import type { LiteAnswer, LiteRequest } from '../../ton/tl/lite-api.ts'
import { transactionAt } from '../../ton/tlb/account-blocks.ts'
import { parseBlock } from '../../ton/tlb/block.ts'
import { parseBlockExtra } from '../../ton/tlb/block-extra.ts'
import { parseBlockInfo } from '../../ton/tlb/block-info.ts'
import { parseTransaction } from '../../ton/tlb/transaction.ts'
import type { ChainBlock } from '../chain.ts'
import type { ChainView } from '../chain-view.ts'
import { BAD_REQUEST, liteError } from '../lite-error.ts'
import { isFullId, loadBlock } from '../load.ts'
import { bag, prove } from '../proofs.ts'
import type { Handlers } from '../query.ts'

const MAX_TRANSACTIONS = 16

/** The account's transaction with this lt in a block, or null. Opens no further than the header when lt is outside. */
const findTransaction = (root: Cell, account: Buffer, lt: bigint): Cell | null => {
  const block = parseBlock(root)
  const { start_lt, end_lt } = parseBlockInfo(block.info)
  if (lt <= start_lt || lt >= end_lt) return null
  return transactionAt(parseBlockExtra(block.extra).account_blocks, account, lt)
}

type TransactionsRequest = LiteRequest<'liteServer.getTransactions'>

const blockOf = (view: ChainView, { workchain, id }: TransactionsRequest['account'], lt: bigint): ChainBlock => {
  try {
    return view.lookup({ workchain, prefix: id.readBigInt64BE(0) }, 'lt', lt)
  } catch (error) {
    if (!isTonlithError(error, 'liteserver')) throw error
    throw liteError(BAD_REQUEST, `cannot compute block with specified transaction: ${error.message}`)
  }
}

/** Follows the account's transactions back from the one that is named by lt and hash. */
const history = (view: ChainView, request: TransactionsRequest): { block: ChainBlock; cell: Cell }[] => {
  const found: { block: ChainBlock; cell: Cell }[] = []
  const { account } = request
  let lt = BigInt.asUintN(64, request.lt)
  let { hash } = request
  for (let left = Math.min(request.count, MAX_TRANSACTIONS); left > 0 && lt > 0n; left--) {
    const block = blockOf(view, account, lt)
    const cell = findTransaction(block.root, account.id, lt)
    if (!cell) {
      if (found.length > 0) break
      throw liteError(BAD_REQUEST, 'cannot locate transaction in block with specified logical time')
    }
    if (!cell.hash().equals(hash)) throw liteError(BAD_REQUEST, 'transaction hash mismatch')
    found.push({ block, cell })
    const { prev_trans_lt, prev_trans_hash } = parseTransaction(cell)
    lt = prev_trans_lt
    hash = prev_trans_hash
  }
  return found
}

export const transactions = {
  'liteServer.getOneTransaction': ({ view }, { id, account, lt }): LiteAnswer<'liteServer.getOneTransaction'> => {
    if (!isFullId(id)) throw liteError(BAD_REQUEST, 'block id in getOneTransaction() is invalid')
    if (account.workchain !== id.workchain || !shardContains(id.shard, account.id.readBigInt64BE(0)))
      throw liteError(BAD_REQUEST, 'requested account id is not contained in the shard of the specified block')
    const { root } = loadBlock(view, id)
    const { value, proof } = prove(root, (recorded) => findTransaction(recorded, account.id, BigInt.asUintN(64, lt)))
    return { _: 'liteServer.transactionInfo', id, proof: bag(proof), transaction: value ? bag(value) : bag() }
  },
  'liteServer.getTransactions': ({ view }, request) => {
    const found = history(view, request)
    return {
      _: 'liteServer.transactionList',
      ids: found.map(({ block }) => block.id),
      transactions: bag(...found.map(({ cell }) => cell)),
    }
  },
} satisfies Partial<Handlers>
