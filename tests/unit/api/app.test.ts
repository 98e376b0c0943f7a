import { describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import { createLogger } from '../../../src/common/logger.ts'
import type { StopSignal } from '../../../src/common/stop.ts'
import { ask, post, smallApp } from '../../support/small-app.ts'

const KEYS = new Map([['good', { name: 'a shop', owner: 'a shop', network: 'dev', plan: 'free', rps: 0 }]])

describe('a call', () => {
  test('that takes too long is 504, and told to stop', async () => {
    let signal: StopSignal | undefined
    const app = smallApp({
      limits: { requestMs: 20 },
      chain: {
        answer: (given) => {
          signal = given
          return new Promise(() => {})
        },
      },
    })
    for (const method of ['ask', 'stored']) {
      const seen = await ask(app, `/api/v2/${method}`)
      expect(seen.status).toBe(504)
      expect(seen.json).toMatchObject({ ok: false, error: 'LITE_SERVER_NETWORK timeout', code: 504 })
      expect(signal?.aborted).toBe(true)
    }
  })

  test('that fails says nothing of the inside, but the log does', async () => {
    const lines: string[] = []
    const app = smallApp({
      logger: createLogger('info', 'json', (line) => lines.push(line)),
      chain: { answer: () => Promise.reject(new Error('at /srv/x.ts 10.1.2.3')) },
    })
    const seen = await ask(app, '/api/v2/ask')
    expect(seen.json).toEqual({ ok: false, error: 'internal error', code: 500, '@extra': expect.any(String) })
    expect(lines.join()).toContain('10.1.2.3')
  })

  test('that throws at once fails like any other', async () => {
    const app = smallApp({
      chain: {
        answer: () => {
          throw new TonlithError('unavailable', 'x')
        },
      },
    })
    for (const method of ['ask', 'stored']) expect((await ask(app, `/api/v2/${method}`)).status).toBe(503)
  })

  test('beyond the number that may be under way is refused', async () => {
    const { promise, resolve } = Promise.withResolvers<bigint>()
    const app = smallApp({ limits: { maxCalls: 2 }, chain: { answer: () => promise } })
    const first = [ask(app, '/api/v2/ask'), ask(app, '/api/v2/ask')]
    await Bun.sleep(1)
    const refused = await ask(app, '/api/v2/ask')
    expect([refused.status, refused.json]).toMatchObject([503, { error: 'too many calls under way' }])
    expect(refused.headers.get('retry-after')).toBe('1')
    resolve(5n)
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200])
    expect((await ask(app, '/api/v2/ask')).status).toBe(200)
  })

  test('is shared by equal questions and its answer given again, marked, in each dialect', async () => {
    let calls = 0
    const app = smallApp({ chain: { answer: async () => BigInt(++calls) } })
    const spellings = [
      'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
      'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI',
    ]
    const together = await Promise.all(spellings.map((address) => ask(app, `/api/v2/stored?address=${address}`)))
    expect(together.map(({ json }) => (json as { result: number }).result)).toEqual([1, 1])
    const again = await post(app, '/api/v2/jsonRPC', { method: 'stored', params: { address: spellings[1] } })
    expect(again.json).toMatchObject({ result: 1, '@extra': expect.stringMatching(/:c$/) })
    expect((await ask(app, `/ton/api/v2/stored?address=${spellings[0]}`)).json).toMatchObject({ result: 2 })
    expect((await ask(app, '/api/v2/stored')).json).toMatchObject({ result: 3 })
  })

  test('is given up when its caller hangs up, and its place is free', async () => {
    const signals: StopSignal[] = []
    const app = smallApp({
      limits: { maxCalls: 2 },
      chain: {
        answer: (signal) => {
          signals.push(signal)
          return new Promise(() => {})
        },
      },
    })
    for (const method of ['ask', 'stored']) {
      const gone = new AbortController()
      const asked = [1, 2].map((i) => ask(app, `/api/v2/${method}?address=0:${`${i}`.repeat(64)}`, gone))
      await Bun.sleep(1)
      expect(await ask(app, '/api/v2/ask')).toMatchObject({
        status: 503,
        json: { ok: false, error: 'too many calls under way', code: 503 },
      })
      gone.abort()
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([499, 499])
      expect(signals.splice(0).map(({ aborted }) => aborted)).toEqual([true, true])
    }
  })

  test('goes on while one of its callers still waits', async () => {
    const { promise, resolve } = Promise.withResolvers<bigint>()
    const app = smallApp({ chain: { answer: () => promise } })
    const gone = new AbortController()
    const [left, stayed] = [ask(app, '/api/v2/stored', gone), ask(app, '/api/v2/stored')]
    await Bun.sleep(1)
    gone.abort()
    expect((await left).status).toBe(499)
    resolve(5n)
    expect((await stayed).json).toMatchObject({ ok: true, result: 5 })
  })

  test('that failed is asked again', async () => {
    let calls = 0
    const app = smallApp({
      chain: { answer: async () => (calls++ === 0 ? Promise.reject(new TonlithError('timeout', '')) : 7n) },
    })
    expect((await ask(app, '/api/v2/stored')).status).toBe(504)
    expect((await ask(app, '/api/v2/stored')).json).toMatchObject({ result: 7 })
  })
})

