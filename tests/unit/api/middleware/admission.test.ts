import { describe, expect, test } from 'bun:test'
import { createExchange } from '../../../../src/api/exchange.ts'
import { createAdmission } from '../../../../src/api/middleware/admission.ts'
import type { ApiKey } from '../../../../src/api/middleware/api-key.ts'
import { createRateLimiter } from '../../../../src/api/middleware/rate-limit.ts'
import { createVirtualClock } from '../../../support/virtual-clock.ts'

const KEYS = new Map<string, ApiKey>(
  Object.entries({
    fast: { name: 'a shop', network: 'mainnet', rps: 2 },
    free: { name: 'ours', network: 'mainnet', rps: 0 },
    test: { name: 'a tester', network: 'testnet', rps: 10 },
  }),
)

const setUp = () => {
  const clock = createVirtualClock()
  let address = '10.0.0.1'
  const admit = createAdmission(
    { lookup: (secret) => KEYS.get(secret), network: 'mainnet', keylessRps: 1, addressOf: () => address },
    createRateLimiter(clock),
  )
  const send = (query = '', headers: Record<string, string> = {}) => {
    const exchange = createExchange(new Request(`http://localhost/api/v2/x${query}`, { headers }), '/x', 0)
    return { refusal: admit(exchange), keyName: exchange.keyName }
  }
  const from = (other: string) => {
    address = other
  }
  return { clock, send, from }
}

describe('a key', () => {
  test('is taken from the header or the query, the header first, an empty one being none', () => {
    const { send } = setUp()
    expect(send('?api_key=free').keyName).toBe('ours')
    expect(send('', { 'X-API-Key': 'free' }).keyName).toBe('ours')
    expect(send('?api_key=unknown', { 'x-api-key': 'free' }).refusal).toBeUndefined()
    expect(send('?api_key=', { 'x-api-key': '' })).toEqual({ refusal: undefined, keyName: '' })
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

describe('without a key', () => {
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
