import { getMasterchainInfo } from '../../src/liteserver/client.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { rawAddressUpper } from '../../src/ton/address.ts'
import { type BlockIdExt, blockIdText } from '../../src/ton/block-id.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { blockTransactions } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { createChainWalk } from '../support/chain-walk.ts'

/** A transaction that is on the chain. */
export interface LedgerTransaction {
  /** Raw form in upper case, as the APIs write it. */
  account: string
  lt: bigint
  /** Base64. */
  hash: string
  /** Of the masterchain block that has it, or commits its block. */
  mc_seqno: number
}

export interface LedgerBlock {
  id: BlockIdExt
  /** In the order of the block: by account, then by lt. */
  transactions: readonly LedgerTransaction[]
}

/** Whatever is on the chain, read from its blocks without anything between: what answers are compared with. */
export interface Ledger {
  /** Newest masterchain block that was read. */
  head(): number
  /**
   * Waits until this masterchain block was read; false where the chain has none. Throws when the machine has no time to read
   * it.
   */
  reached(seqno: number): Promise<boolean>
  masterchain(seqno: number): LedgerBlock | undefined
  /** The shard blocks that this masterchain block is the first to commit. */
  shards(seqno: number): readonly LedgerBlock[]
  /** By blockIdText. */
  block(name: string): LedgerBlock | undefined
  /** By lt. */
  transactionsOf(account: string): readonly LedgerTransaction[]
  counts(): { masterchain: number; blocks: number; transactions: number }
  /** Why it reads no more, if something broke. */
  failure(): unknown
  stop(): void
}

const POLL_MS = 100
const LOOK_MS = 20
const PATIENCE_MS = 20_000

export const startLedger = (query: Query): Ledger => {
  const walk = createChainWalk(query)
  const masterchain: LedgerBlock[] = []
  const shards: LedgerBlock[][] = []
  const blocks = new Map<string, LedgerBlock>()
  const accounts = new Map<string, LedgerTransaction[]>()
  let transactionCount = 0
  let failure: unknown
  let stopped = false
  const head = (): number => masterchain.length

  const add = ({ id, data }: { id: BlockIdExt; data: Buffer }, mc_seqno: number): LedgerBlock => {
    const { account_blocks } = parseBlockExtra(parseBlock(parseBocRoot(data)).extra)
    const transactions = Array.from(blockTransactions(account_blocks), ({ account_addr, lt, cell }) => ({
      account: rawAddressUpper({ workchain: id.workchain, hash: account_addr }),
      lt,
      hash: cell.hash().toString('base64'),
      mc_seqno,
    }))
    for (const transaction of transactions) {
      const list = accounts.get(transaction.account)
      if (list) list.push(transaction)
      else accounts.set(transaction.account, [transaction])
    }
    transactionCount += transactions.length
    const block = { id, transactions }
    blocks.set(blockIdText(id), block)
    return block
  }

  const follow = async (): Promise<void> => {
    while (!stopped) {
      const { last } = await getMasterchainInfo(query)
      for (let seqno = head() + 1; seqno <= last.seqno && !stopped; seqno++) {
        const step = await walk.step(seqno)
        shards.push(step.shards.map((block) => add(block, seqno)))
        masterchain.push(add(step.masterchain, seqno))
      }
      await Bun.sleep(POLL_MS)
    }
  }
  void follow().catch((error: unknown) => {
    if (!stopped) failure = error
  })

  return {
    head,
    reached: async (seqno) => {
      const end = performance.now() + PATIENCE_MS
      while (head() < seqno && failure === undefined && performance.now() < end) await Bun.sleep(LOOK_MS)
      if (head() >= seqno) return true
      if ((await getMasterchainInfo(query)).last.seqno < seqno) return false
      throw new Error(`block ${seqno} is on the chain, and was not read in time`)
    },
    masterchain: (seqno) => masterchain[seqno - 1],
    shards: (seqno) => shards[seqno - 1] ?? [],
    block: (name) => blocks.get(name),
    transactionsOf: (account) => accounts.get(account.toUpperCase()) ?? [],
    counts: () => ({ masterchain: head(), blocks: blocks.size, transactions: transactionCount }),
    failure: () => failure,
    stop: () => {
      stopped = true
    },
  }
}
