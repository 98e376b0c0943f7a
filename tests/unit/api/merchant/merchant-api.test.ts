import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openApiMerchantDocument } from '../../../../src/api/docs/openapi-merchant.ts'
import { createKeylessShare, MAX_OF_ADDRESS } from '../../../../src/api/merchant/keyless-share.ts'
import type { MerchantParts } from '../../../../src/api/merchant/parts.ts'
import { MERCHANT_ROUTES } from '../../../../src/api/merchant/route-table.ts'
import { TonlithError } from '../../../../src/common/errors.ts'
import type { Transfer } from '../../../../src/model/payments.ts'
import {
  addMerchant,
  addMerchantKey,
  changeMerchant,
  findMerchant,
  revokeMerchantKey,
} from '../../../../src/store/payments/merchants.ts'
import { applyPayments } from '../../../../src/store/payments/paid.ts'
import { addTransfer, findTransfer } from '../../../../src/store/payments/transfers.ts'
import { friendlyAddress, rawAddress } from '../../../../src/ton/address.ts'
import { type OpenApi, schemaCheck } from '../../../support/answer-schema.ts'
import { merchantParts, NOW, transferParts } from '../../../support/merchant-parts.ts'
import { addressNo, sampleMerchant, samplePayment, sampleTransfer, ulidNo } from '../../../support/payment-samples.ts'
import { ask, post, type Seen, type SmallApp, smallApp } from '../../../support/small-app.ts'
import { type TemporaryPayments, temporaryPayments } from '../../../support/temporary-payments.ts'

const BASE = '/api/merchant/v1'
const KEY = { 'x-api-key': 'key of the shop' }
const OTHER = { 'x-api-key': 'key of another' }

let payments: TemporaryPayments
let app: SmallApp
const serve = (changes: Partial<MerchantParts> = {}): SmallApp =>
  smallApp({ merchant: merchantParts(transferParts(payments.store), changes) })
beforeEach(async () => {
  payments = await temporaryPayments()
  const { store } = payments
  const first = { name: 'first', created: 1, revoked: null }
  addMerchant(store, sampleMerchant(), KEY['x-api-key'], { ...first, merchant: ulidNo(1) })
  addMerchant(store, sampleMerchant({ id: ulidNo(90), name: 'other' }), OTHER['x-api-key'], {
    ...first,
    merchant: ulidNo(90),
  })
  app = serve()
})
afterEach(() => payments.remove())

const [SENDER, RECIPIENT] = [rawAddress(addressNo(1)), rawAddress(addressNo(2))]
const ORDER = { amount: 10.5, asset: 'TON', senderAddr: SENDER, recipientAddr: RECIPIENT }
const check = schemaCheck(
  openApiMerchantDocument({ routes: MERCHANT_ROUTES, basePath: BASE, version: '1' }) as unknown as OpenApi,
)

/** An answer, which must be as the document describes it. */
const described = async (path: string, verb: 'get' | 'post' | 'put', answer: Promise<Seen>): Promise<Seen> => {
  const seen = await answer
  const breaches = check(`${BASE}/${path.split('?', 1)[0]}`, verb, seen.status, seen.json)
  expect([seen.status, breaches ?? []]).toEqual([seen.status, []])
  return seen
}

const create = (body: unknown, headers: Record<string, string> = {}): Promise<Seen> =>
  described('create-transfer', 'post', post(app, `${BASE}/create-transfer`, body, headers))
const failed = ({ status, json }: Seen) => [status, json]
const error = (code: number, text: string) => [code, { error: text, code }]

const kept = ({ json }: Seen): Transfer => findTransfer(payments.store, (json as { reference: string }).reference)!

