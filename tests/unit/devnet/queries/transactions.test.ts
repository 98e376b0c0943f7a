import { describe, expect, test } from 'bun:test'
import { embeddedRecording } from '../../../../src/devnet/archive.ts'
import {
  getOneTransaction,
  getTransactions,
  listBlockTransactions,
  listBlockTransactionsExt,
} from '../../../../src/liteserver/client.ts'
import { parseBoc } from '../../../../src/ton/boc.ts'
import { checkBlockTransactions, checkBlockTransactionsExt } from '../../../../src/ton/proof/block-transactions.ts'
import { PROVEN } from '../../../../src/ton/proof/evidence.ts'
import { checkOneTransaction } from '../../../../src/ton/proof/transactions.ts'
import { blockTransactions } from '../../../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../../../src/ton/tlb/block-extra.ts'
import { parseTransaction } from '../../../../src/ton/tlb/transaction.ts'
import { archiveAt } from '../../../support/archive-client.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'

const chain = recordedChain()
const query = archiveAt(chain.last)
const blocks = embeddedRecording().blocks.map(({ id }) => chain.block(id)!)
const transactionsOf = (block: (typeof blocks)[number]) => [
  ...blockTransactions(parseBlockExtra(parseBlock(block.root).extra).account_blocks),
]
const WITH_ALL = 7
const WITH_PROOF = 32
const REVERSE = 64
const AFTER = 128

describe('the transactions of a block', () => {
  test('come in pages of any size, forwards and backwards, with proofs', async () => {
    for (const block of blocks.filter((_, i) => i % 9 === 0)) {
      const all = transactionsOf(block)
      for (const [reverse, count] of [
        [0, 7],
        [REVERSE, 5],
        [0, 256],
      ] as const) {
        const wanted = (reverse ? all.toReversed() : all).map(({ cell }) => cell.hash().toString('hex'))
        const got: string[] = []
        let after: { account: Buffer; lt: bigint } | undefined
        for (let more = true; more; ) {
          const mode = WITH_ALL | WITH_PROOF | reverse | (after ? AFTER : 0)
          const request = { id: block.id, mode, count, after, reverse_order: reverse !== 0, want_proof: true }
          const short = await query('liteServer.listBlockTransactions', request)
          const whole = await query('liteServer.listBlockTransactionsExt', request)
          const { transactions, incomplete } = checkBlockTransactions(short, request, PROVEN)
          const cells = checkBlockTransactionsExt(whole, request, PROVEN).transactions
          expect(cells.map(({ cell }) => cell.hash())).toEqual(transactions.map(({ hash }) => hash))
          got.push(...transactions.map(({ hash }) => hash.toString('hex')))
          const last = transactions.at(-1)
          if (last) after = { account: last.account, lt: last.lt }
          more = incomplete && last !== undefined
        }
        expect(got).toEqual(wanted)
      }
    }
  })

  test('are at most 256 at a time', async () => {
    const answers = [
      await listBlockTransactions(query, blocks[40]!.id, { count: 5_000 }),
      await listBlockTransactionsExt(query, blocks[40]!.id, { count: 5_000 }),
    ]
    for (const { req_count } of answers) expect(req_count).toBe(5_000)
  })

  test('are proven one by one', async () => {
    for (const block of blocks.filter((_, i) => i % 25 === 0)) {
      const { id } = block
      for (const { account_addr, lt, cell } of transactionsOf(block)) {
        const account = { workchain: id.workchain, id: account_addr }
        const answer = await getOneTransaction(query, id, account, lt)
        const proven = checkOneTransaction(answer, { id, account, lt }, PROVEN)
        expect(proven?.cell.hash()).toEqual(cell.hash())
        const none = { id, account: { workchain: id.workchain, id: Buffer.from(account_addr).fill(0xee, 8) }, lt }
        expect(checkOneTransaction(await getOneTransaction(query, id, none.account, lt), none, PROVEN)).toBeNull()
      }
    }
  })
})

describe('the transactions of an account', () => {
  test('follow each other back to the first one, sixteen at a time', async () => {
    const { id, data } = { id: blocks.at(-1)!.id, data: transactionsOf(blocks.at(-1)!) }
    const newest = data.at(-1)!
    const account = { workchain: id.workchain, id: newest.account_addr }
    let { lt } = newest
    let hash = newest.cell.hash()
    let count = 0
    while (lt > 0n) {
      const { ids, transactions } = await getTransactions(query, account, lt, hash, 100)
      const cells = parseBoc(transactions)
      expect(ids.length).toBe(cells.length)
      expect(cells.length).toBeLessThanOrEqual(16)
      for (const cell of cells) {
        expect(cell.hash()).toEqual(hash)
        const { prev_trans_lt, prev_trans_hash } = parseTransaction(cell)
        lt = prev_trans_lt
        hash = prev_trans_hash
        count++
      }
    }
    const expected = blocks
      .filter((block) => block.id.workchain === account.workchain)
      .flatMap(transactionsOf)
      .filter(({ account_addr }) => account_addr.equals(account.id))
    expect(count).toBe(expected.length)
  })

  test('beyond the head are not found', async () => {
    const block = blocks.at(-1)!
    const [{ account_addr, lt, cell }] = transactionsOf(block) as [ReturnType<typeof transactionsOf>[number]]
    const account = { workchain: block.id.workchain, id: account_addr }
    await expect(getTransactions(archiveAt(chain.last - 1), account, lt, cell.hash(), 1)).rejects.toThrow(
      /cannot compute block with specified transaction: .*ltdb: block not found/,
    )
  })
})