describe('the two dialects', () => {
  const typeAt = async (app: ReturnType<typeof smallApp>, path: string) =>
    ((await ask(app, path)).json as { result: { '@type': string } }).result['@type']

  test('have a base path each', async () => {
    const app = smallApp()
    expect(await typeAt(app, '/api/v2/block')).toBe('chain.blockIdExt')
    expect(await typeAt(app, '/ton/api/v2/block')).toBe('ton.blockIdExt')
  })

  test('can both be the SDKs’', async () => {
    expect(await typeAt(smallApp({ dialect: 'toncenter' }), '/api/v2/block')).toBe('ton.blockIdExt')
  })
})

describe('admission', () => {
  test('refuses in the envelope, with the time to wait, and lets system routes pass', async () => {
    const app = smallApp({ limits: { keylessRps: 1 }, keys: (secret) => KEYS.get(secret) })
    expect((await ask(app, '/api/v2/block')).status).toBe(200)
    const limited = await post(app, '/ton/api/v2/jsonRPC', { method: 'block' })
    expect(limited.status).toBe(429)
    const refusal = { ok: false, error: 'Ratelimit exceeded', code: 429, '@extra': '_' }
    expect(limited.json).toEqual({ ...refusal, result: 'Ratelimit exceeded' })
    expect((await ask(app, '/api/v2/block')).json).toEqual(refusal)
    expect(limited.headers.get('retry-after')).toBe('1')
    expect((await ask(app, '/api/v2/block?api_key=good')).status).toBe(200)
    expect((await ask(app, '/api/v2/block?@extra=mine')).json).toMatchObject({ code: 429, '@extra': 'mine' })
    const unknown = await ask(app, '/api/v2/block', { headers: { 'x-api-key': 'bad' } })
    expect(unknown.json).toEqual({ ok: false, error: 'API key does not exist', code: 401, '@extra': '_' })
    for (const path of ['/healthcheck', '/ready', '/metrics', '/docs', '/openapi.json'])
      expect((await ask(app, path)).status).toBe(200)
  })

  test('also counts requests for what is not there', async () => {
    const app = smallApp({ limits: { keylessRps: 1 } })
    expect((await ask(app, '/api/v2/nix')).status).toBe(404)
    expect((await ask(app, '/api/v2/nix')).status).toBe(429)
  })
})

test('API v3 counts its keyless callers apart', async () => {
  const app = smallApp({ limits: { keylessRps: 1, v3KeylessRps: 1 } })
  expect((await ask(app, '/api/v2/block')).status).toBe(200)
  expect((await ask(app, '/api/v3/blocks')).status).toBe(404)
  expect((await ask(app, '/ton/api/v3/blocks')).status).toBe(429)
})

