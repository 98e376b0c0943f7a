import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { silentLogger } from '../../../src/common/logger.ts'
import { createAnswer } from '../../../src/devnet/answer.ts'
import type { ChainBlock } from '../../../src/devnet/chain.ts'
import { viewAt } from '../../../src/devnet/chain-view.ts'
import { createHead } from '../../../src/devnet/head.ts'
import { masterchainId } from '../../../src/devnet/key-blocks.ts'
import { openStoredChain, type StoredChain } from '../../../src/devnet/stored-chain.ts'
import {
  getAccountState,
  getAllShardsInfo,
  getBlockOutMsgQueueSize,
  getOutMsgQueueSizes,
  getShardBlockProof,
  getTransactions,
} from '../../../src/liteserver/client.ts'
import type { Query } from '../../../src/liteserver/query.ts'
import { devChainFolder } from '../../../src/store/dev-chain-store.ts'
import { MASTERCHAIN } from '../../../src/ton/block-id.ts'
import { checkBlockProof } from '../../../src/ton/block-proof.ts'
import { parseBoc } from '../../../src/ton/boc.ts'
import { checkAccountState } from '../../../src/ton/proof/account.ts'
import { checkBlockTransactionsExt } from '../../../src/ton/proof/block-transactions.ts'
import { PROVEN } from '../../../src/ton/proof/evidence.ts'
import { checkShardBlockProof } from '../../../src/ton/proof/links.ts'
import { checkLookup } from '../../../src/ton/proof/lookup.ts'
import { checkOutMsgQueueSize } from '../../../src/ton/proof/queues.ts'
import { checkAllShards } from '../../../src/ton/proof/shards.ts'
import { decodeAnswer, encodeQuery, type LiteRequest } from '../../../src/ton/tl/lite-api.ts'
import { blockTransactions } from '../../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../../src/ton/tlb/block-extra.ts'
import { parseMcStateExtra } from '../../../src/ton/tlb/mc-state-extra.ts'
import { shardBlockId, shardEntries } from '../../../src/ton/tlb/shard-hashes.ts'
import { parseShardStateUnsplit, shardAccounts } from '../../../src/ton/tlb/shard-state.ts'
import { parseTransaction } from '../../../src/ton/tlb/transaction.ts'
import { checkChain } from '../../support/chain-check/chain-check.ts'
import { startTestNetwork } from '../../support/dev-chain.ts'

/**
 * A network that was made by our own producer, whose shards split and merge, opened again from the disk: its chain is right,
 * and the liteserver's answers about every block of it are proven to the client.
 */

const BLOCKS = 40
const SETUP_MS = 120_000

let folder: string
let chain: StoredChain
let blocks: ChainBlock[]
let query: Query

const committed = (seqno: number): ChainBlock[] => {
  const found: ChainBlock[] = []
  const visit = (block: ChainBlock | undefined): void => {
    if (!block || block.mc_seqno !== seqno || found.includes(block)) return
    for (const id of block.prev) visit(chain.block(id))
    found.push(block)
  }
  const master = chain.masterchain(seqno)!
  for (const entry of shardEntries(parseMcStateExtra(parseShardStateUnsplit(master.state).custom!).shard_hashes))
    visit(chain.block(shardBlockId(entry)))
  return [...found, master]
}

beforeAll(async () => {
  const network = await startTestNetwork({ shards: 2, resplitEvery: 6 })
  folder = network.folder
  for (let i = 0; i < BLOCKS / 5; i++) {
    await network.control.faucet(`0:${(16 * i + 7).toString(16).padStart(2, '0').repeat(32)}`, 1_000_000_000n)
    await network.control.mine(3)
  }
  await network.stop()
  chain = await openStoredChain(devChainFolder(folder), () => [])
  blocks = Array.from({ length: chain.last }, (_, i) => committed(i + 1)).flat()
  const answer = createAnswer(chain, createHead(chain.last), silentLogger)
  query = async (method, args) => {
    const reply = await answer(encodeQuery({ _: method, ...args } as unknown as LiteRequest))
    return decodeAnswer(method, reply!)
  }
}, SETUP_MS)
afterAll(async () => {
  await chain.close()
  rmSync(folder, { recursive: true, force: true })
})

test(
  'the chain is right, with its splits and merges',
  () => {
    const { last, splits, merges, messages } = checkChain(chain)
    expect(last).toBeGreaterThan(BLOCKS / 2)
    expect(splits).toBeGreaterThan(2)
    expect(merges).toBeGreaterThan(0)
    expect(messages.delivered).toBeGreaterThan(BLOCKS / 5)
  },
  SETUP_MS,
)

