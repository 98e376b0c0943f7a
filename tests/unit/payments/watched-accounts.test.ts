import { afterEach, beforeEach, expect, test } from 'bun:test'
import { watchAccounts } from '../../../src/payments/watched-accounts.ts'
import { addTransfer } from '../../../src/store/payments/transfers.ts'
import { addressNo, sampleTransfer } from '../../support/payment-samples.ts'
import { type TemporaryPayments, temporaryPayments } from '../../support/temporary-payments.ts'

let payments: TemporaryPayments
beforeEach(async () => {
  payments = await temporaryPayments()
})
afterEach(() => payments.remove())

const LIMITS = { ofMerchant: 10, ofNobody: 10 }
const NOW = 1_700_000_000

test('recipients are watched for good, who is to pay while a payment is waited for', () => {
  const watched = watchAccounts(payments.store, 'dev')
  const seen = () => [1, 2, 11, 12, 3].filter((n) => watched.has(addressNo(n)))
  watched.refresh(NOW)
  expect(seen()).toEqual([])
  const jetton_wallets = { sender: addressNo(11), recipient: addressNo(12) }
  addTransfer(payments.store, sampleTransfer(5, { asset: addressNo(4), jetton_wallets }), LIMITS)
  addTransfer(payments.store, sampleTransfer(6, { network: 'testnet', recipient: addressNo(3) }), LIMITS)
  payments.store.renew()
  watched.refresh(NOW)
  expect(seen()).toEqual([1, 2, 11, 12])
  watched.refresh(NOW + 86_400)
  expect(seen()).toEqual([1, 2, 11, 12])
  watched.refresh(NOW + 3 * 86_400)
  expect(seen()).toEqual([2, 12])
})

test('a transfer that is written a little later than its reference says is seen', () => {
  const watched = watchAccounts(payments.store, 'dev')
  addTransfer(payments.store, sampleTransfer(50_000, { recipient: addressNo(21) }), LIMITS)
  watched.refresh(NOW)
  addTransfer(payments.store, sampleTransfer(10, { recipient: addressNo(22) }), LIMITS)
  payments.store.renew()
  watched.refresh(NOW)
  expect([21, 22].map((n) => watched.has(addressNo(n)))).toEqual([true, true])
})
