import { afterAll, beforeAll, expect, test } from 'bun:test'
import { joinTraces } from '../../../../src/indexer/trace.ts'
import { type TransactionKey, transactionKey } from '../../../../src/model/trace-changes.ts'
import { takenAt } from '../../../../src/store/find.ts'
import { hashKey, messageKey, txKey } from '../../../../src/store/keys.ts'
import { openIndexReader } from '../../../../src/store/queries/open-index-reader.ts'
import { NO_VALUE } from '../../../../src/store/tables.ts'
import { writeBatch } from '../../../../src/store/write.ts'
import { rootOf } from '../../../../src/store/write-traces.ts'
import { recordedBatch } from '../../../support/recorded-batches.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'
import { completedBatch } from '../../../support/recorded-index.ts'
import { type TemporaryIndex, temporaryIndex } from '../../../support/temporary-index.ts'

const LAST = 60

let temporary: TemporaryIndex
const chain = recordedChain()
const batches = Array.from({ length: LAST }, (_, i) => recordedBatch(chain, i + 1))
const sent = batches.flatMap((batch) => batch.transactions).flatMap(({ out_msgs }) => out_msgs)

beforeAll(async () => {
  temporary = await temporaryIndex()
  const { index } = temporary
  for (const batch of batches) writeBatch(index, completedBatch(index, chain, batch), joinTraces)
})

afterAll(() => temporary.remove())

/** Whom the list of the messages of a source names as the taker of one of them. */
const takerOf = ({ hash, source }: (typeof sent)[number]): string | undefined => {
  const { environment, tables } = temporary.index
  environment.renew()
  const { records } = openIndexReader({ ...temporary.index, tables: { ...tables } }).messages(
    { source },
    { limit: 1000, offset: 0, sort: 'asc' },
  )
  return records.find(({ cell }) => cell.hash().equals(hash))?.in_tx?.toString('hex')
}

/** Runs `work` while `place` is listed as the taker of a message, in the place of `instead` where that is given. */
const withTaker = (hash: Buffer, place: TransactionKey, work: () => void, instead?: TransactionKey): void => {
  const { environment, tables } = temporary.index
  const entry = (at: TransactionKey): Buffer => hashKey(hash, messageKey(txKey(at), 0))
  environment.transaction(() => {
    if (instead !== undefined) tables.msg_by_hash.removeSync(entry(instead))
    tables.msg_by_hash.putSync(entry(place), NO_VALUE)
  })
  try {
    work()
  } finally {
    environment.transaction(() => {
      tables.msg_by_hash.removeSync(entry(place))
      if (instead !== undefined) tables.msg_by_hash.putSync(entry(instead), NO_VALUE)
    })
  }
}

test('a hash that only begins like that of a message leads to no other taker', () => {
  const { tables } = temporary.index
  const takers = sent.flatMap((message) => {
    const side = message.kind === 'internal' && message.source ? takenAt(tables, message.hash) : undefined
    return side ? { message, taker: side.transaction, hash: side.row.hash.toString('hex') } : []
  })
  expect(takers.length).toBeGreaterThan(20)
  for (const { message, taker, hash } of takers.slice(0, 20)) {
    const others = batches.flatMap(({ mc, transactions }) =>
      transactions.map(({ index }) => transactionKey(mc.seqno, index)),
    )
    const other = others.find((key) => rootOf(tables, key) !== rootOf(tables, taker))!
    expect(takerOf(message)).toBe(hash)
    withTaker(message.hash, other, () => expect(takerOf(message)).toBe(hash))
    withTaker(message.hash, other, () => expect(takerOf(message)).toBeUndefined(), taker)
    expect(takerOf(message)).toBe(hash)
  }
})
