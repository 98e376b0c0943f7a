import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { dictEntries } from '../dictionary.ts'
import { beginParse, type Slice } from '../slice.ts'
import { type AccountStatus, loadAccountStatus } from './account.ts'
import { type CurrencyCollection, loadCurrencyCollection } from './currency.ts'
import { buildCell, expectTag, parseCell } from './tag.ts'

/** TL-B Transaction with its messages, state update and description still closed; `now` in unix seconds. */
export interface Transaction {
  account_addr: Buffer
  lt: bigint
  prev_trans_hash: Buffer
  prev_trans_lt: bigint
  now: number
  outmsg_cnt: number
  orig_status: AccountStatus
  end_status: AccountStatus
  /** parseMessage */
  in_msg: Cell | null
  /** Root of HashmapE 15 ^(Message Any): outMsgs */
  out_msgs: Cell | null
  total_fees: CurrencyCollection
  /** parseHashUpdate */
  state_update: Cell
  /** parseTransactionDescr */
  description: Cell
}

/** TL-B HASH_UPDATE X. */
export interface HashUpdate {
  old_hash: Buffer
  new_hash: Buffer
}

const loadTransactionMessages = (slice: Slice): Pick<Transaction, 'in_msg' | 'out_msgs'> => ({
  in_msg: slice.maybeRef(),
  out_msgs: slice.maybeRef(),
})

const openTransaction = (slice: Slice): Slice => {
  expectTag(slice, 4, 7, 'Transaction')
  return slice
}

const loadTransaction = (slice: Slice): Transaction => {
  openTransaction(slice)
  const messages = parseCell(slice.ref(), loadTransactionMessages)
  return {
    account_addr: slice.bytes(32),
    lt: slice.uintBig(64),
    prev_trans_hash: slice.bytes(32),
    prev_trans_lt: slice.uintBig(64),
    now: slice.uint(32),
    outmsg_cnt: slice.uint(15),
    orig_status: loadAccountStatus(slice),
    end_status: loadAccountStatus(slice),
    in_msg: messages.in_msg,
    out_msgs: messages.out_msgs,
    total_fees: loadCurrencyCollection(slice),
    state_update: slice.ref(),
    description: slice.ref(),
  }
}

/** TL-B Transaction: reads its root cell and the one that holds the messages. Throws `malformed`. */
export const parseTransaction = (cell: Cell): Transaction => parseCell(cell, loadTransaction)

/** The messages of a TL-B Transaction, of which no other part is read. Throws `malformed`. */
export const parseTransactionMessages = (cell: Cell): Pick<Transaction, 'in_msg' | 'out_msgs'> =>
  parseCell(openTransaction(beginParse(cell)).ref(), loadTransactionMessages)

/** The description of a TL-B Transaction (for parseTransactionDescr), of which no other part is read. Throws `malformed`. */
export const parseTransactionDescription = (cell: Cell): Cell => {
  openTransaction(beginParse(cell))
  return cell.ref(cell.refCount - 1)
}

/** The cells of the messages that a transaction sent, in their order (for parseMessage). Throws `malformed`. */
export function* outMsgs({ out_msgs }: Pick<Transaction, 'out_msgs'>): Generator<Cell> {
  for (const [, value] of dictEntries(out_msgs, 15)) yield value.ref()
}

const loadHashUpdate = (slice: Slice): HashUpdate => {
  expectTag(slice, 8, 0x72, 'HASH_UPDATE')
  return { old_hash: slice.bytes(32), new_hash: slice.bytes(32) }
}

/** TL-B ^(HASH_UPDATE X). Throws `malformed`. */
export const parseHashUpdate = (cell: Cell): HashUpdate => parseCell(cell, loadHashUpdate)

const storeHashUpdate = (builder: Builder, { old_hash, new_hash }: HashUpdate): Builder =>
  builder.uint(0x72, 8).bytes(old_hash).bytes(new_hash)

/** TL-B ^(HASH_UPDATE X). */
export const buildHashUpdate = (update: HashUpdate): Cell => buildCell(storeHashUpdate, update)
