import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Delivery, MAX_LESSER_PAYMENTS } from '../../../../src/model/payments.ts'
import { changeDelivery, dueDeliveries, dueMerchants, findAttempt } from '../../../../src/store/payments/deliveries.ts'
import { openPaymentStore, type PaymentStore } from '../../../../src/store/payments/environment.ts'
import {
  addEvent,
  attemptsOf,
  eventsOfTransfer,
  findDelivery,
  findEvent,
  listLogged,
  newDelivery,
  pruneEvents,
} from '../../../../src/store/payments/events.ts'
import {
  addMerchant,
  addMerchantKey,
  listMerchantKeys,
  MAX_REVOKED_KEYS,
  revokeMerchantKey,
} from '../../../../src/store/payments/merchants.ts'
import { fullPage } from '../../../../src/store/payments/newest-first.ts'
import { applyPayments, type FoundPayment, paymentCursor } from '../../../../src/store/payments/paid.ts'
import {
  addTransfer,
  findTransfer,
  findTransferByBody,
  hasTransfers,
  listTransfers,
  pruneTransfers,
} from '../../../../src/store/payments/transfers.ts'
import { failureOf } from '../../../support/failure.ts'
import { hashNo, sampleMerchant, samplePayment, sampleTransfer, ulidNo } from '../../../support/payment-samples.ts'

let data: string
let store: PaymentStore
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'tonlith-payments-'))
  store = await openPaymentStore(data)
})
afterEach(async () => {
  await store.close()
  rmSync(data, { recursive: true, force: true })
})

const LIMITS = { ofMerchant: 1000, ofNobody: 1000 }
const merchant = sampleMerchant()
const withMerchant = (): void =>
  addMerchant(store, merchant, 'key', { merchant: merchant.id, name: 'first', created: 1, revoked: null })

test('nobody else may enter the folder', () => {
  expect(statSync(join(data, 'payments')).mode & 0o777).toBe(0o700)
})

test('of the keys that a merchant makes and revokes the newest stay, and those of others', () => {
  withMerchant()
  const other = sampleMerchant({ id: ulidNo(2), name: 'other' })
  const first = { merchant: other.id, name: 'first', created: 1, revoked: null }
  addMerchant(store, other, 'key of other', first)
  revokeMerchantKey(store, other.id, 'first', 1)
  const made = MAX_REVOKED_KEYS + 50
  for (let n = 1; n <= made; n++) {
    addMerchantKey(store, `key ${n}`, { merchant: merchant.id, name: `k${n}`, created: n, revoked: null })
    revokeMerchantKey(store, merchant.id, `k${n}`, n)
  }
  const kept = listMerchantKeys(store, merchant.id)
  expect(kept).toHaveLength(1 + 1 + MAX_REVOKED_KEYS)
  expect([kept[0]?.revoked, kept.at(-1)?.name]).toEqual([null, `k${made}`])
  expect(kept[1]?.name).toBe(`k${made - MAX_REVOKED_KEYS}`)
  expect(listMerchantKeys(store, other.id)).toEqual([{ ...first, revoked: 1 }])
})

