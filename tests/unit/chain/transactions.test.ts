import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AccountEdge, createAccountCache } from '../../../src/chain/account-cache.ts'
import { type AccountTransactionsQuery, readTransactions } from '../../../src/chain/transactions.ts'
import type { TransactionId } from '../../../src/model/transaction-id.ts'
import type { Address } from '../../../src/ton/address.ts'
import { accountBlocks, transactionsOf } from '../../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../../src/ton/tlb/block-extra.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { rejectionOf } from '../../support/rejection.ts'

const signal = new AbortController().signal
const ELECTOR: Address = { workchain: -1, hash: Buffer.alloc(32, 0x33) }

/** The account's transactions as the recorded masterchain blocks hold them, newest first. */
const recordedTransactions = ({ hash }: Address): TransactionId[] => {
  const ids: TransactionId[] = []
  for (let seqno = 1; seqno <= recordedChain().last; seqno++) {
    const { account_blocks } = parseBlockExtra(parseBlock(recordedChain().masterchain(seqno)!.root).extra)
    for (const block of accountBlocks(account_blocks))
      if (block.account_addr.equals(hash))
        for (const { lt, cell } of transactionsOf(block)) ids.push({ lt, hash: cell.hash() })
  }
  return ids.reverse()
}

const query: AccountTransactionsQuery = { from: undefined, to_lt: 0n, limit: 10, archival: undefined, signal }

describe("reading an account's transactions", () => {
  let reader: ArchiveReader
  const all = recordedTransactions(ELECTOR)
  beforeAll(async () => {
    reader = await startArchiveReader()
  })
  afterAll(() => reader.stop())

  const read = (some: Partial<AccountTransactionsQuery>) =>
    readTransactions(reader.chain, ELECTOR, { ...query, ...some })
  const idsOf = async (some: Partial<AccountTransactionsQuery>) => (await read(some)).transactions.map(({ id }) => id)

  test('gives as many as asked for, more than a liteserver does at a time', async () => {
    for (const limit of [1, 16, 17, 100]) expect(await idsOf({ limit })).toEqual(all.slice(0, limit))
  })

  test('gives the whole history in pages without gap or repeat', async () => {
    const pages: TransactionId[] = []
    let page = await read({ limit: 333 })
    while (page.transactions.length > 0) {
      pages.push(...page.transactions.map(({ id }) => id))
      page = await read({ limit: 333, from: page.previous })
    }
    expect(pages).toEqual(all)
    expect(page.previous).toEqual({ lt: 0n, hash: Buffer.alloc(32) })
  })

  test('starts with the transaction that was named', async () => {
    expect(await idsOf({ from: all[5]!, limit: 3 })).toEqual(all.slice(5, 8))
  })

  test('ends before to_lt, and names what comes next', async () => {
    const page = await read({ limit: 100, to_lt: all[20]!.lt })
    expect(page.transactions.map(({ id }) => id)).toEqual(all.slice(0, 20))
    expect(page.previous).toEqual(all[20]!)
  })

  test('has nothing beyond a to_lt in the future, and asks for no transactions then', async () => {
    const before = reader.asked()['getTransactions']
    expect(await read({ to_lt: 1n << 60n })).toEqual({ transactions: [], previous: all[0]! })
    expect(reader.asked()['getTransactions']).toBe(before!)
  })

  test('gives the error of the liteserver for a pair that does not fit', async () => {
    const wrong = { lt: all[3]!.lt, hash: all[4]!.hash }
    expect((await rejectionOf(read({ from: wrong })))?.kind).toBe('liteserver')
  })

  test('asks archives alone when told so', async () => {
    const asked: unknown[] = []
    const { pool } = reader.chain
    const run: typeof pool.run = (step, options) => {
      asked.push(options?.archival)
      return pool.run(step, options)
    }
    const chain = { ...reader.chain, pool: { ...pool, run }, edges: createAccountCache<AccountEdge>(1) }
    for (const archival of [true, false, undefined])
      await readTransactions(chain, ELECTOR, { ...query, limit: 1, archival })
    expect(asked).toEqual(['only', 'only', 'any', 'any', 'auto', 'auto'])
  })
})
