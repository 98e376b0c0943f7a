import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { type DictWalk, dictEntries, dictLookup, key64 } from '../dictionary.ts'
import { beginParse, type Slice } from '../slice.ts'
import { skipCurrencyCollection } from './currency.ts'
import { expectTag } from './tag.ts'

/** TL-B AccountBlock: the transactions of one account in one block. */
export interface AccountBlock {
  account_addr: Buffer
  /** The slice at whose start the HashmapAug 64 ^Transaction CurrencyCollection stands in line: transactionsOf */
  transactions: Slice
  /** parseHashUpdate: of the account's state */
  state_update: Cell
}

/** A transaction's cell (for parseTransaction) with the keys under which the block lists it. */
export interface ListedTransaction {
  account_addr: Buffer
  lt: bigint
  cell: Cell
}

/** A place between the transactions of a block: behind (in the order of the walk) this account's transaction. */
export interface TransactionPlace {
  account_addr: Buffer
  lt: bigint
}

type Direction = Omit<DictWalk, 'after' | 'inclusive'>

const rootOf = (account_blocks: Cell): Cell | null => beginParse(account_blocks).maybeRef()

/** TL-B AccountBlock. Throws `malformed`. */
export const loadAccountBlock = (slice: Slice): AccountBlock => {
  expectTag(slice, 4, 5, 'AccountBlock')
  const account_addr = slice.bytes(32)
  return { account_addr, transactions: slice.clone(), state_update: slice.preloadRef(slice.remainingRefs - 1) }
}

/** Writes TL-B AccountBlock; `transactions` is the root of its HashmapAug 64 ^Transaction CurrencyCollection. */
export const storeAccountBlock = (
  builder: Builder,
  { account_addr, transactions, state_update }: Omit<AccountBlock, 'transactions'> & { transactions: Cell },
): Builder => builder.uint(5, 4).bytes(account_addr).slice(beginParse(transactions)).ref(state_update)

/** The AccountBlock of one account (32-byte id) in TL-B ShardAccountBlocks, or null. Opens only the path to it. */
export const accountBlock = (account_blocks: Cell, id: Buffer): AccountBlock | null => {
  const value = dictLookup(rootOf(account_blocks), 256, id)
  if (!value) return null
  skipCurrencyCollection(value)
  return loadAccountBlock(value)
}

/** All AccountBlocks of TL-B ShardAccountBlocks by account id, ascending unless `reverse`. Throws `malformed`. */
export function* accountBlocks(account_blocks: Cell, walk: DictWalk = {}): Generator<AccountBlock> {
  for (const [, value] of dictEntries(rootOf(account_blocks), 256, { ...walk, skipExtra: skipCurrencyCollection })) {
    skipCurrencyCollection(value)
    yield loadAccountBlock(value)
  }
}

/** The transactions of one account in the block by lt, ascending unless `reverse`. Their cells stay closed. */
export function* transactionsOf(
  { account_addr, transactions }: AccountBlock,
  { afterLt, ...walk }: Direction & { afterLt?: bigint } = {},
): Generator<ListedTransaction> {
  const options = {
    ...walk,
    skipExtra: skipCurrencyCollection,
    ...(afterLt !== undefined && { after: key64(afterLt) }),
  }
  for (const [lt, value] of dictEntries(transactions, 64, options)) {
    skipCurrencyCollection(value)
    yield { account_addr, lt: lt.readBigUInt64BE(0), cell: value.ref() }
  }
}

/** The cell of the account's transaction with this lt, or null when the block has none. Opens only the path to it. */
export const transactionAt = (account_blocks: Cell, id: Buffer, lt: bigint): Cell | null => {
  const block = accountBlock(account_blocks, id)
  const value = block && dictLookup(block.transactions, 64, key64(lt))
  if (!value) return null
  skipCurrencyCollection(value)
  return value.ref()
}

/**
 * The transactions of a block by account id, then lt (both descending when `reverse`), behind `after` if given. Opens
 * only the cells on the way to what is taken out of the generator. Throws `malformed`.
 */
export function* blockTransactions(
  account_blocks: Cell,
  { after, ...walk }: Direction & { after?: TransactionPlace } = {},
): Generator<ListedTransaction> {
  const range = after ? { after: after.account_addr, inclusive: true } : {}
  for (const block of accountBlocks(account_blocks, { ...walk, ...range })) {
    const first = after?.account_addr.equals(block.account_addr) === true
    yield* transactionsOf(block, { ...walk, ...(first && { afterLt: after.lt }) })
  }
}
