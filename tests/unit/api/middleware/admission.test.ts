import { describe, expect, test } from 'bun:test'
import { createExchange } from '../../../../src/api/exchange.ts'
import { createAdmission } from '../../../../src/api/middleware/admission.ts'
import type { ApiKey } from '../../../../src/api/middleware/api-key.ts'
import { createRateLimiter } from '../../../../src/api/middleware/rate-limit.ts'
import { createVirtualClock } from '../../../support/virtual-clock.ts'

const KEYS = new Map<string, ApiKey>(
  Object.entries({
    fast: { name: 'a shop', owner: 'shop', network: 'mainnet', plan: 'plus', rps: 2 },
    second: { name: 'its till', owner: 'shop', network: 'mainnet', plan: 'plus', rps: 2 },
    other: { name: 'a kiosk', owner: 'kiosk', network: 'mainnet', plan: 'plus', rps: 2 },
    free: { name: 'ours', owner: 'us', network: 'mainnet', plan: '', rps: 0 },
    test: { name: 'a tester', owner: 'tester', network: 'testnet', plan: 'plus', rps: 10 },
  }),
)

const setUp = () => {
  const clock = createVirtualClock()
  let address = '10.0.0.1'
  const limiter = createRateLimiter(clock)
  const rules = {
    lookup: (secret: string) => KEYS.get(secret),
    network: 'mainnet',
    keylessRps: () => 1,
    addressOf: () => address,
  }
  const admit = createAdmission({ ...rules, api: 'v2' }, limiter)
  const admitV3 = createAdmission({ ...rules, api: 'v3' }, limiter)
  const send = (query = '', headers: Record<string, string> = {}, by = admit) => {
    const exchange = createExchange(new Request(`http://localhost/api/v2/x${query}`, { headers }), '/x', 0)
    return { refusal: by(exchange), keyName: exchange.keyName, plan: exchange.plan }
  }
  const from = (other: string) => {
    address = other
  }
  return { clock, send, from, admitV3 }
}

describe('a key', () => {
  test('is taken from the header or the query, the header first, an empty one being none', () => {
    const { send } = setUp()
    expect(send('?api_key=free').keyName).toBe('ours')
    expect(send('', { 'X-API-Key': 'free' }).keyName).toBe('ours')
    expect(send('?api_key=unknown', { 'x-api-key': 'free' }).refusal).toBeUndefined()
    expect(send('?api_key=', { 'x-api-key': '' })).toEqual({ refusal: undefined, keyName: '', plan: '' })
  })

  test('that is unknown is refused with 401, that of another network with 403', () => {
    const { send } = setUp()
    expect(send('?api_key=no-such-key').refusal).toEqual({ status: 401, error: 'API key does not exist' })
    expect(send('?api_key=test').refusal).toEqual({ status: 403, error: 'Network not allowed' })
    expect(send('?api_key=__proto__').refusal?.status).toBe(401)
  })

  test('has a limit of its own, wherever its requests come from', () => {
    const { send, from } = setUp()
    expect(send('?api_key=fast').refusal).toBeUndefined()
    from('10.0.0.2')
    expect(send('?api_key=fast').refusal).toBeUndefined()
    expect(send('?api_key=fast').refusal).toEqual({ status: 429, error: 'Ratelimit exceeded', retryAfter: 1 })
    for (let i = 0; i < 100; i++) expect(send('?api_key=free').refusal).toBeUndefined()
  })
})

test('keys of one owner and plan share one rate, those of others do not', () => {
  const { send } = setUp()
  expect(send('?api_key=fast')).toEqual({ refusal: undefined, keyName: 'a shop', plan: 'plus' })
  expect(send('?api_key=second').refusal).toBeUndefined()
  expect(send('?api_key=second').refusal?.status).toBe(429)
  expect(send('?api_key=fast').refusal?.status).toBe(429)
  expect(send('?api_key=other').refusal).toBeUndefined()
})

describe('without a key', () => {
  test('each API counts for itself', () => {
    const { send, admitV3 } = setUp()
    expect(send().refusal).toBeUndefined()
    expect(send('', {}, admitV3).refusal).toBeUndefined()
    expect(send('', {}, admitV3).refusal?.status).toBe(429)
  })

  test('an address gets one request a second', async () => {
    const { clock, send, from } = setUp()
    expect(send().refusal).toBeUndefined()
    expect(send().refusal?.status).toBe(429)
    from('10.0.0.2')
    expect(send().refusal).toBeUndefined()
    await clock.advance(1000)
    expect(send().refusal).toBeUndefined()
  })
})
