import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SESSION_SECONDS } from '../../../../src/api/dashboard/session.ts'
import { MAX_ATTEMPTS } from '../../../../src/api/dashboard/sign-in-limit.ts'
import { makeUlid } from '../../../../src/common/ulid.ts'
import type { Merchant } from '../../../../src/model/payments.ts'
import { completedBody } from '../../../../src/payments/transfer-info.ts'
import { changeDelivery } from '../../../../src/store/payments/deliveries.ts'
import { openPaymentStore, type PaymentStore } from '../../../../src/store/payments/environment.ts'
import { findDelivery, listLogged } from '../../../../src/store/payments/events.ts'
import { addMerchant, changeMerchant, findMerchant, findMerchantKey } from '../../../../src/store/payments/merchants.ts'
import { applyPayments } from '../../../../src/store/payments/paid.ts'
import { addTransfer } from '../../../../src/store/payments/transfers.ts'
import { dashboardVisitor, type Visitor } from '../../../support/dashboard-visitor.ts'
import { merchantParts, NOW, transferParts } from '../../../support/merchant-parts.ts'
import { addressNo, sampleMerchant, samplePayment, sampleTransfer, ulidNo } from '../../../support/payment-samples.ts'
import { smallApp } from '../../../support/small-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'tonlith-dashboard-'))
const SECONDS = NOW / 1000
const SHOP = sampleMerchant({ name: 'Tea & <b>Kettle</b>' })
const OTHER = sampleMerchant({ id: ulidNo(2), name: 'other' })
const ELSEWHERE = sampleMerchant({ id: ulidNo(3), name: 'elsewhere', network: 'mainnet' })
const [KEY, OTHER_KEY, FOREIGN_KEY] = ['tonlith_m_shop', 'tonlith_m_other', 'tonlith_m_elsewhere']
let store: PaymentStore
let now = NOW
let woken = 0

const newApp = (proxies: { hops: number } = { hops: 0 }) =>
  smallApp({
    merchant: merchantParts(transferParts(store, { now: () => now }), { webhooksDue: () => void woken++ }),
    limits: { proxies },
  })

const first = (merchant: Merchant) => ({ merchant: merchant.id, name: 'first', created: SECONDS, revoked: null })

