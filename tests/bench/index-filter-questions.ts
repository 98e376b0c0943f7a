import type { Page } from '../../src/model/index-records.ts'
import type { IndexReader } from '../../src/store/queries/index-reader.ts'
import { MASTERCHAIN } from '../../src/ton/block-id.ts'
import type { Sample } from './index-sample.ts'

/** Queries with filters that ask more of the index than one walk along a table. */
export const filterQuestions = (
  reader: IndexReader,
  samples: readonly Sample[],
  page: Page,
): [string, (i: number) => unknown][] => {
  const ascending: Page = { ...page, sort: 'asc' }
  const transactions = samples.flatMap((sample) => sample.transactions)
  const messages = samples.flatMap((sample) => sample.messages)
  const at = <T>(list: readonly T[], i: number): T => list[(i * 7919) % list.length]!
  const account = (i: number) => at(transactions, i).account
  const now = (i: number): number => at(transactions, i).now
  const blockOf = (i: number) => {
    const { records } = reader.blocks({ mc_seqno: at(samples, i).seqno }, { limit: 5, offset: 0, sort: 'asc' })
    return records.find(({ id }) => id.workchain !== MASTERCHAIN)!.id
  }
  return [
    ['transactions of an account, upwards', (i) => reader.transactions({ accounts: [account(i)] }, ascending)],
    [
      'transactions of an account at offset 500',
      (i) => reader.transactions({ accounts: [account(i)] }, { ...page, offset: 500 }),
    ],
    [
      'transactions of an account until a time',
      (i) => reader.transactions({ accounts: [account(i)], end_utime: now(i) }, page),
    ],
    [
      'transactions of a shard block',
      (i) => {
        const { workchain, shard, seqno } = blockOf(i)
        return reader.transactions({ workchain, shard, seqno }, page)
      },
    ],
    [
      'transactions by 20 hashes',
      (i) => reader.transactions({ hashes: Array.from({ length: 20 }, (_, n) => at(transactions, i + n).hash) }, page),
    ],
    ['messages from an account', (i) => reader.messages({ source: at(messages, i).destination }, page)],
    [
      'messages to an account until a time',
      (i) => reader.messages({ destination: at(messages, i).destination, end_utime: now(i) }, page),
    ],
    ['messages by opcode', (i) => reader.messages({ opcode: at(messages, i).opcode ?? 0 }, page)],
    [
      'messages to an account by opcode',
      (i) => {
        const { destination, opcode } = at(messages, i)
        return reader.messages({ destination, opcode: opcode ?? 0 }, page)
      },
    ],
    ['messages from outside', () => reader.messages({ only_externals: true }, page)],
    ['messages that were taken', () => reader.messages({ direction: 'in' }, page)],
    ['blocks of a workchain since a time', (i) => reader.blocks({ workchain: 0, start_utime: now(i) }, ascending)],
    ['jetton transfers', () => reader.jettonTransfers({}, page)],
    [
      'actions of an account, of one type',
      (i) => reader.actions({ account: account(i), types: ['jetton_transfer'] }, page),
    ],
    ['actions of a masterchain block', (i) => reader.actions({ mc_seqno: at(samples, i).seqno }, page)],
    ['traces of a masterchain block', (i) => reader.traces({ mc_seqno: at(samples, i).seqno }, page)],
  ]
}
