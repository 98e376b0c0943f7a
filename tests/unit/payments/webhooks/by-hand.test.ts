import { afterAll, beforeAll, expect, test } from 'bun:test'
import { silentLogger } from '../../../../src/common/logger.ts'
import { MAX_ATTEMPTS, makeTestEvent, resendEvent } from '../../../../src/payments/webhooks/by-hand.ts'
import { beginAttempt, ignoreDelivery } from '../../../../src/payments/webhooks/delivery-steps.ts'
import { keepLogShort } from '../../../../src/payments/webhooks/log-retention.ts'
import { changeDelivery } from '../../../../src/store/payments/deliveries.ts'
import { attemptsOf, findDelivery, findEvent, listLogged } from '../../../../src/store/payments/events.ts'
import {
  madeEvents,
  madeMerchant,
  type TemporaryPayments,
  temporaryPayments,
} from '../../../support/temporary-payments.ts'
import { createVirtualClock } from '../../../support/virtual-clock.ts'

let payments: TemporaryPayments
beforeAll(async () => {
  payments = await temporaryPayments()
})
afterAll(() => payments.remove())

const NOW = 1_700_000_000_000

test('a test event looks like a real one, and is marked in the log alone', () => {
  const merchant = madeMerchant(payments.store, 'https://shop.example/')
  for (const status of ['success', 'failed'] as const) {
    const event = makeTestEvent(payments.store, merchant, status, NOW)
    expect(findEvent(payments.store, event.id)).toMatchObject({ test: true, reference: null, merchant: merchant.id })
    expect(findDelivery(payments.store, event.id)).toMatchObject({ state: 'waiting', due: NOW })
    const body = JSON.parse(event.body.toString())
    expect(body).toMatchObject({ event: 'transfer.completed', timestamp: '2023-11-14T22:13:20.000Z' })
    expect(body.data).toMatchObject({ amount: '10.5', rawAmount: '10500000000', asset: 'TON', status })
    expect(body.data.reference).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(Buffer.from(body.data.txHash, 'base64')).toHaveLength(32)
    expect(typeof body.data.errorCode).toBe(status === 'failed' ? 'number' : 'undefined')
    expect(JSON.stringify(body)).not.toMatch(/"test"/)
  }
})

test('test events are not made without end, and not where nothing is sent', () => {
  const merchant = madeMerchant(payments.store, 'https://shop.example/')
  for (let n = 0; n < 10; n++) makeTestEvent(payments.store, merchant, 'success', NOW + n)
  expect(() => makeTestEvent(payments.store, merchant, 'success', NOW + 9_000)).toThrow('many test events')
  makeTestEvent(payments.store, merchant, 'success', NOW + 10_500)
  const silent = madeMerchant(payments.store, null)
  expect(() => makeTestEvent(payments.store, silent, 'success', NOW)).toThrow('nothing can be sent: no URL is set')
  const plain = madeMerchant(payments.store, 'http://shop.example/', 'mainnet')
  expect(() => makeTestEvent(payments.store, plain, 'success', NOW)).toThrow('the URL is not one of https')
})

test('an event is sent again by its own merchant only', () => {
  const merchant = madeMerchant(payments.store, 'https://shop.example/')
  const [event] = madeEvents(payments.store, merchant, 1, NOW)
  changeDelivery(payments.store, event!.id, (found) => ignoreDelivery(found, 'no URL is set', NOW))
  expect(resendEvent(payments.store, merchant, event!.id, NOW + 5)).toMatchObject({
    state: 'waiting',
    reason: null,
    due: NOW + 5,
    manual: true,
    failures: 0,
  })
  const other = madeMerchant(payments.store, 'https://other.example/')
  expect(() => resendEvent(payments.store, other, event!.id, NOW)).toThrow('there is no such event')
})

test('an event is not sent again without end', () => {
  const merchant = madeMerchant(payments.store, 'https://shop.example/')
  const [event] = madeEvents(payments.store, merchant, 1, NOW)
  const attempted = (attempts: number) =>
    changeDelivery(payments.store, event!.id, (delivery) => ({ delivery: { ...delivery, attempts } }))
  attempted(MAX_ATTEMPTS - 1)
  expect(resendEvent(payments.store, merchant, event!.id, NOW)).toMatchObject({ manual: true })
  attempted(MAX_ATTEMPTS)
  expect(() => resendEvent(payments.store, merchant, event!.id, NOW)).toThrow(`${MAX_ATTEMPTS} attempts already`)
})

test('what is over is removed after a while, with its attempts; what waits stays', async () => {
  const merchant = madeMerchant(payments.store, 'https://shop.example/')
  const old = madeEvents(payments.store, merchant, 450, NOW - 100_000)
  const fresh = madeEvents(payments.store, merchant, 3, NOW - 1_000)
  for (const { id } of [...old.slice(1), ...fresh])
    payments.store.transaction(() => {
      changeDelivery(payments.store, id, (found) => beginAttempt(found, 'https://shop.example/', NOW))
      changeDelivery(payments.store, id, (found) => ignoreDelivery(found, 'x', NOW))
    })
  const clock = createVirtualClock()
  const ending = new AbortController()
  const parts = { store: payments.store, retainMs: 50_000, clock, logger: silentLogger, signal: ending.signal }
  const running = keepLogShort(parts)
  await clock.advance(1_000)
  ending.abort()
  await running
  const left = listLogged(payments.store, merchant.id, { limit: 1_000 }).items.map(({ event }) => event.id)
  expect(left.sort()).toEqual([old[0]!, ...fresh].map(({ id }) => id).sort())
  expect(attemptsOf(payments.store, old[1]!.id)).toEqual([])
  expect(attemptsOf(payments.store, fresh[0]!.id)).toHaveLength(1)
})
