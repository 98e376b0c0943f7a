import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { beginParse, type Slice } from '../../../src/ton/slice.ts'
import type { ShardAccount } from '../../../src/ton/tlb/account.ts'
import { accountBlocks, loadAccountBlock, transactionsOf } from '../../../src/ton/tlb/account-blocks.ts'
import { loadAugDict } from '../../../src/ton/tlb/aug-dict.ts'
import {
  addCurrencies,
  type CurrencyCollection,
  currencyAug,
  loadCurrencyCollection,
  NO_CURRENCY,
} from '../../../src/ton/tlb/currency.ts'
import { parseShardAccounts, shardAccount, shardAccounts } from '../../../src/ton/tlb/shard-state.ts'
import { outMsgs, parseHashUpdate, parseTransaction, type Transaction } from '../../../src/ton/tlb/transaction.ts'
import { checkAugDict, checkedExtra } from './augmented.ts'
import type { ReadBlock } from './checked-block.ts'
import { balanceOf, type ReadState } from './checked-state.ts'
import { changedKeys, keyBytes, keyText } from './dictionary-changes.ts'
import type { Need } from './fault.ts'

const NO_ACCOUNT = beginCell().bit(false).endCell().hash()

const hex = (hash: Buffer): string => hash.toString('hex')

/** A block's transactions by the hash of their cells. */
export type BlockTransactions = Map<string, Transaction>

const skipDepthBalance = (slice: Slice): void => {
  slice.skip(5)
  loadCurrencyCollection(slice)
}

const accountBefore = (before: readonly ReadState[], id: Buffer): ShardAccount | null => {
  for (const { state } of before) {
    const found = shardAccount(state.accounts, id)
    if (found) return found
  }
  return null
}

/** The fees that the augmentations of account blocks sum up; they are right down to each transaction. */
export const checkedFees = ({ extra }: ReadBlock): CurrencyCollection => {
  const blocks = loadAugDict(beginParse(extra.account_blocks), loadCurrencyCollection)
  const ofTransactions = (value: Slice): CurrencyCollection => {
    const { transactions } = loadAccountBlock(value)
    const extraOf = (listed: Slice): CurrencyCollection => parseTransaction(listed.ref()).total_fees
    return checkedExtra(transactions, { keyBits: 64, aug: currencyAug, extraOf, what: 'transactions of an account' })
  }
  checkAugDict(blocks, { keyBits: 256, aug: currencyAug, extraOf: ofTransactions, what: 'ShardAccountBlocks' })
  return blocks.extra
}

/** Keys of accounts that differ from those before; a state of two shards, or of a part of one, costs a look at each. */
const changedAccounts = (before: readonly ReadState[], after: ReadState, isSplit: boolean): Iterable<string> => {
  const [old, now] = [before[0]!, after].map(({ state }) => parseShardAccounts(state.accounts).root) as [Cell, Cell]
  if (before.length === 1 && !isSplit) return changedKeys(old, now, 256, skipDepthBalance)
  const changed = new Set<string>()
  for (const [id, { account }] of shardAccounts(after.state.accounts))
    if (!accountBefore(before, id)?.account.hash().equals(account.hash())) changed.add(keyText(id, 256))
  return changed
}

/** What the accounts have that are new without a transaction of their own. */
const putInAmount = (
  before: readonly ReadState[],
  after: ReadState,
  touched: ReadonlySet<string>,
  isSplit: boolean,
  need: Need,
): CurrencyCollection => {
  let sum = NO_CURRENCY
  for (const key of changedAccounts(before, after, isSplit)) {
    if (touched.has(key)) continue
    const id = keyBytes(key)
    const now = shardAccount(after.state.accounts, id)
    const isNew = accountBefore(before, id) === null && now?.last_trans_lt === 0n
    need(isNew, `an account without a transaction has changed: ${hex(id)}`)
    sum = addCurrencies(sum, balanceOf(now!.account).balance)
  }
  return sum
}

/**
 * Each account's transactions lead from the account before to the account after, link by link, inside of the block's lts;
 * and no other account has changed, unless it is one that the block puts in from outside: that must not have been there.
 * Gives the transactions, and what the accounts have that were put in.
 */
export const checkTransactions = (
  { extra, info }: ReadBlock,
  before: readonly ReadState[],
  after: ReadState,
  need: Need,
): { transactions: BlockTransactions; putIn: CurrencyCollection } => {
  const found: BlockTransactions = new Map()
  const touched = new Set<string>()
  for (const block of accountBlocks(extra.account_blocks)) {
    const { account_addr } = block
    const name = `account ${hex(account_addr)}`
    touched.add(keyText(account_addr, 256))
    const old = accountBefore(before, account_addr)
    const now = shardAccount(after.state.accounts, account_addr)
    let hash = old?.account.hash() ?? NO_ACCOUNT
    let last = { hash: old?.last_trans_hash ?? Buffer.alloc(32), lt: old?.last_trans_lt ?? 0n }
    const whole = parseHashUpdate(block.state_update)
    need(whole.old_hash.equals(hash), `${name}: the account block starts from another state`)
    let free = info.start_lt
    for (const { lt, cell } of transactionsOf(block)) {
      const transaction = parseTransaction(cell)
      const { old_hash, new_hash } = parseHashUpdate(transaction.state_update)
      need(
        transaction.account_addr.equals(account_addr) && transaction.lt === lt,
        `${name}: a transaction of another one`,
      )
      need(lt >= free && lt + BigInt(transaction.outmsg_cnt) < info.end_lt, `${name}: lt ${lt} is not in the block`)
      need(old_hash.equals(hash), `${name}: transaction ${lt} starts from another state`)
      need(transaction.now === info.gen_utime, `${name}: transaction ${lt} was made at another time`)
      need(
        !old && last.lt === 0n
          ? true
          : transaction.prev_trans_hash.equals(last.hash) && transaction.prev_trans_lt === last.lt,
        `${name}: transaction ${lt} follows another one`,
      )
      hash = new_hash
      last = { hash: cell.hash(), lt }
      free = lt + BigInt(transaction.outmsg_cnt) + 1n
      found.set(hex(cell.hash()), transaction)
    }
    need(whole.new_hash.equals(hash), `${name}: the account block ends in another state`)
    need((now?.account.hash() ?? NO_ACCOUNT).equals(hash), `${name}: the state has another account`)
    if (now)
      need(now.last_trans_hash.equals(last.hash) && now.last_trans_lt === last.lt, `${name}: another last transaction`)
  }
  return { transactions: found, putIn: putInAmount(before, after, touched, info.after_split, need) }
}

/** Every message that transactions have sent, with the transaction, by hash. */
export const sentMessages = (transactions: BlockTransactions): Map<string, { message: Cell; by: string }> => {
  const sent = new Map<string, { message: Cell; by: string }>()
  for (const [by, transaction] of transactions)
    for (const message of outMsgs(transaction)) sent.set(hex(message.hash()), { message, by })
  return sent
}