beforeAll(async () => {
  store = await openPaymentStore(folder)
  addMerchant(store, SHOP, KEY, first(SHOP))
  addMerchant(store, OTHER, OTHER_KEY, first(OTHER))
  addMerchant(store, ELSEWHERE, FOREIGN_KEY, first(ELSEWHERE))
  for (const n of [10, 11])
    addTransfer(store, sampleTransfer(n, { comment_to_recipient: `<script>${n}</script>` }), {
      ofMerchant: 100,
      ofNobody: 100,
    })
  applyPayments(store, {
    network: 'dev',
    cursor: { index: 'x', position: Buffer.alloc(8) },
    found: [{ reference: ulidNo(10), payment: samplePayment(10) }],
    now: NOW,
    newId: () => makeUlid(NOW, Buffer.alloc(10, 7)),
    body: (transfer, payment) => completedBody(transfer, payment, NOW),
  })
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const signedIn = async (key = KEY): Promise<Visitor> => {
  const visitor = dashboardVisitor(newApp())
  expect((await visitor.signIn(key)).status).toBe(303)
  return visitor
}

describe('signing in', () => {
  test('is what every page leads to, and back from there', async () => {
    const visitor = dashboardVisitor(newApp())
    const away = await visitor.get('/dashboard/transfers?status=failed')
    expect([away.status, away.headers.get('location')]).toEqual([
      303,
      '/dashboard/sign-in?next=%2Fdashboard%2Ftransfers%3Fstatus%3Dfailed',
    ])
    const form = await visitor.get(away.headers.get('location')!)
    expect(form.text).toContain('name="next" value="/dashboard/transfers?status=failed"')
    const done = await visitor.send('/dashboard/sign-in', {
      key: ` ${KEY} `,
      next: '/dashboard/transfers?status=failed',
    })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/dashboard/transfers?status=failed'])
    expect((await visitor.get('/dashboard')).text).toContain('Tea &amp; &lt;b&gt;Kettle&lt;/b&gt;')
  })

  test('leads to no other site', async () => {
    for (const next of ['//evil.example', 'https://evil.example', '/dashboard//evil', '/dashboard\\evil', '/docs']) {
      const visitor = dashboardVisitor(newApp())
      await visitor.get('/dashboard/sign-in')
      const done = await visitor.send('/dashboard/sign-in', { key: KEY, next })
      expect([next, done.headers.get('location')]).toEqual([next, '/dashboard'])
    }
  })

  test('gives a new secret, in a cookie that scripts and other sites cannot use', async () => {
    const visitor = dashboardVisitor(newApp())
    await visitor.get('/dashboard/sign-in')
    const before = visitor.cookie()
    const done = await visitor.send('/dashboard/sign-in', { key: KEY })
    expect(done.headers.get('set-cookie')).toMatch(
      /^tonlith_dev_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    )
    expect(visitor.cookie()).not.toBe(before)
    const kept = [...store.tables.sessions.getRange()].map(({ key, value }) => key.toString('latin1') + value)
    expect(kept.some((text) => text.includes(visitor.cookie().split('=')[1]!))).toBe(false)
  })

  test('over TLS, as a trusted proxy tells, has a cookie for TLS alone', async () => {
    const headers = { 'x-forwarded-proto': 'https', origin: 'https://shop.example' }
    const trusted = await dashboardVisitor(newApp({ hops: 1 }), headers).get('/dashboard/sign-in')
    expect(trusted.headers.get('set-cookie')).toMatch(/^__Host-tonlith_dev_session=.*; Secure$/)
    const stranger = await dashboardVisitor(newApp(), headers).get('/dashboard/sign-in')
    expect(stranger.headers.get('set-cookie')).not.toContain('Secure')
  })

  test('needs a valid key of this network', async () => {
    for (const key of ['', 'tonlith_m_none', FOREIGN_KEY, 'x'.repeat(5000)]) {
      const visitor = dashboardVisitor(newApp())
      const { status, text } = await visitor.signIn(key)
      expect(status).toBe(403)
      expect(text).toContain('no valid key')
      expect((await visitor.get('/dashboard')).status).toBe(303)
    }
  })

  test('with a key of mainnet warns where the key could be read on its way', async () => {
    const parts = merchantParts(transferParts(store, { network: 'mainnet' }))
    const warns = async (headers: Record<string, string>): Promise<boolean> => {
      const app = smallApp({ merchant: parts, limits: { proxies: { hops: 1 } } })
      return (await dashboardVisitor(app, headers).get('/dashboard/sign-in')).text.includes('not encrypted')
    }
    expect(await warns({})).toBe(true)
    expect(await warns({ 'x-forwarded-proto': 'https' })).toBe(false)
    expect(await warns({ host: '127.0.0.1:8081' })).toBe(false)
    expect((await dashboardVisitor(newApp()).get('/dashboard/sign-in')).text).not.toContain('not encrypted')
  })

  test('is refused after many attempts with what is no key, to nobody who has one', async () => {
    const app = newApp()
    const visitor = dashboardVisitor(app)
    for (let n = 0; n < MAX_ATTEMPTS; n++) expect((await visitor.signIn('wrong')).status).toBe(403)
    const { status, headers, text } = await visitor.signIn('wrong')
    expect([status, headers.get('retry-after')]).toEqual([429, '900'])
    expect(text).toContain('try again in 15 minutes')
    expect((await dashboardVisitor(app).signIn(KEY)).status).toBe(303)
  })

  test('with one key over and over is refused for a while', async () => {
    const app = newApp()
    const statuses: number[] = []
    for (let n = 0; n < 8; n++) statuses.push((await dashboardVisitor(app).signIn(KEY)).status)
    expect(statuses.filter((status) => status === 303).length).toBeLessThan(8)
    expect(statuses[0]).toBe(303)
    expect(statuses.at(-1)).toBe(429)
    expect((await dashboardVisitor(app).signIn(OTHER_KEY)).status).toBe(303)
  })
})

describe('a session', () => {
  test('ends with signing out', async () => {
    const visitor = await signedIn()
    await visitor.get('/dashboard')
    const cookie = visitor.cookie()
    expect((await visitor.send('/dashboard/sign-out', {})).headers.get('location')).toBe('/dashboard/sign-in?said=out')
    const stolen = dashboardVisitor(newApp(), { cookie })
    expect((await stolen.get('/dashboard')).status).toBe(303)
  })

  test('ends by itself', async () => {
    const visitor = await signedIn()
    now = NOW + SESSION_SECONDS * 1000 - 1
    expect((await visitor.get('/dashboard')).status).toBe(200)
    now = NOW + SESSION_SECONDS * 1000
    expect((await visitor.get('/dashboard')).headers.get('location')).toBe('/dashboard/sign-in')
    expect((await visitor.send('/dashboard/keys', {})).headers.get('location')).toBe('/dashboard/sign-in?said=over')
    now = NOW
  })

  test('survives a start, and ends when its merchant is disabled', async () => {
    const visitor = await signedIn(OTHER_KEY)
    const again = dashboardVisitor(newApp(), { cookie: visitor.cookie() })
    expect((await again.get('/dashboard')).status).toBe(200)
    changeMerchant(store, OTHER.id, (merchant) => ({ ...merchant, disabled: SECONDS }))
    expect((await again.get('/dashboard')).status).toBe(303)
    changeMerchant(store, OTHER.id, (merchant) => ({ ...merchant, disabled: null }))
  })
})

describe('forms', () => {
  const changed = () => findMerchant(store, SHOP.id)!.webhook.url !== SHOP.webhook.url

  test('are taken from our own pages alone', async () => {
    const visitor = await signedIn()
    await visitor.get('/dashboard/webhooks')
    const url = 'http://evil.example/'
    const tried = [
      await visitor.send('/dashboard/webhooks/url', { url }, { origin: 'http://evil.example' }),
      await visitor.send('/dashboard/webhooks/url', { url }, { 'sec-fetch-site': 'cross-site' }),
      await visitor.send('/dashboard/webhooks/url', { url, token: 'wrong' }),
      await visitor.send('/dashboard/webhooks/url', { url, token: '' }),
      await visitor.send('/dashboard/webhooks/url', { url }, { 'content-type': 'text/plain' }),
      await visitor.send('/dashboard/webhooks/url', { url, more: 'x'.repeat(2 << 20) }),
      await visitor.send('/dashboard/webhooks/url', { url }, { 'content-encoding': 'br' }),
    ]
    expect(tried.map(({ status }) => status)).toEqual([403, 403, 403, 403, 415, 413, 400])
    expect(changed()).toBe(false)
  })

  test('carry a token of their own session', async () => {
    const [mine, theirs] = [await signedIn(), await signedIn(OTHER_KEY)]
    const token = /name="token" value="([^"]*)"/.exec((await theirs.get('/dashboard')).text)![1]!
    await mine.get('/dashboard')
    expect((await mine.send('/dashboard/webhooks/rotate', { token })).status).toBe(403)
  })

  test('are not sent with GET, and change nothing for who is not signed in', async () => {
    const visitor = await signedIn()
    expect((await visitor.get('/dashboard/webhooks/rotate')).status).toBe(405)
    const stranger = dashboardVisitor(newApp())
    await stranger.get('/dashboard/sign-in')
    const { status, headers } = await stranger.send('/dashboard/webhooks/url', { url: '' })
    expect([status, headers.get('location')]).toEqual([303, '/dashboard/sign-in?said=over'])
    expect(changed()).toBe(false)
  })
})