describe('transfers', () => {
  test('are found by reference and by body hash, each field as it was', () => {
    expect(hasTransfers(store)).toBe(false)
    const transfer = sampleTransfer(5, {
      asset: { workchain: 0, hash: hashNo(9) },
      jetton_wallets: { sender: { workchain: 0, hash: hashNo(10) }, recipient: { workchain: -1, hash: hashNo(11) } },
      raw_amount: (1n << 120n) - 1n,
      query_id: (1n << 64n) - 1n,
      payments: [samplePayment(1, { error_code: 37, error_message: 'not enough' })],
      ticker: null,
    })
    addTransfer(store, transfer, LIMITS)
    expect(findTransfer(store, ulidNo(5))).toEqual(transfer)
    expect(findTransferByBody(store, hashNo(5))).toEqual(transfer)
    expect(findTransfer(store, ulidNo(6))).toBeUndefined()
    expect(findTransferByBody(store, hashNo(6))).toBeUndefined()
    expect(hasTransfers(store)).toBe(true)
  })

  test('of a rare status are found far back, in turns that keep nobody waiting', async () => {
    store.transaction(() => {
      for (let n = 1; n <= 1_000; n++) addTransfer(store, sampleTransfer(n), LIMITS)
    })
    applyPayments(store, page([3, 1_000].map((n) => ({ reference: ulidNo(n), payment: samplePayment(n) }))))
    let turns = 0
    const first = await fullPage({ limit: 2, status: 'success' } as const, (part) => {
      turns++
      return listTransfers(store, ulidNo(1), part, 0)
    })
    expect(first.items.map(({ reference }) => reference)).toEqual([ulidNo(1_000), ulidNo(3)])
    expect(first.next).toBe(ulidNo(3))
    expect(turns).toBeGreaterThan(3)
    const rest = await fullPage({ limit: 2, before: first.next!, status: 'success' } as const, (part) =>
      listTransfers(store, ulidNo(1), part, 0),
    )
    expect(rest).toEqual({ items: [], next: null })
  })

  test('are listed for their merchant in pages, the newest first', () => {
    for (const n of [2, 3, 4, 5]) addTransfer(store, sampleTransfer(n), LIMITS)
    addTransfer(store, sampleTransfer(6, { merchant: ulidNo(2) }), LIMITS)
    addTransfer(store, sampleTransfer(7, { merchant: null }), LIMITS)
    const now = 1_700_000_000
    const first = listTransfers(store, ulidNo(1), { limit: 3 }, now)
    expect(first.items.map(({ reference }) => reference)).toEqual([5, 4, 3].map(ulidNo))
    expect(first.next).toBe(ulidNo(3))
    const rest = listTransfers(store, ulidNo(1), { limit: 3, before: first.next! }, now)
    expect(rest.items.map(({ reference }) => reference)).toEqual([ulidNo(2)])
    expect(rest.next).toBeNull()
    expect(listTransfers(store, ulidNo(1), { limit: 3, status: 'expired' }, now).items).toEqual([])
    expect(listTransfers(store, ulidNo(1), { limit: 9, status: 'expired' }, 1_800_000_000).items).toHaveLength(4)
  })

  test('that nothing was paid for are removed once they are old', () => {
    withMerchant()
    for (const n of [2, 3, 4]) addTransfer(store, sampleTransfer(n, { expires: n }), LIMITS)
    applyPayments(store, page([{ reference: ulidNo(2), payment: samplePayment(1) }]))
    expect(pruneTransfers(store, 4, 100)).toBe(1)
    expect([2, 3, 4].map((n) => findTransfer(store, ulidNo(n)) !== undefined)).toEqual([true, false, true])
    expect(findTransferByBody(store, hashNo(3))).toBeUndefined()
    expect(listTransfers(store, ulidNo(1), { limit: 9 }, 0).items).toHaveLength(2)
    expect(pruneTransfers(store, 4, 100)).toBe(0)
  })

  test('have room only where others have expired', () => {
    const limits = { ofMerchant: 2, ofNobody: 1 }
    addTransfer(store, sampleTransfer(2, { created: 10, expires: 20 }), limits)
    addTransfer(store, sampleTransfer(3, { created: 10, expires: 20 }), limits)
    addTransfer(store, sampleTransfer(4, { created: 10, expires: 20, merchant: null }), limits)
    const early = sampleTransfer(5, { created: 15, expires: 30 })
    expect(failureOf(() => addTransfer(store, early, limits))).toBe('limit')
    addTransfer(store, sampleTransfer(5, { created: 21, expires: 30 }), limits)
    expect([2, 3, 4, 5].map((n) => findTransfer(store, ulidNo(n)) !== undefined)).toEqual([false, false, true, true])
  })
})

let made = 100
const page = (found: FoundPayment[], position = 1) => ({
  network: 'dev' as const,
  cursor: { index: 'i1', position: Buffer.of(position) },
  found,
  now: 1_700_000_200_000,
  newId: () => ulidNo(made++),
  body: () => Buffer.from('{"event":"x"}'),
})

