import { hash } from 'node:crypto'
import { viewAt } from '../../src/devnet/chain-view.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../src/ton/block-id.ts'
import { parseAccount } from '../../src/ton/tlb/account.ts'
import { blockTransactions } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { parseShardStateUnsplit, shardAccount } from '../../src/ton/tlb/shard-state.ts'
import { recordedChain } from './recorded-chain.ts'

/** One question, and what its right answer must be by the recording itself. */
interface Question {
  path: string
  isRight(result: unknown): boolean
}

const ELECTOR = Buffer.alloc(32, 0x33)

const balanceOf = (account: Buffer, seqno: number, balance: string): Question => ({
  path: `/api/v2/getAddressBalance?address=-1:${account.toString('hex')}&seqno=${seqno}`,
  isRight: (result) => result === balance,
})

const electorsBalance = (seqno: number): Question => {
  const { state } = recordedChain().masterchain(seqno)!
  const account = parseAccount(shardAccount(parseShardStateUnsplit(state).accounts, ELECTOR)!.account)
  const balance = account._ === 'account' ? String(account.storage.balance.grams) : '0'
  return balanceOf(ELECTOR, seqno, balance)
}

const lookupAt = (lt: bigint): Question => {
  const chain = recordedChain()
  const { id } = viewAt(chain, chain.last).lookup({ workchain: MASTERCHAIN, prefix: SHARD_ALL }, 'lt', lt)
  const root_hash = id.root_hash.toString('base64')
  return {
    path: `/api/v2/lookupBlock?workchain=-1&shard=${SHARD_ALL}&lt=${lt}`,
    isRight: (result) => (result as { root_hash: string }).root_hash === root_hash,
  }
}

const transactionsOf = (seqno: number): Question => {
  const { root, id } = recordedChain().masterchain(seqno)!
  const hashes = Array.from(blockTransactions(parseBlockExtra(parseBlock(root).extra).account_blocks), ({ cell }) =>
    cell.hash().toString('base64'),
  )
  return {
    path: `/api/v2/getBlockTransactions?workchain=-1&shard=${SHARD_ALL}&seqno=${id.seqno}&count=100`,
    isRight: (result) =>
      Bun.deepEquals(
        (result as { transactions: { hash: string }[] }).transactions.map(({ hash }) => hash),
        hashes,
      ),
  }
}

/** The `i`-th of questions that are all different, so that no cache has the answer: of several kinds in turn. */
const question = (i: number): Question => {
  const seqno = 1 + ((i * 7) % recordedChain().last)
  switch (i % 4) {
    case 0:
      return electorsBalance(seqno)
    case 1:
      return lookupAt(BigInt(seqno) * 1_000_000n - BigInt(i))
    case 2:
      return balanceOf(hash('sha256', String(i), 'buffer'), seqno, '0')
    default:
      return transactionsOf(seqno)
  }
}

/** What became of all requests. */
export interface Tally {
  right: number
  /** Requests by status and error, of those that got an envelope with an error. */
  failed: Record<string, number>
  /** Everything that must not be: a wrong answer, a broken connection, something that is no envelope. */
  wrong: string[]
  slowestMs: number
}

interface Envelope {
  ok: boolean
  result?: unknown
  error?: string
  code?: number
}

const judge = async (url: string, { path, isRight }: Question, tally: Tally): Promise<void> => {
  const response = await fetch(url + path, { signal: AbortSignal.timeout(30_000) })
  const { ok, result, error, code } = (await response.json()) as Envelope
  if (response.status === 200 && ok && isRight(result)) tally.right++
  else if (response.status !== 200 && !ok && code === response.status && typeof error === 'string')
    tally.failed[`${code} ${error}`] = (tally.failed[`${code} ${error}`] ?? 0) + 1
  else tally.wrong.push(`${path}: ${response.status} ${JSON.stringify(result ?? error)}`)
}

let asked = 0

/** Keeps `workers` requests to a gateway going until `until` resolves. */
export const checkedLoad = async (url: string, workers: number, until: Promise<unknown>): Promise<Tally> => {
  const tally: Tally = { right: 0, failed: {}, wrong: [], slowestMs: 0 }
  let over = false
  const ended = until.finally(() => {
    over = true
  })
  const work = async (): Promise<void> => {
    while (!over) {
      const next = question(asked++)
      const startedAt = performance.now()
      try {
        await judge(url, next, tally)
      } catch (error) {
        tally.wrong.push(`${next.path}: ${error}`)
      }
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - startedAt)
    }
  }
  await Promise.all([ended, ...Array.from({ length: workers }, work)])
  return tally
}