describe('every page', () => {
  const PATHS = [
    '/dashboard',
    '/dashboard/transfers',
    `/dashboard/transfer?reference=${ulidNo(10)}`,
    '/dashboard/keys',
    '/dashboard/webhooks',
    `/dashboard/delivery?event=${makeUlid(NOW, Buffer.alloc(10, 7))}`,
  ]

  test('is shown with rules that let nothing foreign in, and is stored by nobody', async () => {
    const visitor = await signedIn()
    for (const path of [...PATHS, '/dashboard/nowhere', '/dashboard/delivery?event=x']) {
      const { status, headers, text } = await visitor.get(path)
      expect([path, status]).toEqual([path, PATHS.includes(path) ? 200 : 404])
      const policy = headers.get('content-security-policy')!
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(text).not.toMatch(/<script>|<style| style="| on\w+="|(src|href|action)="(?!\/dashboard|#)/)
      expect(text.match(/<h1>/g)).toHaveLength(1)
    }
  })

  test('shows a merchant its own things alone', async () => {
    const visitor = await signedIn(OTHER_KEY)
    const event = makeUlid(NOW, Buffer.alloc(10, 7))
    expect((await visitor.get(`/dashboard/transfer?reference=${ulidNo(10)}`)).status).toBe(404)
    expect((await visitor.get(`/dashboard/delivery?event=${event}`)).status).toBe(404)
    expect((await visitor.get('/dashboard/transfers')).text).toContain('There are no transfers yet')
    await visitor.get('/dashboard/webhooks')
    expect((await visitor.send('/dashboard/deliveries/resend', { event })).status).toBe(404)
    expect(findDelivery(store, event)?.manual).toBe(false)
  })
})

describe('the list of transfers', () => {
  const found = async (query: string): Promise<string[]> => {
    const { text } = await (await signedIn()).get(`/dashboard/transfers?${query}`)
    return [...text.matchAll(/transfer\?reference=(\w+)"/g)].map(([, reference]) => reference!)
  }

  test('is filtered by status, sender and day', async () => {
    const [paid, open] = [ulidNo(10), ulidNo(11)]
    expect(await found('')).toEqual([open, paid])
    expect(await found('status=success')).toEqual([paid])
    expect(await found('status=pending&reference=&sender=&from=&to=')).toEqual([open])
    expect(await found(`sender=0:${addressNo(1).hash.toString('hex')}`)).toEqual([open, paid])
    expect(await found(`sender=0:${addressNo(9).hash.toString('hex')}`)).toEqual([])
    expect(await found('from=2023-11-14&to=2023-11-14')).toEqual([open, paid])
    expect(await found(`sender=+0:${addressNo(1).hash.toString('hex')}+`)).toEqual([open, paid])
    expect(await found('to=2023-11-13')).toEqual([])
    expect(await found('from=2023-11-15')).toEqual([])
  })

  test('leads from a reference to its transfer, and says what cannot be used', async () => {
    const visitor = await signedIn()
    const { headers } = await visitor.get(`/dashboard/transfers?reference=${ulidNo(10).toLowerCase()}`)
    expect(headers.get('location')).toBe(`/dashboard/transfer?reference=${ulidNo(10)}`)
    for (const query of ['reference=x', 'status=x', 'sender=x', 'from=x', 'to=2023-99-99', 'before=x'])
      expect((await visitor.get(`/dashboard/transfers?${query}`)).text).toContain('class="notice bad"')
  })
})

describe('keys', () => {
  test('are made, shown this once, and revoked', async () => {
    const visitor = await signedIn()
    await visitor.get('/dashboard/keys')
    const { text } = await visitor.send('/dashboard/keys', { name: 'server' })
    const secret = /tonlith_m_[\w-]{32}/.exec(text)![0]
    expect(findMerchantKey(store, secret)?.merchant.id).toBe(SHOP.id)
    expect((await visitor.get('/dashboard/keys')).text).not.toContain(secret)
    expect((await visitor.send('/dashboard/keys', { name: 'server' })).status).toBe(422)
    expect((await visitor.send('/dashboard/keys', { name: '<b>' })).text).toContain('value="&lt;b&gt;"')
    expect((await visitor.send('/dashboard/keys/revoke', { name: 'server' })).status).toBe(303)
    expect(findMerchantKey(store, secret)?.key.revoked).toBe(SECONDS)
    expect((await visitor.send('/dashboard/keys/revoke', { name: 'server' })).status).toBe(404)
  })

  test('take the session with them that was begun with them', async () => {
    const visitor = await signedIn()
    await visitor.get('/dashboard/keys')
    const secret = /tonlith_m_[\w-]{32}/.exec((await visitor.send('/dashboard/keys', { name: 'mine' })).text)![0]
    const [one, two] = [await signedIn(secret), await signedIn(secret)]
    await one.get('/dashboard/keys')
    const left = await one.send('/dashboard/keys/revoke', { name: 'mine' })
    expect(left.headers.get('location')).toBe('/dashboard/sign-in?said=revoked')
    expect((await two.get('/dashboard')).status).toBe(303)
    expect((await visitor.get('/dashboard')).status).toBe(200)
  })
})

describe('webhooks', () => {
  test('have a URL that is looked at before it is kept', async () => {
    const visitor = await signedIn()
    await visitor.get('/dashboard/webhooks')
    const bad = await visitor.send('/dashboard/webhooks/url', { url: 'ftp://x"><i>' })
    expect(bad.status).toBe(422)
    expect(bad.text).toContain('value="ftp://x&quot;&gt;&lt;i&gt;"')
    await visitor.send('/dashboard/webhooks/url', { url: ' https://shop.example/webhooks ' })
    expect(findMerchant(store, SHOP.id)!.webhook.url).toBe('https://shop.example/webhooks')
    const without = await visitor.send('/dashboard/webhooks/url', {})
    expect([without.status, findMerchant(store, SHOP.id)!.webhook.url]).toEqual([422, 'https://shop.example/webhooks'])
    await visitor.send('/dashboard/webhooks/url', { url: '' })
    expect(findMerchant(store, SHOP.id)!.webhook.url).toBeNull()
    expect((await visitor.send('/dashboard/webhooks/test', { outcome: 'success' })).status).toBe(422)
  })

  test('have a secret that is hidden until it is asked for, and rotated', async () => {
    const visitor = await signedIn()
    expect((await visitor.get('/dashboard/webhooks')).text).not.toContain('whsec')
    expect((await visitor.send('/dashboard/webhooks/secret', {})).text).toContain('whsec')
    const { text } = await visitor.send('/dashboard/webhooks/rotate', {})
    const [secret, old] = findMerchant(store, SHOP.id)!.webhook.secrets
    expect(text).toContain(secret!.secret.replaceAll("'", '&#39;'))
    expect(old).toEqual({ ...SHOP.webhook.secrets[0]!, until: SECONDS + 86_400 })
  })

  test('are sent as a test, and again', async () => {
    const visitor = await signedIn()
    await visitor.get('/dashboard/webhooks')
    await visitor.send('/dashboard/webhooks/url', { url: 'http://127.0.0.1:9/' })
    woken = 0
    const sending = visitor.send('/dashboard/webhooks/test', { outcome: 'failed' })
    await Bun.sleep(10)
    const [made] = listLogged(store, SHOP.id, { limit: 1 }).items
    expect([made!.event.test, JSON.parse(made!.event.body.toString()).data.status, woken]).toEqual([true, 'failed', 1])
    endAttempt(made!.event.id, 1)
    expect((await sending).headers.get('location')).toBe(`/dashboard/delivery?event=${made!.event.id}`)
    const again = visitor.send('/dashboard/deliveries/resend', { event: made!.event.id.toLowerCase() })
    await Bun.sleep(10)
    expect([findDelivery(store, made!.event.id)!.manual, woken]).toEqual([true, 2])
    endAttempt(made!.event.id, 2)
    expect((await again).status).toBe(303)
  })
})

/** What the outbox does with a delivery that succeeds. */
const endAttempt = (event: string, n: number): void => {
  changeDelivery(store, event, (delivery) => ({
    delivery: { ...delivery, state: 'delivered', attempts: n, due: null, manual: false },
    attempt: {
      event,
      n,
      manual: n > 1,
      url: 'http://127.0.0.1:9/',
      begun: NOW,
      ended: NOW + 5,
      status: 200,
      failure: null,
      answer: '<ok>',
    },
  }))
}
