import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { jsonReply, type Reply } from '../../../../src/api/reply.ts'
import { batchText, MAX_BATCH_CALLS } from '../../../../src/api/v2/batch.ts'
import { GET_POST, method } from '../../../../src/api/v2/method.ts'
import type { Json } from '../../../../src/common/lossless-json.ts'
import { type OpenApi, schemaCheck } from '../../../support/answer-schema.ts'
import { ask, post, type SmallAppOptions, smallApp } from '../../../support/small-app.ts'

const rpcOf = (options: SmallAppOptions = {}) => {
  const app = smallApp(options)
  return (body: unknown) => post(app, '/api/v2/jsonRPC', body)
}
const rpc = rpcOf()

interface Envelope {
  ok: boolean
  result?: unknown
  error?: string
  code?: number
  id?: unknown
}

const listOf = (seen: { json: unknown }): Envelope[] => seen.json as Envelope[]

describe('a batch', () => {
  test('is answered in its order, each entry as it would be alone', async () => {
    const seen = await rpc([
      { jsonrpc: '2.0', id: 1, method: 'echo', params: { lt: 5 } },
      { id: 'b', method: 'nix' },
      { method: 'echo', params: {}, '@extra': 'mine' },
      { id: null, method: 'ask' },
    ])
    expect(seen.status).toBe(200)
    expect(seen.json).toEqual([
      { ok: true, result: { lt: 5 }, '@extra': expect.any(String), jsonrpc: '2.0', id: 1 },
      { ok: false, error: 'Unknown method', code: 404, '@extra': '_', jsonrpc: '2.0', id: 'b' },
      { ok: false, error: 'failed to parse lt', code: 422, '@extra': 'mine' },
      { ok: true, result: 1, '@extra': expect.any(String), jsonrpc: '2.0', id: null },
    ])
  })

  test('keeps its order when later calls are done first', async () => {
    let left = 30
    const slowest = rpcOf({
      chain: {
        answer: async () => {
          const turn = left--
          await Bun.sleep(turn)
          return BigInt(turn)
        },
      },
    })
    const seen = await slowest(Array.from({ length: 30 }, (_, id) => ({ id, method: 'ask' })))
    expect(listOf(seen).map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, id) => id))
    expect(listOf(seen).map(({ result }) => result)).toEqual(Array.from({ length: 30 }, (_, i) => 30 - i))
  })

  test('has an entry for what is no request', async () => {
    const seen = await rpc('[5, null, "x", [], [{"method":"block"}], {"method":"block"}]')
    expect(listOf(seen).map(({ ok, error, code }) => error ?? [ok, code])).toEqual([
      ...Array.from({ length: 5 }, () => 'request must be an object'),
      [true, undefined],
    ])
  })

  test('must not be empty, nor longer than the bound that is told', async () => {
    const empty = await rpc([])
    expect([empty.status, empty.json]).toEqual([
      422,
      { ok: false, error: 'batch must not be empty', code: 422, '@extra': '_' },
    ])
    const long = (length: number) => rpc(Array.from({ length }, () => ({ method: 'block' })))
    expect(listOf(await long(MAX_BATCH_CALLS))).toHaveLength(MAX_BATCH_CALLS)
    const refused = await long(MAX_BATCH_CALLS + 1)
    expect([refused.status, refused.json]).toMatchObject([422, { error: 'batch of more than 100 calls' }])
  })

  test('has one deadline for all its calls', async () => {
    let started = 0
    const stuck = rpcOf({
      limits: { requestMs: 20 },
      chain: {
        answer: () => {
          started++
          return new Promise(() => {})
        },
      },
    })
    const seen = await stuck(Array.from({ length: 50 }, () => ({ method: 'ask' })))
    expect(listOf(seen).every(({ code, error }) => code === 504 && error === 'LITE_SERVER_NETWORK timeout')).toBe(true)
    expect(started).toBeLessThan(20)
  })

  test('counts each of its calls, and is refused as a whole', async () => {
    const keys = () => ({ name: 'a shop', owner: 'a shop', network: 'dev', plan: 'free', rps: 10 })
    const app = smallApp({ keys })
    const of = (length: number) =>
      post(
        app,
        '/api/v2/jsonRPC',
        Array.from({ length }, () => ({ method: 'block' })),
        { 'x-api-key': 'k' },
      )
    expect((await of(7)).status).toBe(200)
    const refused = await of(7)
    expect([refused.status, refused.json]).toMatchObject([429, { ok: false, error: 'Ratelimit exceeded', code: 429 }])
    expect(refused.headers.get('retry-after')).toBe('1')
    for (const length of [11, 90]) {
      const never = await of(length)
      expect([never.status, never.headers.get('retry-after')]).toEqual([429, null])
    }
  })

  test('stops when its answers are too large', async () => {
    const result = 'x'.repeat(1 << 20)
    const large = method({
      name: 'large',
      group: 'utils',
      summary: 'For tests',
      verbs: GET_POST,
      params: {},
      result: {},
      call: () => result,
    })
    const seen = await rpcOf({ methods: [large] })(Array.from({ length: 40 }, (_, id) => ({ id, method: 'large' })))
    const codes = listOf(seen).map(({ code }) => code)
    expect(codes.slice(0, 4)).toEqual(Array(4).fill(undefined))
    expect(new Set(codes.slice(12))).toEqual(new Set([413]))
    expect(listOf(seen).map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, id) => id))
    expect(seen.text.length).toBeLessThan(13 << 20)
  })

  test('lets others have their turn between calls that need nobody', async () => {
    let turns = 0
    const tick = (): void => {
      turns++
      timer = setImmediate(tick)
    }
    let timer = setImmediate(tick)
    let now = 0
    const clock = { monotonic: () => now }
    const slow = (): Reply => {
      now += 10
      return jsonReply(200, String(turns))
    }
    const seen = JSON.parse(await batchText(Array(20).fill(null), slow, clock)) as number[]
    clearImmediate(timer)
    expect(new Set(seen).size).toBe(20)
  })

  test('gives no lists and objects back as ids: JSON-RPC has none', async () => {
    const seen = await rpcOf()([
      { id: [2], method: 'block' },
      { id: { a: 1 }, method: 'x' },
      { id: 'a', method: 'x' },
    ])
    expect(listOf(seen).map(({ id }) => id)).toEqual([null, null, 'a'])
  })

  test('and its answers are what the documentation says', async () => {
    const app = smallApp()
    const check = schemaCheck((await ask(app, '/openapi.json')).json as OpenApi)
    const seen = await post(
      app,
      '/api/v2/jsonRPC',
      '[{"jsonrpc":"2.0","id":1,"method":"block"},{"id":[2],"method":"x"}]',
    )
    expect(check('/api/v2/jsonRPC', 'post', seen.status, seen.json)).toEqual([])
  })
})

const id = fc.oneof(fc.string(), fc.integer(), fc.bigInt({ min: 0n, max: 2n ** 80n }).map(String), fc.constant(null))
const request = fc.record(
  {
    method: fc.constantFrom('echo', 'block', 'ask', 'nix', '__proto__', 5, null),
    params: fc.oneof(
      fc.record({ lt: fc.oneof(fc.integer(), fc.string(), fc.constant(null)), seqno: fc.integer() }),
      fc.constantFrom<Json>(null, [], [1], 'x', {}),
    ),
    jsonrpc: fc.constant('2.0'),
    id,
    '@extra': fc.constant('mine'),
  },
  { requiredKeys: [] },
)

/** Without what tells the time. */
const timeless = (text: string): string => text.replaceAll(/"@extra":"\d+:_:[\d.]+(:c)?"/g, '"@extra":"…"')

test('a batch equals its calls one by one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 20 }), async (requests) => {
      const alone: string[] = []
      for (const each of requests) alone.push(timeless((await rpc(each)).text))
      expect(timeless((await rpc(requests)).text)).toBe(`[${alone.join(',')}]`)
    }),
    { numRuns: 200 },
  )
})
