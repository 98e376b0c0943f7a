import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { joinTraces } from '../../../../src/indexer/trace.ts'
import { type TransactionKey, transactionKey } from '../../../../src/model/trace-changes.ts'
import { takenAt, transactionRow } from '../../../../src/store/find.ts'
import { pruneOldest } from '../../../../src/store/prune.ts'
import { isAlone } from '../../../../src/store/queries/message-rows.ts'
import { writeBatch } from '../../../../src/store/write.ts'
import { MASTERCHAIN } from '../../../../src/ton/block-id.ts'
import { recordedBatch } from '../../../support/recorded-batches.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'
import { completedBatch } from '../../../support/recorded-index.ts'
import { type TemporaryIndex, temporaryIndex } from '../../../support/temporary-index.ts'

setDefaultTimeout(120_000)

const SEQNOS = Array.from({ length: 60 }, (_, i) => 100 + i)
const chain = recordedChain()
const batches = new Map(SEQNOS.map((seqno) => [seqno, recordedBatch(chain, seqno)]))
const sent = [...batches.values()].flatMap(({ mc, transactions }) =>
  transactions.flatMap(({ index, out_msgs }) =>
    out_msgs.map((message) => ({ sender: transactionKey(mc.seqno, index), message })),
  ),
)

let temporary: TemporaryIndex
beforeEach(async () => {
  temporary = await temporaryIndex()
})
afterEach(() => temporary.remove())

/** How many messages the trace tells to be taken by none that is stored; fails where the cells tell otherwise. */
const notTaken = (isWritten: (sender: TransactionKey) => boolean): number => {
  const { index } = temporary
  index.environment.renew()
  const alone = sent.filter(({ sender }) => isWritten(sender) && isAlone(index, sender))
  for (const { message } of alone) expect(takenAt(index.tables, message.hash)).toBeUndefined()
  return alone.length
}

describe.each([
  ['upwards', SEQNOS],
  ['downwards', SEQNOS.toReversed()],
  ['in thirds', [2, 0, 1].flatMap((rest) => SEQNOS.filter((seqno) => seqno % 3 === rest))],
] as const)('filled %s', (_, seqnos) => {
  test('nobody took what one sent that is alone in its trace', () => {
    const { index } = temporary
    const written = new Set<bigint>()
    const counts = seqnos.map((seqno, i) => {
      const batch = completedBatch(index, chain, batches.get(seqno)!)
      writeBatch(index, batch, joinTraces)
      for (const { index: n } of batch.transactions) written.add(transactionKey(seqno, n))
      return i % 5 === 0 ? notTaken((sender) => written.has(sender)) : 0
    })
    expect(Math.max(...counts)).toBeGreaterThan(2)
    const taken = sent.filter(({ message }) => takenAt(index.tables, message.hash))
    expect(taken.length).toBeGreaterThan(20)
    for (const { sender } of taken) expect(isAlone(index, sender)).toBe(false)
    for (let n = 0; n < 20; n++) pruneOldest(index)
    notTaken(() => true)
    for (const seqno of seqnos.filter((seqno) => seqno < 120).toReversed())
      writeBatch(index, completedBatch(index, chain, batches.get(seqno)!), joinTraces)
    notTaken(() => true)
  })
})

test('a trace tells nothing of what the account of the system sent', () => {
  const { index } = temporary
  const senders = SEQNOS.values().flatMap((seqno) => {
    writeBatch(index, completedBatch(index, chain, batches.get(seqno)!), joinTraces)
    index.environment.renew()
    return sent.map(({ sender }) => sender).filter((one) => isAlone(index, one))
  })
  const sender = senders.next().value!
  const { account } = transactionRow(index.tables, sender)!
  const { addresses } = index
  const find: typeof addresses.find = (address) =>
    address?.workchain === MASTERCHAIN && address.hash.every((byte) => byte === 0) ? account : addresses.find(address)
  expect(isAlone({ ...index, addresses: { ...addresses, find } }, sender)).toBe(false)
  expect(isAlone(index, transactionKey(1, 0))).toBe(false)
})
