import { describe, expect, test } from 'bun:test'
import { type OpenApi, schemaCheck } from '../../../support/answer-schema.ts'
import { ask, post, smallApp } from '../../../support/small-app.ts'

const app = smallApp()
const rpc = (body: unknown) => post(app, '/api/v2/jsonRPC', body)

const isFailure = (seen: Awaited<ReturnType<typeof rpc>>, status: number, error: string): void => {
  expect(seen.status).toBe(status)
  expect(seen.json).toMatchObject({ ok: false, error, code: status })
}

describe('JSON-RPC', () => {
  test('answers as @ton/ton, tonweb and plain callers ask', async () => {
    const ton = await rpc({ id: '1', jsonrpc: '2.0', method: 'echo', params: { lt: '5' } })
    expect(ton.json).toEqual({ ok: true, result: { lt: 5 }, '@extra': expect.any(String), jsonrpc: '2.0', id: '1' })
    const tonweb = await rpc({ id: 1, jsonrpc: '2.0', method: 'echo', params: { lt: 5 } })
    expect(tonweb.json).toMatchObject({ ok: true, jsonrpc: '2.0', id: 1 })
    const plain = await rpc({ method: 'echo', params: { lt: 5 } })
    expect(Object.keys(plain.json as object)).toEqual(['ok', 'result', '@extra'])
  })

  test('reaches every method of the table by its name and its aliases', async () => {
    for (const method of ['block', 'blocks', 'send']) expect((await rpc({ method })).status).toBe(200)
  })

  test('keeps numbers exact', async () => {
    const seen = await rpc('{"id":12345678901234567890,"method":"echo","params":{"lt":53912345000000001}}')
    expect(seen.text).toContain('"lt":53912345000000001}')
    expect(seen.text).toContain('"id":12345678901234567890}')
  })

  test('echoes @extra, beside or inside the params', async () => {
    expect((await rpc({ method: 'block', '@extra': 'a' })).json).toMatchObject({ '@extra': 'a' })
    expect((await rpc({ method: 'block', params: { '@extra': 'b' } })).json).toMatchObject({ '@extra': 'b' })
    expect((await rpc({ method: 'nix', '@extra': 'c' })).json).toMatchObject({ ok: false, '@extra': 'c' })
    expect((await rpc({ method: 'nix', params: { '@extra': 'd' } })).json).toMatchObject({ ok: false, '@extra': 'd' })
    expect((await rpc({ method: 'echo', params: { '@extra': 'e' } })).json).toMatchObject({ code: 422, '@extra': 'e' })
  })

  test('takes nothing, null, an empty list and scalars for no params', async () => {
    for (const params of [undefined, null, [], 5, 'x'])
      expect((await rpc({ method: 'block', params })).status).toBe(200)
  })

  test('ignores unknown keys, in the request and in the params', async () => {
    expect((await rpc({ method: 'echo', params: { lt: 1, inclusive: true }, extra: 1 })).status).toBe(200)
  })

  test('passes refusals of the method on, with the id', async () => {
    const seen = await rpc({ jsonrpc: '2.0', id: 'x', method: 'echo', params: {} })
    isFailure(seen, 422, 'failed to parse lt')
    expect(seen.json).toMatchObject({ jsonrpc: '2.0', id: 'x' })
  })
})

test('every kind of id comes back as the documentation says, lists and objects as null', async () => {
  const check = schemaCheck((await ask(app, '/openapi.json')).json as OpenApi)
  for (const id of [
    '"a"',
    '""',
    '"\\u0000\\ud800"',
    '1',
    '-1.5',
    '12345678901234567890',
    'null',
    '1e400',
    '[1]',
    '{}',
    '{"deep":[123456789012345678901]}',
    'true',
  ])
    for (const lt of ['5', '"x"']) {
      const { status, json, text } = await rpc(`{"id":${id},"method":"echo","params":{"lt":${lt}}}`)
      expect(text).toEndWith(`"id":${/^[[{]|^1e400/.test(id) ? 'null' : id}}`)
      expect([id, check('/api/v2/jsonRPC', 'post', status, json)]).toEqual([id, []])
    }
})

describe('JSON-RPC refuses', () => {
  test('params in a filled list', async () => {
    isFailure(await rpc({ method: 'echo', params: [5] }), 422, 'params must contain an object')
  })

  test('methods that do not exist, itself and other paths among them', async () => {
    for (const method of ['nix', 'jsonRPC', '../healthcheck', 'block?x=1', '', '__proto__', 'constructor'])
      isFailure(await rpc({ jsonrpc: '2.0', id: 1, method }), 404, 'Unknown method')
  })

  test('requests without a method and what is no request', async () => {
    for (const body of [{}, { method: 5 }, { method: null }]) isFailure(await rpc(body), 422, 'method must be a string')
    for (const body of ['null', '5', '"x"', 'true']) isFailure(await rpc(body), 422, 'body must be an object')
    for (const body of ['', '{', '{"method":"block"']) isFailure(await rpc(body), 422, 'malformed JSON')
  })

  test('GET, naming POST', async () => {
    const seen = await ask(app, '/api/v2/jsonRPC')
    isFailure(seen, 405, 'method GET is not supported')
    expect(seen.headers.get('allow')).toBe('POST, OPTIONS')
  })
})
