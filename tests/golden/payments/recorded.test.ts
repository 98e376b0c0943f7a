import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openIndexKeeping } from '../../../src/cli/index-keeping.ts'
import { openIndexPayments } from '../../../src/cli/index-payments.ts'
import { createLogger } from '../../../src/common/logger.ts'
import { joinTraces } from '../../../src/indexer/trace.ts'
import type { Batch } from '../../../src/model/batch.ts'
import { notePayments, type PaymentSource } from '../../../src/payments/note-payments.ts'
import { openIndexStore } from '../../../src/store/index-store.ts'
import { paymentsBehind } from '../../../src/store/payment-rows.ts'
import { addTransfer } from '../../../src/store/payments/transfers.ts'
import { writeBatch } from '../../../src/store/write.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { recordedBundle } from '../../support/detected-index.ts'
import { transfersOf } from '../../support/made-payment.ts'
import { recordedBatch } from '../../support/recorded-batches.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { recordedDetectionSource } from '../../support/recorded-detection.ts'
import { completedBatch } from '../../support/recorded-index.ts'
import { type RecordedTransfer, recordedTransfers } from '../../support/recorded-transfers.ts'
import { temporaryIndex } from '../../support/temporary-index.ts'
import { type TemporaryPayments, temporaryPayments } from '../../support/temporary-payments.ts'

/** Payments among the real messages of the recorded network, against what @ton/core says that became of them. */

setDefaultTimeout(240_000)

const [FIRST, LAST] = [1, 75]
const NOBODY = `0:${'7'.repeat(64)}`

const chain = recordedChain()
const seqnos = Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i)

let recorded: RecordedTransfer[]
let payments: TemporaryPayments
let folder: string
beforeAll(async () => {
  recorded = recordedTransfers(seqnos.map((seqno) => recordedBatch(chain, seqno)))
  payments = await temporaryPayments()
  const limits = { ofMerchant: recorded.length, ofNobody: 0 }
  for (const { transfer } of recorded) addTransfer(payments.store, transfer, limits)
  folder = mkdtempSync(join(tmpdir(), 'tonlith-paid-'))
})
afterAll(async () => {
  await payments.remove()
  rmSync(folder, { recursive: true, force: true })
})

const hexOf = (hash: Buffer): string => hash.toString('hex')

const foundBy = async (name: string, chosen: readonly string[] | undefined) => {
  const path = join(folder, name)
  const opened = await openIndexPayments(payments.data, 'dev', createLogger('silent', 'json'))
  const keeping = await openIndexKeeping({
    folder: path,
    network: 'recorded',
    chosen: { read: () => chosen },
    retain: 'forever',
    fetchAccount: recordedDetectionSource(chain).fetchAccount,
    detection: undefined,
    payments: opened,
  })
  for (const seqno of seqnos) await keeping.store(recordedBundle(chain, seqno))
  await keeping.close()
  await opened?.close()
  const index = await openIndexStore(path, 'recorded', { readOnly: true })
  try {
    return paymentsBehind(index.tables, undefined, 10_000).found.map(({ reference, payment }) => ({
      reference,
      status: payment.status,
      raw_amount: payment.raw_amount,
      tx_hash: hexOf(payment.tx_hash),
      sender: rawAddress(payment.sender),
    }))
  } finally {
    await index.environment.close()
  }
}

test('an index of all accounts, and one that was told of no account but by the transfers, find what became of each', async () => {
  const kinds = new Map<string, number>()
  for (const { transfer, expected } of recorded) {
    const kind = `${transfer.asset ? 'jetton' : 'native'} ${expected.status}`
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  expect([...kinds.keys()].sort()).toEqual(['jetton failed', 'jetton success', 'native failed', 'native success'])
  expect(Math.min(...kinds.values())).toBeGreaterThan(3)
  for (const chosen of [undefined, [NOBODY]]) {
    const found = await foundBy(chosen ? 'chosen' : 'whole', chosen)
    const byTransaction = new Map(found.map((one) => [`${one.reference} ${one.tx_hash}`, one]))
    expect(byTransaction.size).toBe(found.length)
    for (const { transfer, expected } of recorded) {
      const key = `${transfer.reference} ${expected.tx_hash}`
      expect(byTransaction.get(key)).toEqual({ reference: transfer.reference, ...expected })
      byTransaction.delete(key)
    }
    expect([...byTransaction.values()]).toEqual([])
  }
})

/** As if in every trace a message were under way for ever. */
const endless: typeof joinTraces = (batch, stored) => {
  const { put, ...rest } = joinTraces(batch, stored)
  return { ...rest, put: put.map((trace) => ({ ...trace, state: 'pending' as const })) }
}

test('a payment whose trace never ends is told after a while', async () => {
  const { index, remove } = await temporaryIndex()
  try {
    const source: PaymentSource = { any: () => true, ...transfersOf(...recorded.map(({ transfer }) => transfer)) }
    const placeOf = new Map<string, number>()
    for (const seqno of seqnos) {
      const batch = recordedBatch(chain, seqno)
      for (const { id } of batch.transactions) placeOf.set(id.hash.toString('hex'), seqno)
      index.environment.renew()
      const note = (written: Batch): void => notePayments(index, written, source)
      writeBatch(index, completedBatch(index, chain, batch), endless, 'range', undefined, note)
    }
    const told = paymentsBehind(index.tables, undefined, 10_000).found.map(({ payment }) => hexOf(payment.tx_hash))
    const within = (blocks: number): string[] =>
      recorded.flatMap(({ expected: { tx_hash } }) => {
        const seqno = placeOf.get(tx_hash)!
        return seqno - FIRST >= blocks && LAST - seqno >= blocks ? [tx_hash] : []
      })
    // What a jetton's first wallet begins stands some blocks before what its second one ends.
    expect(within(35).length).toBeGreaterThan(10)
    expect(within(35).filter((hash) => !told.includes(hash))).toEqual([])
    expect(told.filter((hash) => !within(29).includes(hash))).toEqual([])
  } finally {
    await remove()
  }
})
