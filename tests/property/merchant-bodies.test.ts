import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { rawAddress } from '../../src/ton/address.ts'
import { merchantParts, transferParts } from '../support/merchant-parts.ts'
import { addressNo } from '../support/payment-samples.ts'
import { ask, type SmallApp, smallApp } from '../support/small-app.ts'
import { type TemporaryPayments, temporaryPayments } from '../support/temporary-payments.ts'

/** Whatever is sent to the merchant API is answered: with what was asked for, or with what is wrong, in one shape. */

let payments: TemporaryPayments
let app: SmallApp
beforeAll(async () => {
  payments = await temporaryPayments()
  app = smallApp({ merchant: merchantParts(transferParts(payments.store)) })
})
afterAll(() => payments.remove())

const address = fc.constantFrom(rawAddress(addressNo(1)), rawAddress(addressNo(2, -1)), `0:${'0'.repeat(64)}`)
const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary' }), fc.constant(undefined))
const order = fc.record({
  amount: fc.oneof(fc.double(), fc.string(), fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String), odd),
  asset: fc.oneof(fc.constantFrom('TON', 'ton', 'USDT'), address, odd),
  senderAddr: fc.oneof(address, odd),
  recipientAddr: fc.oneof(address, odd),
  queryId: fc.oneof(fc.integer(), odd),
  commentToSender: fc.oneof(fc.string(), odd),
  commentToRecipient: fc.oneof(fc.string({ unit: 'binary' }), odd),
})

const isCreated = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && 'reference' in json && 'bodyBase64Hash' in json

test('any body of create-transfer is taken or refused in words', async () => {
  const body = fc.oneof(
    order.map((value) => JSON.stringify(value)),
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.tuple(order, fc.nat()).map(([value, at]) => JSON.stringify(value).slice(0, at % 200)),
  )
  await fc.assert(
    fc.asyncProperty(body, async (text) => {
      const { status, json } = await ask(app, '/api/merchant/v1/create-transfer', { method: 'POST', body: text })
      if (status === 200) expect(isCreated(json)).toBe(true)
      else expect([status, json]).toEqual([422, { error: expect.any(String), code: 422 }])
    }),
    { numRuns: 400 },
  )
})

test('any look-up finds nothing or is refused in words', async () => {
  const query = fc.tuple(fc.constantFrom('reference', 'bodyHash', 'x'), fc.string({ unit: 'binary' }))
  await fc.assert(
    fc.asyncProperty(query, fc.boolean(), async ([name, value], escaped) => {
      const text = escaped ? encodeURIComponent(value.toWellFormed()) : value.replace(/[#\s]/g, '')
      const { status, json } = await ask(app, `/api/merchant/v1/transfer?${name}=${text}`)
      expect([404, 422]).toContain(status)
      expect(json).toEqual({ error: expect.any(String), code: status })
    }),
    { numRuns: 400 },
  )
})
