import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFigures } from '../../../../src/api/dashboard/kept-figures.ts'
import { MAX_COUNTED, overviewFigures } from '../../../../src/api/dashboard/overview-figures.ts'
import { shareText } from '../../../../src/api/dashboard/overview-page.ts'
import { finish } from '../../../../src/common/steps.ts'
import { makeUlid } from '../../../../src/common/ulid.ts'
import type { Transfer } from '../../../../src/model/payments.ts'
import { openPaymentStore, type PaymentStore } from '../../../../src/store/payments/environment.ts'
import { addEvent, newDelivery } from '../../../../src/store/payments/events.ts'
import { addTransfer } from '../../../../src/store/payments/transfers.ts'
import { addressNo, sampleMerchant, samplePayment, sampleTransfer, ulidNo } from '../../../support/payment-samples.ts'
import { createVirtualClock, settled } from '../../../support/virtual-clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'tonlith-figures-'))
const NOW = Date.UTC(2026, 10, 28, 12)
const DAY = 86_400_000
let store: PaymentStore
let made = 0

const add = (ago: number, changes: Partial<Transfer>): void => {
  made++
  const random = Buffer.alloc(10)
  random.writeUInt32BE(made)
  const at = NOW - ago
  const created = Math.floor(at / 1000)
  const limits = { ofMerchant: 100_000, ofNobody: 0 }
  const of = { reference: makeUlid(at, random), created, expires: created + 86_400, ...changes }
  addTransfer(store, sampleTransfer(made, of), limits)
}

const addTold = (n: number, test: boolean): void => {
  const event = {
    id: makeUlid(NOW - n, Buffer.alloc(10)),
    merchant: sampleMerchant().id,
    reference: null,
    kind: 'transfer.completed' as const,
    test,
    body: Buffer.from('{}'),
    created: NOW - n,
  }
  addEvent(store, event, newDelivery(event, sampleMerchant()))
}

beforeAll(async () => {
  store = await openPaymentStore(folder)
  const failed = samplePayment(1, { status: 'failed', raw_amount: 7n })
  add(60_000, {})
  add(0, { payments: [samplePayment(2, { raw_amount: 10n }), failed, samplePayment(3, { raw_amount: 5n })] })
  add(2 * DAY, { payments: [failed] })
  add(2 * DAY, { asset: addressNo(9), payments: [samplePayment(4, { raw_amount: 2n ** 100n })] })
  add(29 * DAY, {})
  add(30 * DAY, { payments: [samplePayment(5)] })
  addTold(1, false)
  addTold(2, true)
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

describe('the last days', () => {
  test('are counted by what became of transfers, day by day', () => {
    const { transfers, isCut } = finish(overviewFigures(store, sampleMerchant().id, NOW))
    const counts = Object.fromEntries(
      transfers.map(({ day, counts }) => [new Date(day).toISOString().slice(0, 10), counts]),
    )
    expect(transfers).toHaveLength(30)
    expect(isCut).toBe(false)
    expect(counts['2026-11-28']).toEqual([1, 0, 1, 0])
    expect(counts['2026-11-27']).toEqual([0, 0, 0, 0])
    expect(counts['2026-11-26']).toEqual([1, 1, 0, 0])
    expect(counts['2026-10-30']).toEqual([0, 0, 0, 1])
    expect(counts['2026-10-29']).toBeUndefined()
  })

  test('add up what arrived of each asset, to the last unit', () => {
    const { received } = finish(overviewFigures(store, sampleMerchant().id, NOW))
    expect(received.map(({ sample, raw_amount, payments }) => [sample.asset, raw_amount, payments])).toEqual([
      [null, 15n, 2],
      [addressNo(9), 2n ** 100n, 1],
    ])
  })

  test('count no test events', () => {
    const { deliveries } = finish(overviewFigures(store, sampleMerchant().id, NOW))
    expect(deliveries.at(-1)!.counts).toEqual([0, 0, 1, 0])
  })

  test('of another merchant are empty', () => {
    const { transfers, received } = finish(overviewFigures(store, ulidNo(77), NOW))
    expect(transfers.every(({ counts }) => counts.every((count) => count === 0))).toBe(true)
    expect(received).toEqual([])
  })

  test('are counted once for all who ask, and anew when that was some time ago', async () => {
    const clock = createVirtualClock()
    const figuresOf = createFigures({ store, now: () => NOW }, clock)
    const [one, two] = [figuresOf(sampleMerchant().id), figuresOf(sampleMerchant().id)]
    expect(two).toBe(one)
    await clock.advance(100)
    await one
    await settled()
    expect(figuresOf(sampleMerchant().id)).toBe(one)
    await clock.advance(20 * 100)
    expect(figuresOf(sampleMerchant().id)).not.toBe(one)
  })

  test('of very many transfers are those of the newest', () => {
    store.transaction(() => {
      for (let n = 0; n < MAX_COUNTED; n++) add(DAY, { payments: [samplePayment(n)] })
    })
    const { transfers, isCut } = finish(overviewFigures(store, sampleMerchant().id, NOW))
    expect(isCut).toBe(true)
    expect(transfers.at(-2)!.counts[0]).toBe(MAX_COUNTED - 2)
  })
})

test('a share is never told as all, or none, of what it is not', () => {
  expect([shareText(0, 0), shareText(3, 3), shareText(99_999, 100_000), shareText(1, 3)]).toEqual([
    null,
    '100 %',
    '99.9 %',
    '33.3 %',
  ])
})
