import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ask, post, type Seen, smallApp } from '../support/small-app.ts'

const app = smallApp()
const NAMES = [
  'detectAddress',
  'detectHash',
  'packAddress',
  'unpackAddress',
  'echo',
  'block',
  'stored',
  'send',
  'jsonRPC',
]
const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 12 }).map(encodeURIComponent))
const base = fc.constantFrom('/api/v2/', '/ton/api/v2/')
const parameter = fc.oneof(fc.constantFrom('address', 'hash', 'lt', 'seqno', '@extra', '__proto__'), fc.string())

/** The envelope of one answer names its status, and none blames the server. */
const checkEnvelope = (envelope: Record<string, unknown>, status: number): void => {
  expect(typeof envelope['@extra']).toBe('string')
  if (status === 200) {
    expect(envelope['ok']).toBe(true)
    expect('result' in envelope).toBe(true)
  } else {
    expect(status).toBeLessThan(500)
    expect(envelope).toMatchObject({ ok: false, code: status, error: expect.any(String) })
  }
}

/** Every answer is an envelope; to a batch it is a list of them. */
const isEnvelope = ({ status, json, headers }: Seen): void => {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  const isBatch = Array.isArray(json)
  if (isBatch) expect(status).toBe(200)
  const envelopes = (isBatch ? json : [json]) as Record<string, unknown>[]
  for (const each of envelopes) checkEnvelope(each, isBatch && each['ok'] !== true ? Number(each['code']) : status)
}

test('every GET ends in an envelope', async () => {
  await fc.assert(
    fc.asyncProperty(
      base,
      name,
      fc.array(fc.tuple(parameter, fc.string({ unit: 'binary' })), { maxLength: 4 }),
      async (path, method, query) => {
        const well = query.map(([key, value]) => [key.toWellFormed(), value.toWellFormed()] as const)
        const text = well.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')
        const seen = await ask(app, `${path}${method.replaceAll('.', '%2E')}?${text}`)
        if (seen.status !== 302) isEnvelope(seen)
      },
    ),
    { numRuns: 500 },
  )
})

test('every POST of any JSON ends in an envelope', async () => {
  await fc.assert(
    fc.asyncProperty(base, fc.constantFrom(...NAMES), fc.jsonValue(), async (path, method, body) => {
      isEnvelope(await post(app, path + method, body))
    }),
    { numRuns: 500 },
  )
})

test('every POST of any bytes ends in an envelope', async () => {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...NAMES),
      bytes,
      fc.constantFrom('gzip', 'identity'),
      async (method, body, encoding) => {
        isEnvelope(
          await ask(app, `/api/v2/${method}`, { method: 'POST', body, headers: { 'content-encoding': encoding } }),
        )
      },
    ),
    { numRuns: 500 },
  )
})

test('JSON-RPC gives any id and any @extra back', async () => {
  const id = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
    fc.integer(),
    fc.constant(null),
  )
  await fc.assert(
    fc.asyncProperty(id, fc.string(), fc.constantFrom('block', 'nix'), async (sent, extra, method) => {
      const seen = await post(app, '/api/v2/jsonRPC', { jsonrpc: '2.0', id: sent, method, '@extra': extra })
      isEnvelope(seen)
      expect(seen.json).toMatchObject({ jsonrpc: '2.0', id: sent, '@extra': extra })
    }),
    { numRuns: 300 },
  )
})
