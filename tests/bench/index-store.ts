import { statSync } from 'node:fs'
import { join } from 'node:path'
import { joinTraces } from '../../src/indexer/trace.ts'
import type { Batch } from '../../src/model/batch.ts'
import type { Page } from '../../src/model/index-records.ts'
import type { IndexReader } from '../../src/store/queries/index-reader.ts'
import { openIndexReader } from '../../src/store/queries/open-index-reader.ts'
import { writeBatch } from '../../src/store/write.ts'
import type { BlockIdExt } from '../../src/ton/block-id.ts'
import { temporaryIndex } from '../support/temporary-index.ts'
import { sampleBatches } from './index-batches.ts'
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

/** Filters that occur, from a batch that was written. */
const questions = (reader: IndexReader, samples: readonly Batch[]): [string, (i: number) => unknown][] => {
  const page: Page = { limit: 100, offset: 0, sort: 'desc' }
  const transactions = samples.flatMap((batch) => batch.transactions)
  const messages = transactions.flatMap(({ out_msgs }) => out_msgs)
  const at = <T>(list: readonly T[], i: number): T => list[(i * 7919) % list.length]!
  const deep = reader.transactions({}, { ...page, limit: 1000 }).next ?? undefined
  return [
    ['transactions, newest', () => reader.transactions({}, page)],
    ['transactions behind a cursor', () => reader.transactions({}, { ...page, after: deep })],
    ['transactions at offset 10,000', () => reader.transactions({}, { ...page, offset: 10_000 })],
    ['transactions of an account', (i) => reader.transactions({ accounts: [at(transactions, i).account] }, page)],
    [
      'transactions of 20 accounts',
      (i) =>
        reader.transactions({ accounts: Array.from({ length: 20 }, (_, n) => at(transactions, i + n).account) }, page),
    ],
    ['transactions by hash', (i) => reader.transactions({ hashes: [at(transactions, i).id.hash] }, page)],
    [
      'transactions since a time',
      (i) => reader.transactions({ start_utime: at(transactions, i).now }, { ...page, sort: 'asc' }),
    ],
    ['transactions of a masterchain block', (i) => reader.transactions({ mc_seqno: at(samples, i).mc.seqno }, page)],
    ['transactions by message', (i) => reader.transactionsByMessage({ msg_hashes: [at(messages, i).hash] }, page)],
    ['transactions by opcode', (i) => reader.transactionsByMessage({ opcode: at(messages, i).opcode ?? 0 }, page)],
    ['adjacent transactions', (i) => reader.adjacent(at(transactions, i).id.hash, undefined)],
    ['messages, newest', () => reader.messages({}, page)],
    ['messages by hash', (i) => reader.messages({ hashes: [at(messages, i).hash] }, page)],
    ['messages to an account', (i) => reader.messages({ destination: at(messages, i).destination }, page)],
    ['blocks, newest', () => reader.blocks({}, page)],
    [
      'account states, 100 with code and data',
      (i) => {
        const accounts = Array.from({ length: 100 }, (_, n) => at(transactions, i + n).account)
        return reader
          .accountStates(accounts)
          .map(({ address, code_hash }) => [code_hash && reader.codeOf(code_hash), reader.dataOf(address)])
      },
    ],
    ['accounts by balance', () => reader.topAccounts({ limit: 100, offset: 0 })],
    ['traces, newest', () => reader.traces({}, page)],
    ['traces of an account', (i) => reader.traces({ account: at(transactions, i).account }, page)],
    [
      'a trace with its transactions',
      (i) => {
        const { records } = reader.traces({ tx_hashes: [at(transactions, i).id.hash] }, page)
        return records.map((trace) => [...reader.traceTransactions(trace, 1000)])
      },
    ],
  ]
}

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
  try {
    const kept: Batch[] = []
    let [written, rows, ms] = [0, 0, 0]
    let previous: BlockIdExt | undefined
    for (let i = 0; written < TRANSACTIONS; i++) {
      const seqno = i + 1
      const batch = shiftedBatch(
        batches[i % batches.length]!,
        { seqno, lt: LT_STEP * BigInt(i), seconds: SECONDS_STEP * i },
        previous,
      )
      const start = performance.now()
      writeBatch(index, batch, joinTraces)
      ms += performance.now() - start
      previous = batch.mc
      written += batch.transactions.length
      rows += batch.transactions.length + batch.transactions.reduce((sum, { out_msgs }) => sum + 1 + out_msgs.length, 0)
      if (i % 50 === 0 || i < 20) kept.push(batch)
    }
    const bytes = statSync(join(folder, 'data.mdb')).size
    index.environment.renew()
    const reader = openIndexReader(index)
    const asked = questions(reader, kept).map(([what, ask]): Row => {
      for (let i = 0; i < 20; i++) ask(i)
      const times = Array.from({ length: QUERIES }, (_, i) => {
        const start = performance.now()
        ask(i)
        return performance.now() - start
      })
      return {
        what: `index: ${what}`,
        ours: `p50 ${figure(quantile(times, 0.5), 'ms')}, p99 ${figure(quantile(times, 0.99), 'ms')}`,
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
