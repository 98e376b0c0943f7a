import { describe, expect, test } from 'bun:test'
import { Gauge, Registry } from 'prom-client'
import { type AdminDeps, buildAdminApp } from '../../../../src/api/admin/app.ts'
import { createRequestMetrics } from '../../../../src/api/middleware/metrics.ts'
import { systemClock } from '../../../../src/common/clock.ts'
import { silentLogger } from '../../../../src/common/logger.ts'
import { ask, smallApp } from '../../../support/small-app.ts'

const TOKEN = 'a-token-of-the-operator'

const adminApp = (change: Partial<AdminDeps> = {}) => {
  const registry = new Registry()
  new Gauge({ name: 'some_gauge', help: 'A gauge', registers: [registry] }).set(7)
  return buildAdminApp({
    clock: systemClock,
    network: 'dev',
    logger: silentLogger,
    logRequests: false,
    registry,
    requestMetrics: createRequestMetrics(),
    readiness: () => ({ ready: false, reason: 'it is early' }),
    status: () => ({ head: 12 }),
    token: () => undefined,
    host: '127.0.0.1',
    ...change,
  })
}

const get = async (app: ReturnType<typeof adminApp>, path: string, headers: Record<string, string> = {}) => {
  const response = await app.handle(new Request(`http://127.0.0.1:9${path}`, { headers }))
  return { status: response.status, text: await response.text(), headers: response.headers }
}

test('tells operators what there is to tell', async () => {
  const app = adminApp()
  expect(await get(app, '/status')).toMatchObject({ status: 200, text: expect.stringContaining('"head":12') })
  expect(await get(app, '/ready')).toMatchObject({ status: 503, text: expect.stringContaining('it is early') })
  expect((await get(app, '/healthcheck')).status).toBe(200)
  const metrics = await get(app, '/metrics')
  expect(metrics.text).toContain('some_gauge 7')
  expect(metrics.text).toContain('tonlith_http_request_seconds_count{route="/status"')
})

test('answers nothing of the API', async () => {
  for (const path of ['/', '/docs', '/api/v2/getMasterchainInfo', '/dashboard'])
    expect((await get(adminApp(), path)).status).toBe(404)
  expect((await get(adminApp(), '/metrics')).headers.get('access-control-allow-origin')).toBeNull()
})

describe('a token', () => {
  const app = adminApp({ token: () => TOKEN })
  test.each(['/metrics', '/status', '/ready', '/healthcheck', '/nowhere'])('guards %s', async (path) => {
    const refused = await get(app, path)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    for (const authorization of [`Bearer ${TOKEN}x`, TOKEN, `bearer ${TOKEN}`, 'Bearer ', 'Basic YTpi'])
      expect((await get(app, path, { authorization })).status).toBe(401)
    expect((await get(app, path, { authorization: `Bearer ${TOKEN}` })).status).not.toBe(401)
    expect(refused.text).not.toContain(TOKEN)
  })

  test('may change while it answers', async () => {
    let token = TOKEN
    const app = adminApp({ token: () => token })
    token = 'the-next-one'
    expect((await get(app, '/status', { authorization: `Bearer ${TOKEN}` })).status).toBe(401)
    expect((await get(app, '/status', { authorization: 'Bearer the-next-one' })).status).toBe(200)
  })
})

test('a page whose name was made to lead here gets nothing', async () => {
  expect((await get(adminApp(), '/metrics', { host: 'rebound.example:9' })).status).toBe(403)
  expect((await get(adminApp({ host: 'node.lan' }), '/metrics', { host: 'node.lan:9' })).status).toBe(200)
})

test('only reads', async () => {
  const response = await adminApp().handle(new Request('http://127.0.0.1:9/metrics', { method: 'POST' }))
  expect(response.status).toBe(405)
})

test('the public app keeps what probes need, and all of it where there is no other listener', async () => {
  const statuses = async (operatorsApart: boolean) => {
    const app = smallApp({ operatorsApart })
    const paths = ['/healthcheck', '/api/v2/healthcheck', '/ready', '/status', '/metrics']
    return await Promise.all(paths.map(async (path) => (await ask(app, path)).status))
  }
  expect(await statuses(false)).toEqual([200, 200, 200, 200, 200])
  expect(await statuses(true)).toEqual([200, 200, 200, 404, 404])
})
