import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { listBlockTransactions, listBlockTransactionsExt, type Place } from '../../../src/chain/block-transactions.ts'
import type { Chain } from '../../../src/chain/chain.ts'
import type { Query } from '../../../src/liteserver/query.ts'
import type { BlockIdExt } from '../../../src/ton/block-id.ts'
import { blockTransactions } from '../../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../../src/ton/tlb/block-extra.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { rejectionOf } from '../../support/rejection.ts'

const signal = new AbortController().signal

interface Named {
  account: string
  lt: bigint
  hash: string
}

const named = (account: Buffer, lt: bigint, hash: Buffer): Named => ({
  account: account.toString('hex'),
  lt,
  hash: hash.toString('hex'),
})

/** The recorded block with the most transactions, and these. */
const fullestBlock = (): { id: BlockIdExt; transactions: Named[] } => {
  let fullest: { id: BlockIdExt; transactions: Named[] } | undefined
  for (const [, blocks] of recordedChain().shards(0))
    for (const { id, root } of blocks.filter((block) => block.id.seqno > 0)) {
      const { account_blocks } = parseBlockExtra(parseBlock(root).extra)
      const transactions = Array.from(blockTransactions(account_blocks), ({ account_addr, lt, cell }) =>
        named(account_addr, lt, cell.hash()),
      )
      if (transactions.length > (fullest?.transactions.length ?? 0)) fullest = { id, transactions }
    }
  return fullest!
}

describe("listing a block's transactions", () => {
  let reader: ArchiveReader
  const { id, transactions: all } = fullestBlock()
  beforeAll(async () => {
    reader = await startArchiveReader()
  })
  afterAll(() => reader.stop())

  const { root_hash, file_hash, ...place } = id
  const list = async (
    count: number,
    after?: Place,
    { block = place, chain = reader.chain }: { block?: typeof place | BlockIdExt; chain?: Chain } = {},
  ) => {
    const page = await listBlockTransactions(chain, block, { count, after, signal })
    const ext = await listBlockTransactionsExt(chain, block, { count, after, signal })
    const names = page.transactions.map(({ account, id: { lt, hash } }) => named(account.hash, lt, hash))
    expect(ext.transactions.map((each) => named(each.account.hash, each.id.lt, each.id.hash))).toEqual(names)
    expect({ ...ext, transactions: 0 }).toEqual({ ...page, transactions: 0 })
    return { ...page, names }
  }

  /** The chain through a liteserver that lists no more than so many transactions at a time. */
  const stingy = (most: number): Chain => {
    const { pool } = reader.chain
    const capped =
      (query: Query): Query =>
      (method, args, options) =>
        query(method, 'count' in args ? { ...args, count: Math.min(Number(args.count), most) } : args, options)
    return {
      ...reader.chain,
      pool: { ...pool, run: (step, options) => pool.run((q, at) => step(capped(q), at), options) },
    }
  }

  test('collects what the liteserver gives in several answers', async () => {
    expect((await list(10_000, undefined, { chain: stingy(7) })).names).toEqual(all)
    expect((await list(50, undefined, { chain: stingy(7) })).names).toEqual(all.slice(0, 50))
  })

  test('an answer that brings nothing, and says that there is more, is an error', async () => {
    const error = await rejectionOf(list(10_000, undefined, { chain: stingy(0) }))
    expect(error).toMatchObject({ kind: 'proof' })
  })

  test('gives all of them', async () => {
    const { names, incomplete, req_count, id: answered } = await list(10_000)
    expect(names).toEqual(all)
    expect({ incomplete, req_count, answered }).toEqual({ incomplete: false, req_count: 10_000, answered: id })
  })

  test('gives them in pages without gap or repeat', async () => {
    const pages: Named[] = []
    let incomplete = true
    let after: Place | undefined
    while (incomplete) {
      const page = await list(97, after)
      pages.push(...page.names)
      incomplete = page.incomplete
      const last = page.names.at(-1)!
      after = { account: Buffer.from(last.account, 'hex'), lt: last.lt }
    }
    expect(pages).toEqual(all)
  })

  test('says of a full page that more may follow', async () => {
    expect((await list(all.length)).incomplete).toBe(true)
    expect((await list(all.length + 1)).incomplete).toBe(false)
  })

  test('has nothing behind the last one', async () => {
    const last = all.at(-1)!
    const page = await list(10, { account: Buffer.from(last.account, 'hex'), lt: last.lt })
    expect(page).toMatchObject({ names: [], incomplete: false })
  })

  test('takes the full id of a block', async () => {
    expect((await list(5, undefined, { block: id })).names).toEqual(all.slice(0, 5))
  })
})
