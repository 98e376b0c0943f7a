import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPaymentStore, type PaymentStore } from '../../../../src/store/payments/environment.ts'
import { addMerchant, merchantKeyId, revokeMerchantKey } from '../../../../src/store/payments/merchants.ts'
import { addSession, findSession, MAX_SESSIONS, removeSession } from '../../../../src/store/payments/sessions.ts'
import { addTransfer, listTransfers } from '../../../../src/store/payments/transfers.ts'
import {
  addressNo,
  hashNo,
  sampleMerchant,
  samplePayment,
  sampleTransfer,
  ulidNo,
} from '../../../support/payment-samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'tonlith-sessions-'))
const merchant = sampleMerchant()
const KEY = 'tonlith_m_one'
let store: PaymentStore

beforeAll(async () => {
  store = await openPaymentStore(folder)
  addMerchant(store, merchant, KEY, { merchant: merchant.id, name: 'first', created: 1, revoked: null })
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const session = (created: number) => ({
  key: merchantKeyId(KEY).toString('hex'),
  created,
  expires: created + 100,
})

test('a session leads to its merchant until it is over or ended', () => {
  addSession(store, hashNo(1), session(1000))
  expect(findSession(store, hashNo(1), 1099)?.merchant.name).toBe('shop')
  expect(findSession(store, hashNo(1), 1100)).toBeUndefined()
  expect(findSession(store, hashNo(2), 1000)).toBeUndefined()
  removeSession(store, hashNo(1))
  expect(findSession(store, hashNo(1), 1000)).toBeUndefined()
})

test('there are so many of one key, the oldest one goes first, and those that are over go with the next', () => {
  addSession(store, hashNo(99), { ...session(0), expires: 1500 })
  for (let n = 0; n <= MAX_SESSIONS; n++) addSession(store, hashNo(100 + n), session(2000 + n))
  const alive = Array.from(
    { length: MAX_SESSIONS + 1 },
    (_, n) => findSession(store, hashNo(100 + n), 2020) !== undefined,
  )
  expect(alive).toEqual([false, ...Array.from({ length: MAX_SESSIONS }, () => true)])
  expect(store.tables.sessions.get(hashNo(99))).toBeUndefined()
})

test('a session tells that its key is revoked', () => {
  addSession(store, hashNo(3), session(3000))
  revokeMerchantKey(store, merchant.id, 'first', 3001)
  expect(findSession(store, hashNo(3), 3002)?.key.revoked).toBe(3001)
})

test('transfers are listed by who was to pay or has paid, and between two references', () => {
  const limits = { ofMerchant: 100, ofNobody: 100 }
  const paidByOther = { payments: [samplePayment(12, { sender: addressNo(55) })] }
  for (const n of [10, 11, 12, 13])
    addTransfer(
      store,
      sampleTransfer(n, { ...(n === 11 && { sender: addressNo(55) }), ...(n === 12 && paidByOther) }),
      limits,
    )
  const listed = (request: { after?: string; before?: string; sender?: ReturnType<typeof addressNo> }) =>
    listTransfers(store, merchant.id, { limit: 10, ...request }, 0).items.map(({ reference }) => reference)
  expect(listed({ sender: addressNo(55) })).toEqual([12, 11].map(ulidNo))
  expect(listed({ after: ulidNo(11) })).toEqual([13, 12].map(ulidNo))
  expect(listed({ after: ulidNo(10), before: ulidNo(13) })).toEqual([12, 11].map(ulidNo))
})
