import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paymentsIn, undoAllPayments, undoPaymentsBehind } from '../../../src/cli/undo-payments.ts'
import { silentLogger } from '../../../src/common/logger.ts'
import type { KeyNetwork } from '../../../src/model/api-key.ts'
import { completedBody } from '../../../src/payments/transfer-info.ts'
import { indexFolder, openIndexStore } from '../../../src/store/index-store.ts'
import { appendPayments } from '../../../src/store/payment-rows.ts'
import { openPaymentStore, type PaymentStore } from '../../../src/store/payments/environment.ts'
import { eventsOfTransfer, findDelivery } from '../../../src/store/payments/events.ts'
import { addMerchant } from '../../../src/store/payments/merchants.ts'
import { applyPayments, type FoundPayment } from '../../../src/store/payments/paid.ts'
import { addTransfer, findTransfer, pruneTransfers } from '../../../src/store/payments/transfers.ts'
import { sampleMerchant, samplePayment, sampleTransfer, ulidNo } from '../../support/payment-samples.ts'

const NOW = 1_700_000_200_000
const LIMITS = { ofMerchant: 2, ofNobody: 0 }

let data: string
let store: PaymentStore
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'tonlith-undo-'))
  store = await openPaymentStore(data)
  addMerchant(store, sampleMerchant(), 'key', { merchant: ulidNo(1), name: 'first', created: 1, revoked: null })
  for (const n of [1, 2]) addTransfer(store, sampleTransfer(n), LIMITS)
})
afterEach(async () => {
  await store.close()
  rmSync(data, { recursive: true, force: true })
})

const paid = (n: number, tx: number): FoundPayment => ({
  reference: sampleTransfer(n).reference,
  payment: samplePayment(tx),
})

let made = 100
const applyOn = (network: KeyNetwork, ...found: FoundPayment[]) =>
  applyPayments(store, {
    network,
    cursor: { index: 'ab', position: Buffer.from('cd', 'hex') },
    found,
    now: NOW,
    newId: () => ulidNo(++made),
    body: (transfer, payment) => completedBody(transfer, payment, NOW),
  })

const apply = (...found: FoundPayment[]) => applyOn('dev', ...found)

test('what was paid behind a snapshot is taken back, what was paid before it stays', async () => {
  const [before, second, third] = [paid(1, 1), paid(1, 2), paid(2, 3)]
  const index = await openIndexStore(indexFolder(data), 'test')
  index.environment.transaction(() => {
    appendPayments(index.tables, 10, [before])
    appendPayments(index.tables, 11, [second, third])
  })
  await index.environment.close()
  apply(before, second, third)
  await store.close()

  const noted = await paymentsIn(data, 'test', silentLogger)
  expect(await undoPaymentsBehind(data, 10, noted)).toBe(2)
  expect(await undoPaymentsBehind(data, 10, noted)).toBe(0)

  store = await openPaymentStore(data)
  const paymentsOf = (n: number) => findTransfer(store, sampleTransfer(n).reference)!.payments
  expect([paymentsOf(1), paymentsOf(2)]).toEqual([[before.payment], []])
  const states = [1, 2].flatMap((n) =>
    eventsOfTransfer(store, sampleTransfer(n).reference).map(({ id }) => findDelivery(store, id)!.state),
  )
  expect(states).toEqual(['waiting', 'ignored', 'ignored'])

  // It is unpaid again: it counts as such, is paid as such, and expires.
  addTransfer(store, sampleTransfer(3), LIMITS)
  expect(() => addTransfer(store, sampleTransfer(4), LIMITS)).toThrow('2 transfers that wait')
  expect(apply(paid(2, 9)).map(({ event }) => event !== null)).toEqual([true])
  expect(pruneTransfers(store, 1_800_000_000, 10)).toBe(1)
  expect(findTransfer(store, sampleTransfer(2).reference)?.payments).toEqual([samplePayment(9)])
})

test('a new network takes back all of its own payments, and none of another network', async () => {
  addTransfer(store, { ...sampleTransfer(5), network: 'testnet' }, { ofMerchant: 9, ofNobody: 0 })
  const [one, two, elsewhere] = [paid(1, 1), paid(2, 2), paid(5, 3)]
  apply(one, two)
  applyOn('testnet', elsewhere)
  await store.close()
  expect(await undoAllPayments(data)).toBe(2)
  expect(await undoAllPayments(data)).toBe(0)

  store = await openPaymentStore(data)
  const paymentsOf = (n: number) => findTransfer(store, sampleTransfer(n).reference)!.payments
  expect([paymentsOf(1), paymentsOf(2), paymentsOf(5)]).toEqual([[], [], [elsewhere.payment]])
})

test('without an index there is nothing to take back', async () => {
  expect(await paymentsIn(data, 'test', silentLogger)).toEqual([])
  expect(await undoPaymentsBehind(data, 0, [])).toBe(0)
})
