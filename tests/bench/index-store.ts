import { statSync } from 'node:fs'
import { join } from 'node:path'
import { actionNoter } from '../../src/indexer/note-actions.ts'
import { joinTraces } from '../../src/indexer/trace.ts'
import type { Batch } from '../../src/model/batch.ts'
import type { IndexStore } from '../../src/store/index-store.ts'
import { openIndexReader } from '../../src/store/queries/open-index-reader.ts'
import { writeBatch } from '../../src/store/write.ts'
import type { BlockIdExt } from '../../src/ton/block-id.ts'
import { temporaryIndex } from '../support/temporary-index.ts'
import { sampleBatches } from './index-batches.ts'
import { withEntities } from './index-entities.ts'
import { questions } from './index-questions.ts'
import { type Sample, sampleOf } from './index-sample.ts'
import { shiftedBatch } from './shifted-batch.ts'
import { figure, quantile, type Row } from './table.ts'

/** Transactions in the index: 1,000,000 takes some ten minutes. */
const TRANSACTIONS = Number(process.env['TONLITH_BENCH_TRANSACTIONS'] ?? 50_000)
const QUERIES = 200
/** Rows of the pages that are asked for. */
const PAGES = [10, 100]
/** Further than the lts and times of any sample. */
const LT_STEP = 10_000_000n
const SECONDS_STEP = 5
const FIRST_LT = 50_000_000_000_000n
const FIRST_TIME = 1_700_000_000

/** A sample as the `seqno`-th block of a chain: its lts and times behind those of the ones before. */
export const laterBatch = (sample: Batch, seqno: number, previous: BlockIdExt | undefined): Batch => {
  const lowest = sample.transactions[0]?.id.lt ?? 0n
  const lt = FIRST_LT + LT_STEP * BigInt(seqno) - lowest
  return shiftedBatch(sample, { seqno, lt, seconds: FIRST_TIME + SECONDS_STEP * seqno - sample.gen_utime }, previous)
}

/** What was written, and what of it is asked for. */
interface Written {
  name: string
  transactions: number
  /** Transactions and messages. */
  rows: number
  ms: number
  samples: Sample[]
}

/** Fills an index. The batches end with it: they would burden the collector while questions are asked. */
const fill = (index: IndexStore): Written => {
  const { name, batches } = sampleBatches()
  const note = actionNoter(openIndexReader(index))
  const samples: Sample[] = []
  let [transactions, rows, ms] = [0, 0, 0]
  let previous: BlockIdExt | undefined
  for (let i = 0; transactions < TRANSACTIONS; i++) {
    const batch = withEntities(laterBatch(batches[i % batches.length]!, i + 1, previous))
    const start = performance.now()
    writeBatch(index, batch, joinTraces, 'range', note)
    ms += performance.now() - start
    previous = batch.mc
    transactions += batch.transactions.length
    rows += batch.transactions.length + batch.transactions.reduce((sum, { out_msgs }) => sum + 1 + out_msgs.length, 0)
    if (i % 50 === 0 || i < 20) samples.push(sampleOf(batch))
  }
  return { name, transactions, rows, ms, samples }
}

type Question = (i: number) => unknown

interface PageQuestions {
  limit: number
  list: [string, Question][]
}

/** How long one question takes, ms. */
const timed = (ask: Question, i: number): number => {
  const start = performance.now()
  ask(i)
  return performance.now() - start
}

const told = (limit: number, times: readonly number[]): string =>
  `${limit} rows: p50 ${figure(quantile(times, 0.5), 'ms')}, p99 ${figure(quantile(times, 0.99), 'ms')}`

/** How long QUERIES questions take, each about another account, hash or time than those of other sizes of a page. */
const measured = (ask: Question, limit: number): string => {
  const first = limit * QUERIES
  for (let i = 0; i < 20; i++) ask(first + QUERIES + i)
  return told(
    limit,
    Array.from({ length: QUERIES }, (_, i) => timed(ask, first + i)),
  )
}

/** The same for all kinds in turn, about others again: what a caller sees, who asks now this and now that. */
const measuredInTurn = ({ limit, list }: PageQuestions): string => {
  const first = limit * QUERIES + 2 * QUERIES
  return told(limit, Array.from({ length: QUERIES }, (_, i) => list.map(([, ask]) => timed(ask, first + i))).flat())
}

const askAll = (index: IndexStore, samples: readonly Sample[]): Row[] => {
  const reader = openIndexReader(index)
  const bySize = PAGES.map((limit): PageQuestions => ({ limit, list: questions(reader, samples, limit) }))
  return [
    ...bySize[0]!.list.map(([what], i) => ({
      what: `index: ${what}`,
      ours: bySize.map(({ limit, list }) => measured(list[i]![1], limit)).join('; '),
    })),
    { what: 'index: all of these in turn', ours: bySize.map(measuredInTurn).join('; ') },
  ]
}

/** The store alone: how fast parsed batches are written, what they take on disk, how fast they are found. */
export const benchIndexStore = async (): Promise<Row[]> => {
  const { index, folder, remove } = await temporaryIndex()
  try {
    const { name, transactions, rows, ms, samples } = fill(index)
    const bytes = statSync(join(folder, 'data.mdb')).size
    index.environment.renew()
    Bun.gc(true)
    return [
      {
        what: `index: writing ${name}`,
        ours: `${figure((transactions / ms) * 1000, 'transactions/s')}, ${figure((rows / ms) * 1000, 'transactions and messages/s')}`,
      },
      {
        what: `index: on disk, ${transactions.toLocaleString('en-US')} transactions`,
        ours: figure(bytes / transactions, 'bytes/transaction'),
      },
      ...askAll(index, samples),
    ]
  } finally {
    await remove()
  }
}
