import { statSync } from 'node:fs'
import { join } from 'node:path'
import { actionNoter } from '../../src/indexer/note-actions.ts'
import { joinTraces } from '../../src/indexer/trace.ts'
import type { Batch } from '../../src/model/batch.ts'
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

/** The store alone: how fast parsed batches are written, what they take on disk, how fast they are found. */
export const benchIndexStore = async (): Promise<Row[]> => {
  const { name, batches } = sampleBatches()
  const { index, folder, remove } = await temporaryIndex()
  const note = actionNoter(openIndexReader(index))
  try {
    const kept: Sample[] = []
    let [written, rows, ms] = [0, 0, 0]
    let previous: BlockIdExt | undefined
    for (let i = 0; written < TRANSACTIONS; i++) {
      const batch = withEntities(laterBatch(batches[i % batches.length]!, i + 1, previous))
      const start = performance.now()
      writeBatch(index, batch, joinTraces, 'range', note)
      ms += performance.now() - start
      previous = batch.mc
      written += batch.transactions.length
      rows += batch.transactions.length + batch.transactions.reduce((sum, { out_msgs }) => sum + 1 + out_msgs.length, 0)
      if (i % 50 === 0 || i < 20) kept.push(sampleOf(batch))
    }
    const bytes = statSync(join(folder, 'data.mdb')).size
    index.environment.renew()
    Bun.gc(true)
    const reader = openIndexReader(index)
    const asked = questions(reader, kept).map(([what, ask]): Row => {
      for (let i = 0; i < 20; i++) ask(i)
      const begun = process.cpuUsage()
      const times = Array.from({ length: QUERIES }, (_, i) => {
        const start = performance.now()
        ask(i)
        return performance.now() - start
      })
      const { user, system } = process.cpuUsage(begun)
      const cpu = (user + system) / 1000 / QUERIES
      return {
        what: `index: ${what}`,
        ours: `p50 ${figure(quantile(times, 0.5), 'ms')}, p99 ${figure(quantile(times, 0.99), 'ms')}, CPU ${figure(cpu, 'ms')}`,
      }
    })
    return [
      {
        what: `index: writing ${name}`,
        ours: `${figure((written / ms) * 1000, 'transactions/s')}, ${figure((rows / ms) * 1000, 'transactions and messages/s')}`,
      },
      {
        what: `index: on disk, ${written.toLocaleString('en-US')} transactions`,
        ours: figure(bytes / written, 'bytes/transaction'),
      },
      ...asked,
    ]
  } finally {
    await remove()
  }
}
