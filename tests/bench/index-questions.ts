import type { Page } from '../../src/model/index-records.ts'
import type { IndexReader } from '../../src/store/queries/index-reader.ts'
import { MASTERCHAIN } from '../../src/ton/block-id.ts'
import { entityQuestions } from './index-entities.ts'
import { filterQuestions } from './index-filter-questions.ts'
import type { Sample } from './index-sample.ts'

/** Queries of all lists with so many rows a page, and with filters that occur. */
export const questions = (
  reader: IndexReader,
  samples: readonly Sample[],
  limit: number,
): [string, (i: number) => unknown][] => {
  const page: Page = { limit, offset: 0, sort: 'desc' }
  const transactions = samples.flatMap((sample) => sample.transactions)
  const messages = samples.flatMap((sample) => sample.messages)
  const at = <T>(list: readonly T[], i: number): T => list[(i * 7919) % list.length]!
  const deep = reader.transactions({}, { ...page, limit: 1000 }).next ?? undefined
  return [
    ['transactions, newest', () => reader.transactions({}, page)],
    ['transactions behind a cursor', () => reader.transactions({}, { ...page, after: deep })],
    ['transactions at offset 10,000', () => reader.transactions({}, { ...page, offset: 10_000 })],
    ['transactions of an account', (i) => reader.transactions({ accounts: [at(transactions, i).account] }, page)],
    [
      'transactions of an account since a time',
      (i) => {
        const { account, now } = at(transactions, i)
        return reader.transactions({ accounts: [account], start_utime: now }, { ...page, sort: 'asc' })
      },
    ],
    [
      'transactions of 20 accounts',
      (i) =>
        reader.transactions({ accounts: Array.from({ length: 20 }, (_, n) => at(transactions, i + n).account) }, page),
    ],
    ['transactions by hash', (i) => reader.transactions({ hashes: [at(transactions, i).hash] }, page)],
    [
      'transactions since a time',
      (i) => reader.transactions({ start_utime: at(transactions, i).now }, { ...page, sort: 'asc' }),
    ],
    ['transactions of a masterchain block', (i) => reader.transactions({ mc_seqno: at(samples, i).seqno }, page)],
    ['transactions by message', (i) => reader.transactionsByMessage({ msg_hashes: [at(messages, i).hash] }, page)],
    ['transactions by opcode', (i) => reader.transactionsByMessage({ opcode: at(messages, i).opcode ?? 0 }, page)],
    ['adjacent transactions', (i) => reader.adjacent(at(transactions, i).hash, undefined)],
    ['messages, newest', () => reader.messages({}, page)],
    ['messages by hash', (i) => reader.messages({ hashes: [at(messages, i).hash] }, page)],
    ['messages to an account', (i) => reader.messages({ destination: at(messages, i).destination }, page)],
    [
      'messages to an account since a time',
      (i) => {
        const { destination } = at(messages, i)
        return reader.messages({ destination, start_utime: at(transactions, i).now }, { ...page, sort: 'asc' })
      },
    ],
    ['blocks, newest', () => reader.blocks({}, page)],
    ['blocks of the masterchain', () => reader.blocks({ workchain: MASTERCHAIN }, page)],
    [
      'account states with code and data',
      (i) => {
        const accounts = Array.from({ length: limit }, (_, n) => at(transactions, i + n).account)
        return reader
          .accountStates(accounts)
          .map(({ address, code_hash }) => [code_hash && reader.codeOf(code_hash), reader.dataOf(address)])
      },
    ],
    ['accounts by balance', () => reader.topAccounts({ limit, offset: 0 })],
    ['actions, newest', () => reader.actions({}, page)],
    ['actions of an account', (i) => reader.actions({ account: at(transactions, i).account }, page)],
    ['traces, newest', () => reader.traces({}, page)],
    ['traces of an account', (i) => reader.traces({ account: at(transactions, i).account }, page)],
    [
      'a trace with its transactions',
      (i) => {
        const { records } = reader.traces({ tx_hashes: [at(transactions, i).hash] }, page)
        return records.map((trace) => [...reader.traceTransactions(trace, 1000)])
      },
    ],
    ...filterQuestions(reader, samples, page),
    ...entityQuestions(
      reader,
      samples.flatMap(({ owners }) => owners),
      page,
    ),
  ]
}
