import { TonlithError } from '../common/errors.ts'
import { accountStatus } from '../model/account.ts'
import type { Batch, BatchAccount, BatchBlock, BatchTransaction } from '../model/batch.ts'
import { readTransactionMessages } from '../model/batch-message.ts'
import { compareAddresses } from '../ton/address.ts'
import { blockIdText } from '../ton/block-id.ts'
import { accountBlocks, transactionsOf } from '../ton/tlb/account-blocks.ts'
import { parseMerkleUpdate } from '../ton/tlb/block.ts'
import { parseBlockExtra } from '../ton/tlb/block-extra.ts'
import { parseShardStateUnsplit } from '../ton/tlb/shard-state.ts'
import { parseTransaction } from '../ton/tlb/transaction.ts'
import { compareBlockIds, shardTops } from './new-blocks.ts'
import type { OpenedBlock } from './opened-block.ts'
import { type LastTransaction, readBatchAccount } from './parse-accounts.ts'

const compareTransactions = (a: ReadTransaction, b: ReadTransaction): number =>
  a.id.lt < b.id.lt ? -1 : a.id.lt > b.id.lt ? 1 : compareAddresses(a.account, b.account)

type ReadTransaction = Omit<BatchTransaction, 'index'>

interface ReadBlock {
  block: BatchBlock
  transactions: ReadTransaction[]
  accounts: BatchAccount[]
}

/**
 * How many transactions, messages and extra currencies one block may hold together: a dictionary can list far more than
 * it has cells. Real blocks have some thousands.
 */
const MAX_PARTS = 1 << 18

const weightOf = ({ out_msgs }: Pick<BatchTransaction, 'out_msgs'>): number => 2 + out_msgs.length

/** What an index keeps of a block, beside what the block holds. Throws `malformed`. */
export const batchBlock = ({ id, root, block, info, prev }: OpenedBlock, tx_count: number): BatchBlock => {
  const { rand_seed, created_by } = parseBlockExtra(block.extra)
  return { id, global_id: block.global_id, info, info_cell: block.info, rand_seed, created_by, tx_count, prev, root }
}

/** What one block holds, `place` being its place in the batch. */
const readBlock = (opened: OpenedBlock, place: number): ReadBlock => {
  const { id, block } = opened
  const { account_blocks } = parseBlockExtra(block.extra)
  const states = parseShardStateUnsplit(parseMerkleUpdate(block.state_update).new).accounts
  const transactions: ReadTransaction[] = []
  const accounts: BatchAccount[] = []
  let parts = 0
  const count = (weight: number): void => {
    parts += weight
    if (parts > MAX_PARTS)
      throw new TonlithError('limit', `block ${blockIdText(id)} holds more than ${MAX_PARTS} parts`)
  }
  for (const listed of accountBlocks(account_blocks)) {
    const address = { workchain: id.workchain, hash: listed.account_addr }
    let last: LastTransaction | undefined
    for (const { lt, cell } of transactionsOf(listed)) {
      const transaction = parseTransaction(cell)
      const one = { lt, hash: cell.hash() }
      const read = {
        account: address,
        id: one,
        now: transaction.now,
        orig_status: accountStatus(transaction.orig_status),
        end_status: accountStatus(transaction.end_status),
        block: place,
        cell,
      }
      const messages = readTransactionMessages(transaction)
      count(weightOf(messages))
      transactions.push({ ...read, ...messages })
      last = { id: one, transaction }
    }
    if (!last) continue
    const account = readBatchAccount(address, states, last)
    count(account.extra_currencies.length)
    accounts.push(account)
  }
  return { block: batchBlock(opened, transactions.length), transactions, accounts }
}

/** The last state of each account, where several blocks of a batch hold one. */
const lastStates = (accounts: readonly BatchAccount[]): BatchAccount[] => {
  const last = new Map<string, BatchAccount>()
  for (const account of accounts) {
    const { workchain, hash } = account.address
    const key = `${workchain}:${hash.toString('latin1')}`
    const known = last.get(key)
    if (!known || known.last_transaction.lt < account.last_transaction.lt) last.set(key, account)
  }
  return [...last.values()].sort((a, b) => compareAddresses(a.address, b.address))
}

/** The blocks of a batch, as their places in it are. */
export const inBatchOrder = <B extends Pick<OpenedBlock, 'id'>>(masterchain: B, shards: readonly B[]): B[] =>
  [masterchain, ...shards].sort((a, b) => compareBlockIds(a.id, b.id))

/**
 * What the index keeps of a masterchain block and the shard blocks that it commits (`shards`: all of them, from
 * newBlocks, in any order). Throws `malformed` for blocks that do not hold what blocks hold, `limit` for
 * one that holds more than any block can.
 */
export const parseBatch = (masterchain: OpenedBlock, shards: readonly OpenedBlock[]): Batch => {
  const read = inBatchOrder(masterchain, shards).map(readBlock)
  const transactions = read.flatMap((one) => one.transactions).sort(compareTransactions)
  return {
    mc: masterchain.id,
    gen_utime: masterchain.info.gen_utime,
    blocks: read.map(({ block }) => block),
    shard_tops: shardTops(masterchain),
    transactions: transactions.map((transaction, index) => ({ ...transaction, index })),
    accounts: lastStates(read.flatMap(({ accounts }) => accounts)),
  }
}