test('keys of a plan with liteservers of its own are answered from those alone', async () => {
  const keys = (secret: string) => ({ name: secret, owner: secret, network: 'dev', plan: secret, rps: 0 })
  const app = smallApp({
    keys,
    chain: { answer: async () => 1n },
    privateChains: new Map([['own', { answer: async () => 2n }]]),
  })
  for (const base of ['/api/v2', '/ton/api/v2']) {
    expect((await ask(app, `${base}/stored?api_key=free`)).json).toMatchObject({ ok: true, result: 1 })
    expect((await ask(app, `${base}/stored?api_key=own`)).json).toMatchObject({ ok: true, result: 2 })
    expect((await ask(app, `${base}/stored`)).json).toMatchObject({ ok: true, result: 1 })
  }
})

describe('browsers of other origins', () => {
  const app = smallApp({
    limits: { keylessRps: 0.001, requestMs: 10 },
    chain: { answer: () => new Promise(() => {}) },
    keys: (secret) => KEYS.get(secret),
  })
  const allowed = async (path: string, init?: RequestInit) => {
    const seen = await ask(app, path, init)
    return [seen.status, seen.headers.get('access-control-allow-origin')]
  }

  test('may read every answer, failures too', async () => {
    const key = { headers: { 'x-api-key': 'good' } }
    expect(await allowed('/api/v2/block', key)).toEqual([200, '*'])
    expect(await allowed('/api/v2/block?api_key=bad')).toEqual([401, '*'])
    expect(await allowed('/nix')).toEqual([404, '*'])
    expect(await allowed('/api/v2/block', { ...key, method: 'DELETE' })).toEqual([405, '*'])
    expect(await allowed('/api/v2/echo', key)).toEqual([422, '*'])
    expect(await allowed('/api/v2/ask', key)).toEqual([504, '*'])
    await ask(app, '/api/v2/block')
    expect(await allowed('/api/v2/block')).toEqual([429, '*'])
  })

  test('get an answer to a preflight that no limit counts', async () => {
    for (let i = 0; i < 3; i++) {
      const seen = await ask(app, '/api/v2/jsonRPC', {
        method: 'OPTIONS',
        headers: { origin: 'https://a.example', 'access-control-request-headers': 'x-ton-client-version' },
      })
      expect(seen.status).toBe(204)
      expect(seen.text).toBe('')
      expect(seen.headers.get('access-control-allow-methods')).toContain('POST')
      expect(seen.headers.get('access-control-allow-headers')).toContain('X-Ton-Client-Version')
    }
  })
})

describe('system routes', () => {
  test('tell health, readiness and state', async () => {
    const app = smallApp({
      status: () => ({ head: 360 }),
      readiness: () => ({ ready: false, reason: 'no liteserver' }),
    })
    for (const path of ['/healthcheck', '/api/v2/healthcheck', '/ton/api/v2/healthcheck'])
      expect((await ask(app, path)).text).toBe('"OK"')
    const ready = await ask(app, '/ready')
    expect([ready.status, ready.json]).toEqual([503, { ready: false, reason: 'no liteserver' }])
    expect((await ask(app, '/status')).json).toMatchObject({ network: 'dev', head: 360, uptime_seconds: 0 })
    expect((await ask(smallApp(), '/ready')).json).toEqual({ ready: true })
  })

  test('count requests by method, never by path', async () => {
    const app = smallApp({ keys: () => ({ name: 'a shop', owner: 'a shop', network: 'dev', plan: 'free', rps: 0 }) })
    await ask(app, '/api/v2/block?api_key=hidden')
    await ask(app, '/api/v2/whatever-hidden')
    await post(app, '/api/v2/jsonRPC', { method: 'echo', params: { lt: 1 } })
    const { text, headers } = await ask(app, '/metrics')
    expect(headers.get('content-type')).toContain('text/plain')
    for (const [method, status] of [
      ['block', 200],
      ['', 404],
      ['echo', 200],
    ])
      expect(text).toContain(`_count{route="/api/v2/:method",method="${method}",status="${status}"} 1`)
    expect(text).not.toContain('hidden')
  })

  test('lead from the root to the documentation', async () => {
    for (const path of ['/', '/api/v2', '/api/v2/', '/ton/api/v2']) {
      const seen = await ask(smallApp(), path)
      expect([seen.status, seen.headers.get('location')]).toEqual([302, '/docs'])
    }
  })
})
