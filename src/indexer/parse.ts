import type { Batch, BatchAccount, BatchBlock, BatchTransaction } from '../model/batch.ts'
import { readTransactionMessages } from '../model/batch-message.ts'
import type { TransactionId } from '../model/transaction-id.ts'
import type { Address } from '../ton/address.ts'
import { type AccountBlock, accountBlocks, transactionsOf } from '../ton/tlb/account-blocks.ts'
import { parseMerkleUpdate } from '../ton/tlb/block.ts'
import { parseBlockExtra } from '../ton/tlb/block-extra.ts'
import { parseShardStateUnsplit } from '../ton/tlb/shard-state.ts'
import { parseTransaction, type Transaction } from '../ton/tlb/transaction.ts'
import { compareBlockIds, shardTops } from './new-blocks.ts'
import type { OpenedBlock } from './opened-block.ts'
import { readBatchAccount } from './parse-accounts.ts'

/** Order of accounts: workchain, then account id. */
const compareAddresses = (a: Address, b: Address): number => a.workchain - b.workchain || a.hash.compare(b.hash)

const compareTransactions = (a: BatchTransaction, b: BatchTransaction): number =>
  a.id.lt < b.id.lt ? -1 : a.id.lt > b.id.lt ? 1 : compareAddresses(a.account, b.account)

/** Reads the transactions of one account in one block into `into`; gives the last one. */
const readTransactions = (
  account: Address,
  listed: AccountBlock,
  block: number,
  into: BatchTransaction[],
): { id: TransactionId; transaction: Transaction } | undefined => {
  let last: { id: TransactionId; transaction: Transaction } | undefined
  for (const { lt, cell } of transactionsOf(listed)) {
    const transaction = parseTransaction(cell)
    const id = { lt, hash: cell.hash() }
    into.push({ account, id, now: transaction.now, block, cell, ...readTransactionMessages(transaction) })
    last = { id, transaction }
  }
  return last
}

interface ReadBlock {
  block: BatchBlock
  transactions: BatchTransaction[]
  accounts: BatchAccount[]
}

/** What one block holds, `place` being its place in the batch. */
const readBlock = ({ id, root, block, info, prev }: OpenedBlock, place: number): ReadBlock => {
  const { account_blocks, rand_seed, created_by } = parseBlockExtra(block.extra)
  const states = parseShardStateUnsplit(parseMerkleUpdate(block.state_update).new).accounts
  const transactions: BatchTransaction[] = []
  const accounts: BatchAccount[] = []
  for (const listed of accountBlocks(account_blocks)) {
    const address = { workchain: id.workchain, hash: listed.account_addr }
    const last = readTransactions(address, listed, place, transactions)
    if (last) accounts.push(readBatchAccount(address, states, last))
  }
  const { global_id, info: info_cell } = block
  const tx_count = transactions.length
  return {
    block: { id, global_id, info, info_cell, rand_seed, created_by, tx_count, prev, root },
    transactions,
    accounts,
  }
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

/**
 * What the index keeps of a masterchain block and the shard blocks that it commits (`shards`: all of them, from
 * newBlocks, in any order). Throws `malformed` for blocks that do not hold what blocks hold.
 */
export const parseBatch = (masterchain: OpenedBlock, shards: readonly OpenedBlock[]): Batch => {
  const opened = [masterchain, ...shards].sort((a, b) => compareBlockIds(a.id, b.id))
  const read = opened.map(readBlock)
  return {
    mc: masterchain.id,
    gen_utime: masterchain.info.gen_utime,
    blocks: read.map(({ block }) => block),
    shard_tops: shardTops(masterchain),
    transactions: read.flatMap(({ transactions }) => transactions).sort(compareTransactions),
    accounts: lastStates(read.flatMap(({ accounts }) => accounts)),
  }
}