describe('the liteserver proves', () => {
  test('every masterchain block from every other, with the signatures of all', async () => {
    const idOf = (seqno: number) => masterchainId(viewAt(chain, chain.last), seqno)!
    for (let seqno = 1; seqno <= chain.last; seqno++) expect(chain.signatures(seqno)).toBeDefined()
    for (let from = 0; from <= chain.last; from += 3)
      for (let to = 0; to <= chain.last; to += 4) {
        if (from === to) continue
        const [known_block, target_block] = [idOf(from), idOf(to)]
        const answer = await query('liteServer.getBlockProof', { mode: 1, known_block, target_block })
        expect(checkBlockProof(answer, { known_block, target_block }).complete).toBe(true)
        expect(answer.steps.at(-1)!._).toBe(from < to ? 'liteServer.blockLinkForward' : 'liteServer.blockLinkBack')
      }
  })

  test('shards, and the masterchain block of every shard block', async () => {
    for (const { id, mc_seqno } of blocks)
      if (id.workchain === MASTERCHAIN)
        expect(
          [...shardEntries(checkAllShards(await getAllShardsInfo(query, id), { id }, PROVEN))].length,
        ).toBeGreaterThan(0)
      else
        expect(checkShardBlockProof(await getShardBlockProof(query, id), { id }, PROVEN)).toEqual(
          chain.masterchain(mc_seqno)!.id,
        )
  })

  test('every block by its seqno, lt and time', async () => {
    const mc_block_id = chain.masterchain(chain.last)!.id
    for (const { id, info } of blocks.filter(({ id }) => id.seqno > 1))
      for (const mode of [1, 2, 4]) {
        const { workchain, shard, seqno } = id
        const asked = { mode, id: { workchain, shard, seqno }, mc_block_id, lt: info.start_lt, utime: info.gen_utime }
        const found = checkLookup(await query('liteServer.lookupBlockWithProof', asked), asked, PROVEN)
        if (mode === 4) expect(found.info.gen_utime).toBe(info.gen_utime)
        else expect(found.id).toEqual(id)
      }
  })

  test('every account at old and new blocks', async () => {
    let count = 0
    for (const block of blocks.filter((_, i) => i % 7 === 0 || i > blocks.length - 4)) {
      const master = chain.masterchain(block.mc_seqno)!
      for (const [account, entry] of shardAccounts(parseShardStateUnsplit(block.state).accounts)) {
        const asked = { id: master.id, account: { workchain: block.id.workchain, id: account } }
        const proven = checkAccountState(await getAccountState(query, asked.id, asked.account), asked, PROVEN)
        expect(proven.account!.hash()).toEqual(entry.account.hash())
        count++
      }
    }
    expect(count).toBeGreaterThan(100)
  })

  test('the transactions of every block', async () => {
    for (const { id, root } of blocks) {
      const listed = [...blockTransactions(parseBlockExtra(parseBlock(root).extra).account_blocks)]
      const request = { id, mode: 39, count: 256, after: undefined, reverse_order: false, want_proof: true }
      const answer = await query('liteServer.listBlockTransactionsExt', request)
      const { transactions } = checkBlockTransactionsExt(answer, request, PROVEN)
      expect(transactions.map(({ cell }) => cell.hash())).toEqual(listed.map(({ cell }) => cell.hash()))
    }
  })

  test('the sizes of queues', async () => {
    for (const { id, size } of (await getOutMsgQueueSizes(query, undefined)).shards)
      expect(checkOutMsgQueueSize(await getBlockOutMsgQueueSize(query, id, true), { id }, PROVEN)).toBe(size)
  })
})

test('the history of an account is followed across splits and merges', async () => {
  const newest = new Map<string, { workchain: number; id: Buffer; lt: bigint; hash: Buffer }>()
  const expected = new Map<string, number>()
  for (const { id, root } of blocks)
    for (const { account_addr, lt, cell } of blockTransactions(
      parseBlockExtra(parseBlock(root).extra).account_blocks,
    )) {
      const key = `${id.workchain}:${account_addr.toString('hex')}`
      newest.set(key, { workchain: id.workchain, id: account_addr, lt, hash: cell.hash() })
      expected.set(key, (expected.get(key) ?? 0) + 1)
    }
  for (const [key, { workchain, id, ...last }] of newest) {
    let { lt, hash } = last
    let count = 0
    while (lt > 0n) {
      const { transactions } = await getTransactions(query, { workchain, id }, lt, hash, 16)
      for (const cell of parseBoc(transactions)) {
        const { prev_trans_lt, prev_trans_hash } = parseTransaction(cell)
        ;[lt, hash] = [prev_trans_lt, prev_trans_hash]
        count++
      }
    }
    expect(`${key} ${count}`).toBe(`${key} ${expected.get(key)}`)
  }
})
