import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openApiMerchantDocument } from '../../../../src/api/docs/openapi-merchant.ts'
import { MERCHANT_ROUTES } from '../../../../src/api/merchant/route-table.ts'
import { beginAttempt, endAttempt } from '../../../../src/payments/webhooks/delivery-steps.ts'
import { changeDelivery } from '../../../../src/store/payments/deliveries.ts'
import { addMerchant, changeMerchant } from '../../../../src/store/payments/merchants.ts'
import { type OpenApi, schemaCheck } from '../../../support/answer-schema.ts'
import { merchantParts, NOW, transferParts } from '../../../support/merchant-parts.ts'
import { sampleMerchant, ulidNo } from '../../../support/payment-samples.ts'
import { ask, post, type Seen, type SmallApp, smallApp } from '../../../support/small-app.ts'
import { madeEvents, type TemporaryPayments, temporaryPayments } from '../../../support/temporary-payments.ts'

const BASE = '/api/merchant/v1'
const KEY = { 'x-api-key': 'key of the shop' }
const OTHER = { 'x-api-key': 'key of another' }
const URL_OF_SHOP = 'https://shop.example/'
const webhook = { url: URL_OF_SHOP, secrets: [{ secret: 's', created: 1, until: null }] }
const SHOP = sampleMerchant({ webhook })

let payments: TemporaryPayments
let app: SmallApp
let woken = 0
beforeEach(async () => {
  payments = await temporaryPayments()
  woken = 0
  const first = { name: 'first', created: 1, revoked: null }
  const other = sampleMerchant({ id: ulidNo(90), name: 'other', webhook })
  addMerchant(payments.store, SHOP, KEY['x-api-key'], { ...first, merchant: SHOP.id })
  addMerchant(payments.store, other, OTHER['x-api-key'], { ...first, merchant: other.id })
  const webhooksDue = () => {
    woken++
  }
  app = smallApp({ merchant: merchantParts(transferParts(payments.store), { webhooksDue }) })
})
afterEach(() => payments.remove())

const check = schemaCheck(
  openApiMerchantDocument({ routes: MERCHANT_ROUTES, basePath: BASE, version: '1' }) as unknown as OpenApi,
)

/** An answer, which must be as the document describes the path of this pattern. */
const described = async (pattern: string, verb: 'get' | 'post', answer: Promise<Seen>): Promise<Seen> => {
  const seen = await answer
  const breaches = check(`${BASE}/${pattern}`, verb, seen.status, seen.json)
  expect([pattern, seen.status, breaches]).toEqual([pattern, seen.status, []])
  return seen
}

const list = (query = '', key: Record<string, string> = KEY) =>
  described('deliveries', 'get', ask(app, `${BASE}/deliveries${query}`, { headers: key }))
const one = (id: string, key: Record<string, string> = KEY) =>
  described('deliveries/{id}', 'get', ask(app, `${BASE}/deliveries/${id}`, { headers: key }))
const resend = (id: string, key: Record<string, string> = KEY) =>
  described('deliveries/{id}/resend', 'post', post(app, `${BASE}/deliveries/${id}/resend`, {}, key))
const sendTest = (body: unknown, key: Record<string, string> = KEY) =>
  described('webhook/test', 'post', post(app, `${BASE}/webhook/test`, body, key))

/** Has the events of the shop tried once. */
const tried = (id: string, status: number): void => {
  const failure = status === 200 ? null : `the answer has status ${status}`
  payments.store.transaction(() => {
    let attempt: ReturnType<typeof beginAttempt>['attempt'] | undefined
    changeDelivery(payments.store, id, (found) => {
      const change = beginAttempt(found, URL_OF_SHOP, NOW)
      attempt = change.attempt
      return change
    })
    const policy = { delays: [], random: () => 0 }
    const result = { status, failure, answer: 'hello' }
    changeDelivery(payments.store, id, (found) => endAttempt(found, attempt!, result, policy, NOW + 7))
  })
}

test('the log of deliveries goes by state and page', async () => {
  const [first, second, third] = madeEvents(payments.store, SHOP, 3, NOW)
  tried(first!.id, 200)
  tried(second!.id, 500)
  const { json } = await list()
  expect(json).toMatchObject({
    deliveries: [
      { id: third!.id, state: 'waiting', attempts: 0, next_attempt: '2023-11-14T22:13:20.000Z' },
      { id: second!.id, state: 'exhausted', attempts: 1, next_attempt: null },
      { id: first!.id, state: 'delivered', event: 'transfer.completed', reference: first!.reference, test: false },
    ],
    next: null,
  })
  expect((await list('?state=exhausted')).json).toMatchObject({ deliveries: [{ id: second!.id }] })
  const page = (await list('?limit=2')).json as { next: string }
  expect((await list(`?limit=2&before=${page.next}`)).json).toMatchObject({
    deliveries: [{ id: first!.id }],
    next: null,
  })
  expect((await list('?state=lost')).status).toBe(422)
  expect((await list('', OTHER)).json).toEqual({ deliveries: [], next: null })
  expect((await list('', {})).status).toBe(401)
})

test('one delivery tells the body and each attempt, to its merchant', async () => {
  const [event] = madeEvents(payments.store, SHOP, 1, NOW)
  tried(event!.id, 500)
  expect((await one(event!.id)).json).toMatchObject({
    id: event!.id,
    state: 'exhausted',
    reason: null,
    body: event!.body.toString(),
    log: [
      {
        n: 1,
        manual: false,
        url: URL_OF_SHOP,
        begun: '2023-11-14T22:13:20.000Z',
        ended: '2023-11-14T22:13:20.007Z',
        status: 500,
        failure: 'the answer has status 500',
        answer: 'hello',
      },
    ],
  })
  expect((await one(event!.id.toLowerCase())).status).toBe(200)
  for (const [id, key] of [
    [event!.id, OTHER],
    [ulidNo(5), KEY],
    ['x', KEY],
  ] as const)
    expect((await one(id, key)).status).toBe(404)
})

test('an event is sent again, at once, by its merchant', async () => {
  const [event] = madeEvents(payments.store, SHOP, 1, NOW)
  tried(event!.id, 500)
  expect((await resend(event!.id, OTHER)).status).toBe(404)
  expect(woken).toBe(0)
  expect((await resend(event!.id)).json).toMatchObject({ id: event!.id, state: 'waiting', attempts: 1 })
  expect(woken).toBe(1)
  changeMerchant(payments.store, SHOP.id, (found) => ({ ...found, webhook: { ...found.webhook, url: null } }))
  const refused = await resend(event!.id)
  expect([refused.status, refused.json]).toEqual([409, { error: 'nothing can be sent: no URL is set', code: 409 }])
})

test('test events are sent, and not too many', async () => {
  expect((await sendTest({})).json).toMatchObject({ test: true, reference: null, state: 'waiting' })
  const { id } = (await sendTest({ status: 'failed' })).json as { id: string }
  expect(JSON.parse(((await one(id)).json as { body: string }).body).data.status).toBe('failed')
  expect(woken).toBe(2)
  expect((await sendTest({ status: 'lost' })).status).toBe(422)
  for (let n = 0; n < 8; n++) await sendTest({})
  expect((await sendTest({})).status).toBe(409)
})