describe('create-transfer', () => {
  test('answers what the SDK expects', async () => {
    const seen = await create({ ...ORDER, commentToSender: 'to sender', commentToRecipient: 'order 1', queryId: 5 })
    expect(seen.status).toBe(200)
    expect(seen.json).toEqual({
      message: {
        address: friendlyAddress(addressNo(2), { bounceable: false, testOnly: false }),
        amount: '10500000000',
        payload: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
      },
      bodyBase64Hash: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      reference: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
    })
    expect(seen.headers.get('access-control-allow-origin')).toBe('*')
    expect(kept(seen)).toMatchObject({ comment_to_sender: 'to sender', comment_to_recipient: 'order 1', query_id: 5n })
  })

  test('reads each digit of an amount', async () => {
    const amounts: [string, bigint][] = [
      ['1234567890.123456789', 1_234_567_890_123_456_789n],
      ['"1234567890.123456789"', 1_234_567_890_123_456_789n],
      ['1e2', 100_000_000_000n],
      ['12345678901234567890', 12_345_678_901_234_567_890_000_000_000n],
      ['1.50000000000000000000', 1_500_000_000n],
    ]
    for (const [amount, raw] of amounts) {
      const body = JSON.stringify(ORDER).replace('10.5', amount)
      expect(kept(await create(body)).raw_amount).toBe(raw)
    }
  })

  test('takes addresses in any form, and each name of the native coin', async () => {
    const forms = [
      SENDER,
      friendlyAddress(addressNo(1)),
      friendlyAddress(addressNo(1), { bounceable: false, testOnly: true }),
    ]
    for (const senderAddr of forms) expect(kept(await create({ ...ORDER, senderAddr })).sender).toEqual(addressNo(1))
    const zero = { workchain: 0, hash: Buffer.alloc(32) }
    for (const asset of ['TON', 'ton', rawAddress(zero), friendlyAddress(zero)])
      expect(kept(await create({ ...ORDER, asset })).asset).toBeNull()
  })

  test("is of the key's merchant, and goes to its wallet", async () => {
    const { recipientAddr: _, ...order } = ORDER
    expect(kept(await create(order, KEY))).toMatchObject({ merchant: ulidNo(1), recipient: addressNo(7) })
    expect(kept(await create(ORDER, KEY))).toMatchObject({ merchant: ulidNo(1), recipient: addressNo(2) })
    expect(failed(await create(order))).toEqual(
      error(422, 'recipientAddr is required: there is no API key of a merchant'),
    )
  })

  const refused: [string, unknown, number, string][] = [
    ['no JSON', '{', 422, 'body must be JSON'],
    ['NaN', '{"amount":NaN}', 422, 'body must be JSON'],
    ['no object', '[]', 422, 'body must be a JSON object'],
    ['nothing', '', 422, 'body must be JSON'],
    ['no amount', { ...ORDER, amount: undefined }, 422, 'amount is required'],
    ['an amount that is none', { ...ORDER, amount: true }, 422, 'amount must be a number'],
    ['an amount in words', { ...ORDER, amount: 'ten' }, 422, 'amount is not a decimal number'],
    ['an endless amount', '{"amount":1e400', 422, 'body must be JSON'],
    ['zero', { ...ORDER, amount: 0 }, 422, 'amount must be more than zero'],
    ['less than zero', { ...ORDER, amount: -1 }, 422, 'amount must not be negative'],
    [
      'a sum of floats',
      { ...ORDER, amount: 0.1 + 0.2 },
      422,
      'amount has more fraction digits than the asset has decimals: 9',
    ],
    ['no asset', { ...ORDER, asset: null }, 422, 'asset is required'],
    ['an asset that is none', { ...ORDER, asset: 'USDT' }, 422, 'asset is no address'],
    [
      'an account that is no jetton',
      { ...ORDER, asset: SENDER },
      422,
      'asset is neither TON nor the master of a jetton',
    ],
    ['no sender', { ...ORDER, senderAddr: '' }, 422, 'senderAddr is required'],
    ['a sender that is none', { ...ORDER, senderAddr: 'EQ' }, 422, 'senderAddr is no address'],
    ['a number for a sender', { ...ORDER, senderAddr: 5 }, 422, 'senderAddr must be a string'],
    [
      'a workchain that is none',
      { ...ORDER, senderAddr: `5:${'0'.repeat(64)}` },
      422,
      'senderAddr is of a workchain that does not exist',
    ],
    ['a query id that is none', { ...ORDER, queryId: -1 }, 422, 'queryId must be a whole number from 0 to 2^64 - 1'],
    ['a comment that is none', { ...ORDER, commentToRecipient: 5 }, 422, 'commentToRecipient must be a string'],
    [
      'a comment without end',
      { ...ORDER, commentToRecipient: 'é'.repeat(501) },
      422,
      'commentToRecipient must have at most 1000 bytes',
    ],
    [
      'half a character',
      `{"amount":1,"asset":"TON","senderAddr":"${SENDER}","recipientAddr":"${RECIPIENT}","commentToSender":"\\ud800"}`,
      422,
      'commentToSender holds characters that are no text',
    ],
    ['a body without end', `{"x":"${'x'.repeat(70_000)}"}`, 413, 'too large request'],
    ['nesting without end', `${'{"x":'.repeat(5000)}1${'}'.repeat(5000)}`, 422, 'body must be JSON'],
  ]
  test('says what it cannot use', async () => {
    for (const [what, body, status, text] of refused)
      expect([what, ...failed(await create(body))]).toEqual([what, ...error(status, text)])
  })

  test('refuses an amount beyond a double as one that no message can carry', async () => {
    const body = JSON.stringify(ORDER).replace('10.5', '1e400')
    expect(failed(await create(body))).toEqual(error(422, 'amount is more than a message can carry'))
  })

  test('answers other verbs with those that there are', async () => {
    const seen = await ask(app, `${BASE}/create-transfer`)
    expect([seen.status, seen.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    const preflight = await ask(app, `${BASE}/create-transfer`, {
      method: 'OPTIONS',
      headers: { origin: 'http://shop' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-API-Key')
  })

  test('tells nothing of the machine when the disk is full', async () => {
    app = serve({ create: () => Promise.reject(new TonlithError('unavailable', 'no right to write in /srv/data')) })
    const seen = await create(ORDER)
    expect(seen.status).toBe(503)
    expect(seen.text).not.toContain('/srv')
    app = serve({ store: undefined })
    expect(failed(await create(ORDER))).toEqual(error(503, 'payments cannot be read or written now'))
  })
})

describe('a key', () => {
  test('that is unknown, revoked, of another network or of a disabled merchant does not pass', async () => {
    const { store } = payments
    expect(failed(await create(ORDER, { 'x-api-key': 'nobody' }))).toEqual(error(401, 'API key does not exist'))
    addMerchantKey(store, 'second key', { merchant: ulidNo(1), name: 'second', created: 1, revoked: null })
    expect((await create(ORDER, { 'x-api-key': 'second key' })).status).toBe(200)
    revokeMerchantKey(store, ulidNo(1), 'second', 2)
    expect(failed(await create(ORDER, { 'x-api-key': 'second key' }))).toEqual(error(401, 'API key does not exist'))
    app = serve({ network: 'testnet' })
    expect(failed(await create(ORDER, KEY))).toEqual(error(403, 'Network not allowed'))
    app = serve()
    changeMerchant(store, ulidNo(1), (merchant) => ({ ...merchant, disabled: 5 }))
    expect(failed(await create(ORDER, KEY))).toEqual(error(403, 'the merchant is disabled'))
  })

  test('is required for what is of a merchant alone', async () => {
    for (const path of ['transfers', 'webhook'])
      expect(failed(await ask(app, `${BASE}/${path}`))).toEqual(error(401, 'the API key of a merchant is required'))
  })

  test('counts for its merchant, none for its address, creations and look-ups apart', async () => {
    app = serve({ keylessRps: 1, merchantRps: 2 })
    const statuses = async (count: number, run: () => Promise<Seen>): Promise<number[]> => {
      const seen = []
      for (let i = 0; i < count; i++) seen.push((await run()).status)
      return seen
    }
    expect(await statuses(2, () => create(ORDER))).toEqual([200, 429])
    expect(await statuses(11, () => ask(app, `${BASE}/transfer?reference=x`))).toEqual([...Array(10).fill(404), 429])
    expect(await statuses(3, () => create(ORDER, KEY))).toEqual([200, 200, 429])
    expect(await statuses(1, () => create(ORDER, OTHER))).toEqual([200])
    const limited = await create(ORDER)
    expect(limited.json).toEqual({ error: 'Ratelimit exceeded', code: 429 })
    expect(limited.headers.get('retry-after')).toBe('1')
  })

  test('leaves room for others: an address makes its share without a key, and any number with one', async () => {
    let now = NOW
    const keylessShare = createKeylessShare(60, () => now)
    app = serve({ keylessRps: 1_000_000, keylessShare })
    expect((await create(ORDER)).status).toBe(200)
    const caller = ''
    for (let made = 1; made < MAX_OF_ADDRESS; made++) keylessShare.count(caller)
    const over = await create(ORDER)
    expect([over.status, over.headers.get('retry-after')]).toEqual([429, '60'])
    expect(over.json).toEqual({ error: expect.stringContaining("a merchant's key may make more"), code: 429 })
    expect((await create(ORDER, KEY)).status).toBe(200)
    expect(keylessShare.wait('192.0.2.1')).toBe(0)
    now += 59_001
    expect((await create(ORDER)).headers.get('retry-after')).toBe('1')
    now += 999
    expect((await create(ORDER)).status).toBe(200)
    expect((await create({ ...ORDER, amount: 'x' })).status).toBe(422)
    app = serve({ keylessRps: 0, keylessShare })
    for (let made = 0; made < MAX_OF_ADDRESS; made++) keylessShare.count(caller)
    expect((await create(ORDER)).status).toBe(200)
  })
})

const lookUp = (query: string, headers: Record<string, string> = {}): Promise<Seen> =>
  described('transfer', 'get', ask(app, `${BASE}/transfer?${query}`, { headers }))

describe('a look-up', () => {
  const add = (n: number, changes: Partial<Transfer> = {}): Transfer => {
    const transfer = sampleTransfer(n, { body_hash: Buffer.alloc(32, 0xfb), ...changes })
    addTransfer(payments.store, transfer, { ofMerchant: 100, ofNobody: 100 })
    return transfer
  }
  const pay = (n: number, changes: Parameters<typeof samplePayment>[1] = {}) => {
    let events = 500
    applyPayments(payments.store, {
      network: 'dev',
      cursor: { index: 'i', position: Buffer.of(n) },
      found: [{ reference: ulidNo(2), payment: samplePayment(n, changes) }],
      now: NOW,
      newId: () => ulidNo(events++ + n),
      body: () => Buffer.from('{}'),
    })
  }

  test('finds a transfer that waits', async () => {
    const { body_hash } = add(2)
    const seen = await lookUp(`reference=${ulidNo(2)}`, KEY)
    expect([seen.status, seen.json]).toEqual([
      200,
      {
        amount: '1.5',
        rawAmount: '1500000000',
        senderAddr: friendlyAddress(addressNo(1), { bounceable: false, testOnly: false }),
        recipientAddr: friendlyAddress(addressNo(2), { bounceable: false, testOnly: false }),
        asset: 'TON',
        assetTicker: 'TON',
        status: 'pending',
        reference: ulidNo(2),
        bodyBase64Hash: body_hash.toString('base64'),
        txHash: '',
        traceId: '',
        commentToRecipient: 'order 1',
        date: '2023-11-14T22:13:20.000Z',
      },
    ])
    app = serve({ now: () => NOW + 86_400_000 })
    expect((await lookUp(`reference=${ulidNo(2)}`)).json).toMatchObject({ status: 'expired' })
  })

  test('finds it by its body hash, however the plus arrives', async () => {
    const hash = add(2).body_hash.toString('base64')
    expect(hash).toContain('+')
    const url = hash.replaceAll('+', '-').replaceAll('/', '_')
    const forms = [hash, hash.replaceAll('+', ' '), hash.replaceAll('+', '%20'), encodeURIComponent(hash), url]
    for (const form of [...forms, Buffer.alloc(32, 0xfb).toString('hex')])
      expect((await lookUp(`bodyHash=${form}`)).json).toMatchObject({ reference: ulidNo(2) })
  })

  test('tells the best payment', async () => {
    add(2)
    const info = async () => (await lookUp(`reference=${ulidNo(2)}`)).json
    pay(1, { status: 'failed', error_code: 37, error_message: 'not enough coins' })
    expect(await info()).toMatchObject({ status: 'failed', errorCode: 37, errorMessage: 'not enough coins' })
    pay(2, { raw_amount: 1n, sender: addressNo(50) })
    expect(await info()).toMatchObject({
      status: 'success',
      amount: '0.000000001',
      senderAddr: friendlyAddress(addressNo(50), { bounceable: false, testOnly: false }),
    })
    pay(3)
    pay(4, { status: 'failed' })
    expect(await info()).toMatchObject({
      status: 'success',
      amount: '1.5',
      txHash: samplePayment(3).tx_hash.toString('base64'),
      traceId: samplePayment(3).trace_id.toString('base64'),
      date: '2023-11-14T22:15:00.000Z',
    })
    expect(await info()).not.toHaveProperty('errorCode')
  })

  test('hides what is of another merchant or network', async () => {
    add(2)
    expect((await lookUp(`reference=${ulidNo(2)}`)).status).toBe(200)
    expect(failed(await lookUp(`reference=${ulidNo(2)}`, OTHER))).toEqual(error(404, 'transfer not found'))
    app = serve({ network: 'testnet' })
    expect(failed(await lookUp(`reference=${ulidNo(2)}`))).toEqual(error(404, 'transfer not found'))
  })

  test('needs a reference or a hash', async () => {
    for (const query of ['', 'reference=a&bodyHash=b'])
      expect(failed(await lookUp(query))).toEqual(error(422, 'either reference or bodyHash is required'))
    expect(failed(await lookUp('bodyHash=x'))).toEqual(error(422, 'bodyHash is no hash of 32 bytes'))
    for (const reference of ['', 'x', ulidNo(3)])
      expect(failed(await lookUp(`reference=${reference}`))).toEqual(error(404, 'transfer not found'))
  })
})

describe('a merchant', () => {
  const own = (path: string, { method = 'GET', ...init }: RequestInit = {}): Promise<Seen> =>
    described(
      path,
      method.toLowerCase() as 'get',
      ask(app, `${BASE}/${path}`, { ...init, method, headers: { ...KEY, ...init.headers } }),
    )

  test('lists its transfers in pages', async () => {
    for (const n of [2, 3, 4])
      addTransfer(payments.store, sampleTransfer(n, { expires: n === 2 ? 5 : 1_800_000_000 }), {
        ofMerchant: 9,
        ofNobody: 9,
      })
    type Page = { transfers: { reference: string }[]; next: string | null }
    const page = async (query: string): Promise<[string[], string | null]> => {
      const { transfers, next } = (await own(`transfers?${query}`)).json as Page
      return [transfers.map(({ reference }) => reference), next]
    }
    expect(await page('limit=2')).toEqual([[ulidNo(4), ulidNo(3)], ulidNo(3)])
    expect(await page(`limit=2&before=${ulidNo(3)}`)).toEqual([[ulidNo(2)], null])
    expect(await page('status=expired')).toEqual([[ulidNo(2)], null])
    for (const [query, text] of [
      ['limit=0', 'limit must be a whole number from 1 to 100'],
      ['limit=101', 'limit must be a whole number from 1 to 100'],
      ['before=x', 'before is not what a page before has as next'],
      ['status=paid', 'status must be one of pending, expired, success, failed'],
    ])
      expect(failed(await own(`transfers?${query}`))).toEqual(error(422, text!))
  })

  test('sets its webhook and rotates the secret', async () => {
    const put = (body: unknown) => own('webhook', { method: 'PUT', body: JSON.stringify(body) })
    expect((await put({ url: 'https://shop.example/hook' })).json).toMatchObject({
      url: 'https://shop.example/hook',
      ignored: null,
    })
    for (const body of [{}, { url: 'ftp://x' }, { url: 'https://a:b@x' }, { url: 5 }])
      expect((await put(body)).status).toBe(422)
    expect((await put({ url: null })).json).toMatchObject({ url: null })
    const { secret } = (await own('webhook/rotate-secret', { method: 'POST' })).json as { secret: string }
    const { webhook } = findMerchant(payments.store, ulidNo(1))!
    expect(webhook.secrets.map((each) => each.secret)).toEqual([secret, 'whsec'])
    const shown = await own('webhook')
    expect(shown.json).toMatchObject({ secrets: [{ until: null }, { until: '2023-11-15T22:13:20.000Z' }] })
    expect(shown.text).not.toContain(secret)
  })

  test('finds nothing elsewhere', async () => {
    for (const path of ['', 'x', 'transfer/x', 'webhook/']) {
      const seen = await own(path)
      expect(seen.status).toBe(path === 'webhook/' ? 200 : path === '' ? 302 : 404)
    }
  })
})
