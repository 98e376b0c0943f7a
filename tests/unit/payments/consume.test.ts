import { afterEach, beforeEach, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import { createLogger } from '../../../src/common/logger.ts'
import type { PaymentCursor } from '../../../src/model/payments.ts'
import { startPaymentConsumer } from '../../../src/payments/consume.ts'
import type { PaymentsBehind } from '../../../src/store/payment-rows.ts'
import { listLogged } from '../../../src/store/payments/events.ts'
import { addMerchant } from '../../../src/store/payments/merchants.ts'
import { type AppliedPayment, type FoundPayment, paymentCursor } from '../../../src/store/payments/paid.ts'
import { addTransfer, findTransfer } from '../../../src/store/payments/transfers.ts'
import { sampleMerchant, samplePayment, sampleTransfer, ulidNo } from '../../support/payment-samples.ts'
import { type TemporaryPayments, temporaryPayments } from '../../support/temporary-payments.ts'
import { until } from '../../support/until.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

const merchant = sampleMerchant()
const COUNT = 250

let payments: TemporaryPayments
let ids = 1_000_000
beforeEach(async () => {
  payments = await temporaryPayments()
  addMerchant(payments.store, merchant, 'key', { merchant: merchant.id, name: 'first', created: 1, revoked: null })
  for (let n = 1; n <= COUNT; n++) addTransfer(payments.store, sampleTransfer(n), { ofMerchant: COUNT, ofNobody: 0 })
})
afterEach(() => payments.remove())

const found = (...numbers: number[]): FoundPayment[] =>
  numbers.map((n) => ({ reference: ulidNo(n), payment: samplePayment(n) }))

/** An index with these payments, under a name of its own. */
const indexOf =
  (name: string, rows: readonly FoundPayment[]) =>
  (cursor: PaymentCursor | undefined, limit: number): PaymentsBehind => {
    const from = cursor?.index === name ? cursor.position.readUInt32BE(0) : 0
    const page = rows.slice(from, from + limit)
    const position = Buffer.alloc(4)
    position.writeUInt32BE(from + page.length)
    return { found: page, cursor: page.length > 0 ? { index: name, position } : undefined }
  }

const clock = createVirtualClock()

const startOn = (behind: (cursor: PaymentCursor | undefined, limit: number) => PaymentsBehind | undefined) => {
  const applied: AppliedPayment[] = []
  const consumer = startPaymentConsumer({
    store: payments.store,
    network: 'dev',
    behind,
    newId: () => ulidNo(ids++),
    applied: (some) => applied.push(...some),
    clock,
    logger: createLogger('silent', 'json'),
  })
  return { consumer, applied }
}

const events = (): number => listLogged(payments.store, merchant.id, { limit: 1_000 }).items.length

const all = found(...Array.from({ length: COUNT }, (_, n) => n + 1))

test('every payment becomes an event, in pages; an index made anew, in another order, makes none again', async () => {
  const first = startOn(indexOf('one', all))
  first.consumer.wake()
  await until(async () => (first.applied.length === COUNT ? true : undefined), 'all of them')
  await first.consumer.stop()
  expect(events()).toBe(COUNT)
  const [{ event, transfer }] = first.applied as [AppliedPayment]
  expect(findTransfer(payments.store, ulidNo(1))).toEqual(transfer)
  expect(JSON.parse(event!.body.toString())).toMatchObject({
    event: 'transfer.completed',
    timestamp: '2023-11-14T22:13:20.000Z',
    data: { reference: ulidNo(1), status: 'success', amount: '1.5' },
  })
  const again = startOn(indexOf('two', all.toReversed()))
  again.consumer.wake()
  await until(async () => (paymentCursor(payments.store, 'dev')?.index === 'two' ? true : undefined), 'the cursor')
  await until(
    async () => (paymentCursor(payments.store, 'dev')!.position.readUInt32BE(0) === COUNT ? true : undefined),
    'its end',
  )
  await again.consumer.stop()
  expect(again.applied).toEqual([])
  expect(events()).toBe(COUNT)
})

test('one that ended goes on where it was; a wake that comes while it works is heard', async () => {
  const rows = all.slice(0, 120)
  const first = startOn((cursor, limit) => {
    const page = indexOf('one', rows)(cursor, limit)
    if (page.cursor) first.consumer.wake()
    return page
  })
  first.consumer.wake()
  await until(async () => (first.applied.length > 0 ? true : undefined), 'a page')
  await first.consumer.stop()
  expect(first.applied.length).toBeLessThan(COUNT)
  const second = startOn(indexOf('one', all))
  second.consumer.wake()
  await until(async () => (events() === COUNT ? true : undefined), 'the rest')
  await second.consumer.stop()
  expect(first.applied.length + second.applied.length).toBe(COUNT)
})

/** A disk that was full for long: it must be tried soon after that is over, all the same. */
const FAILURES = 8

test('what cannot be read is tried again; without an index there is nothing to do', async () => {
  const none = startOn(() => undefined)
  none.consumer.wake()
  await none.consumer.stop()
  expect(none.applied).toEqual([])
  let tries = 0
  const flaky = startOn((cursor, limit) => {
    if (tries++ < FAILURES) throw new TonlithError('unavailable', 'not now')
    return indexOf('one', found(7))(cursor, limit)
  })
  flaky.consumer.wake()
  while (tries <= FAILURES) {
    const before = tries
    await until(async () => (clock.sleepers > 0 || tries > before ? true : undefined), 'the pause')
    await clock.advance(3_000)
    await until(async () => (tries > before ? true : undefined), 'the next try')
  }
  await until(async () => (flaky.applied.length === 1 ? true : undefined), 'the payment')
  await flaky.consumer.stop()
})