describe('payments', () => {
  test('make one event and one delivery each, however often they are found', () => {
    withMerchant()
    addTransfer(store, sampleTransfer(2), LIMITS)
    const found = [{ reference: ulidNo(2), payment: samplePayment(1) }]
    const [applied] = applyPayments(store, page(found, 3))
    expect(paymentCursor(store, 'dev')).toEqual({ index: 'i1', position: Buffer.of(3) })
    expect(paymentCursor(store, 'mainnet')).toBeUndefined()
    expect(findTransfer(store, ulidNo(2))?.payments).toEqual([samplePayment(1)])
    const event = applied!.event!
    expect(findEvent(store, event.id)).toEqual(event)
    expect(eventsOfTransfer(store, ulidNo(2))).toEqual([event])
    expect(findDelivery(store, event.id)).toMatchObject({ state: 'waiting', due: 1_700_000_200_000 })
    expect(applyPayments(store, page([...found, ...found], 4))).toEqual([])
    expect(eventsOfTransfer(store, ulidNo(2))).toHaveLength(1)
    expect(applyPayments(store, page([{ reference: ulidNo(2), payment: samplePayment(2) }]))).toHaveLength(1)
  })

  test('of unknown transfers, other networks and nobody make no event', () => {
    withMerchant()
    addTransfer(store, sampleTransfer(2, { network: 'testnet' }), LIMITS)
    addTransfer(store, sampleTransfer(3, { merchant: null }), LIMITS)
    const found = [2, 3, 4].map((n) => ({ reference: ulidNo(n), payment: samplePayment(n) }))
    expect(applyPayments(store, page(found))).toMatchObject([{ event: null, transfer: { reference: ulidNo(3) } }])
    expect(findTransfer(store, ulidNo(3))?.payments).toHaveLength(1)
    expect(dueMerchants(store)).toEqual([])
  })

  test('that fall short are only counted when there are many, and leave room for a full one', () => {
    withMerchant()
    addTransfer(store, sampleTransfer(2), LIMITS)
    const short = Array.from({ length: MAX_LESSER_PAYMENTS + 5 }, (_, n) => ({
      reference: ulidNo(2),
      payment: samplePayment(n, { raw_amount: 1n }),
    }))
    expect(applyPayments(store, page(short))).toHaveLength(MAX_LESSER_PAYMENTS)
    expect(applyPayments(store, page([{ reference: ulidNo(2), payment: samplePayment(900) }]))).toHaveLength(1)
    expect(findTransfer(store, ulidNo(2))).toMatchObject({ more_payments: 5 })
  })

  test('of a page are taken over together or not at all', () => {
    withMerchant()
    addTransfer(store, sampleTransfer(2), LIMITS)
    const found = [1, 2].map((n) => ({ reference: ulidNo(2), payment: samplePayment(n) }))
    let calls = 0
    const body = () => {
      if (++calls === 2) throw new Error('stop')
      return Buffer.from('{}')
    }
    expect(() => applyPayments(store, { ...page(found), body })).toThrow('stop')
    expect(findTransfer(store, ulidNo(2))?.payments).toEqual([])
    expect(paymentCursor(store, 'dev')).toBeUndefined()
    expect(dueMerchants(store)).toEqual([])
  })
})

describe('deliveries', () => {
  const addNo = (n: number, owner: string, created: number): void => {
    const event = {
      id: ulidNo(n),
      merchant: owner,
      reference: null,
      kind: 'transfer.completed' as const,
      test: true,
      body: Buffer.from('{}'),
      created,
    }
    addEvent(store, event, newDelivery(event, merchant))
  }

  test('are due by merchant, in the order of their times', () => {
    addNo(11, ulidNo(1), 300)
    addNo(12, ulidNo(1), 100)
    addNo(13, ulidNo(2), 200)
    expect(dueMerchants(store)).toEqual([
      { merchant: ulidNo(1), due: 100 },
      { merchant: ulidNo(2), due: 200 },
    ])
    expect(dueDeliveries(store, ulidNo(1), { until: 299, limit: 9 })).toEqual([{ event: ulidNo(12), due: 100 }])
    expect(dueDeliveries(store, ulidNo(1), { until: 300, limit: 9 })).toHaveLength(2)
    expect(dueDeliveries(store, ulidNo(1), { until: 300, limit: 1 })).toHaveLength(1)
  })

  test('change together with their attempt and the list of what is due', () => {
    addNo(11, ulidNo(1), 300)
    const attempt = {
      event: ulidNo(11),
      n: 1,
      manual: false,
      url: 'http://a',
      begun: 300,
      ended: null,
      status: null,
      failure: null,
      answer: null,
    }
    const later = (delivery: Delivery) => ({ delivery: { ...delivery, attempts: 1, due: 900 }, attempt })
    expect(changeDelivery(store, ulidNo(11), later)).toMatchObject({ attempts: 1, due: 900 })
    expect(dueMerchants(store)).toEqual([{ merchant: ulidNo(1), due: 900 }])
    expect(findAttempt(store, ulidNo(11), 1)).toEqual(attempt)
    changeDelivery(store, ulidNo(11), (delivery) => ({ delivery: { ...delivery, state: 'delivered', due: null } }))
    expect(dueMerchants(store)).toEqual([])
    expect(attemptsOf(store, ulidNo(11))).toEqual([attempt])
    expect(failureOf(() => changeDelivery(store, ulidNo(12), () => undefined))).toBe('notFound')
  })

  test('are listed by state, and removed with their events when they are over', () => {
    addNo(11, ulidNo(1), 300)
    addNo(12, ulidNo(1), 301)
    changeDelivery(store, ulidNo(11), (delivery) => ({ delivery: { ...delivery, state: 'exhausted', due: null } }))
    const states = (state?: Delivery['state']) =>
      listLogged(store, ulidNo(1), { limit: 9, ...(state && { state }) }).items.map(({ event }) => event.id)
    expect(states()).toEqual([ulidNo(12), ulidNo(11)])
    expect(states('exhausted')).toEqual([ulidNo(11)])
    expect(pruneEvents(store, 1000, 9)).toBe(1)
    expect(states()).toEqual([ulidNo(12)])
    expect(findEvent(store, ulidNo(11))).toBeUndefined()
  })
})
