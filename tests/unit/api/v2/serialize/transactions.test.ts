import { describe, expect, test } from 'bun:test'
import { type Result, resultText } from '../../../../../src/api/v2/dialect.ts'
import {
  blockTransactions,
  blockTransactionsExt,
  extTransaction,
  rawTransactions,
} from '../../../../../src/api/v2/serialize/transactions.ts'
import type { Message } from '../../../../../src/model/message.ts'
import type { Transaction } from '../../../../../src/model/transaction.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../../../../src/ton/block-id.ts'
import { beginCell } from '../../../../../src/ton/builder.ts'

const CELL = beginCell().endCell()
const HASH = Buffer.alloc(32, 0xcd)
const ACCOUNT = { workchain: -1, hash: HASH }

const sent = (fwd_fee: bigint): Message => ({
  hash: HASH,
  source: ACCOUNT,
  destination: ACCOUNT,
  value: 1n,
  extra_currencies: [],
  fwd_fee,
  created_lt: 9n,
  body: CELL,
  init: CELL,
})

const transaction: Transaction = {
  cell: CELL,
  account: ACCOUNT,
  id: { lt: 8n, hash: HASH },
  previous: { lt: 7n, hash: HASH },
  now: 1_700_000_000,
  total_fees: 2n ** 64n,
  storage_fees: 5n,
  in_msg: null,
  out_msgs: [sent(10n), sent(20n)],
}

const LISTED = {
  id: { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno: 5, root_hash: HASH, file_hash: HASH },
  req_count: 40,
  incomplete: false,
  transactions: [transaction],
}

type Shown = Record<string, unknown>
const shown = (value: Result): Shown => JSON.parse(resultText(value, 'toncenter')) as Shown

describe('a transaction', () => {
  test('has as fee what it collected and what its messages cost to forward', () => {
    expect(shown(extTransaction(transaction))).toMatchObject({
      fee: String(2n ** 64n + 30n),
      storage_fee: '5',
      other_fee: String(2n ** 64n + 25n),
    })
  })

  test('without a message that caused it has no in_msg', () => {
    expect('in_msg' in shown(extTransaction(transaction))).toBe(false)
    expect('in_msg' in shown(extTransaction({ ...transaction, in_msg: sent(0n) }))).toBe(true)
  })

  test('names its account in upper-case hex, last in the form for blocks', () => {
    const account = `-1:${'CD'.repeat(32)}`
    expect(Object.keys(shown(extTransaction(transaction))).slice(0, 3)).toEqual(['@type', 'address', 'account'])
    const { transactions } = shown(blockTransactionsExt(LISTED)) as { transactions: Shown[] }
    expect(Object.entries(transactions[0]!).at(-1)).toEqual(['account', account])
  })

  test('is in a page as in a block, but for its type and account', () => {
    const inBlock = shown(blockTransactionsExt(LISTED))
    const page = shown(rawTransactions([transaction, transaction], transaction.previous))
    const [one] = inBlock['transactions'] as Shown[]
    const { account, ...expected } = { ...one, '@type': 'raw.transaction' } as Shown
    expect(account).toBe(`-1:${'CD'.repeat(32)}`)
    expect(page).toMatchObject({ '@type': 'raw.transactions', previous_transaction_id: { lt: '7' } })
    expect(page['transactions']).toEqual([expected, expected])
    expect(inBlock).toMatchObject({ '@type': 'blocks.transactionsExt', req_count: 40, incomplete: false })
  })
})

describe("a block's list of transactions", () => {
  test('names accounts in lower-case hex', () => {
    const listed = { ...LISTED, transactions: [{ account: ACCOUNT, id: transaction.id }] }
    expect(shown(blockTransactions(listed))).toMatchObject({
      '@type': 'blocks.transactions',
      req_count: 40,
      transactions: [{ '@type': 'blocks.shortTxId', mode: 135, account: `-1:${'cd'.repeat(32)}`, lt: '8' }],
    })
  })
})
