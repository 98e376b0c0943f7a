import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { VERSION } from '../../../../src/common/version.ts'
import { ask, post, type Seen, smallApp } from '../../../support/small-app.ts'

const app = smallApp()
const RAW = '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8'

const isFailure = (seen: Seen, status: number, error: string): void => {
  expect(seen.status).toBe(status)
  expect(seen.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(seen.json).toMatchObject({ ok: false, error, code: status })
  expect(Object.keys(seen.json as object)).toEqual(['ok', 'error', 'code', '@extra'])
}

describe('GET', () => {
  test('answers with the envelope and the API’s version', async () => {
    const seen = await ask(app, `/api/v2/packAddress?address=${RAW}`)
    expect(seen.json).toMatchObject({ ok: true, result: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N' })
    expect(Object.keys(seen.json as object)).toEqual(['ok', 'result', '@extra'])
    expect(seen.headers.get('x-api-version')).toBe(VERSION)
    expect(VERSION).toMatch(/^2\.2\.\d+$/)
  })

  test('keeps numbers exact on their way through', async () => {
    const seen = await ask(app, '/api/v2/echo?lt=9223372036854775807')
    expect(seen.text).toContain('"result":{"lt":9223372036854775807}')
  })

  test('ignores parameters that the method does not have', async () => {
    expect((await ask(app, '/api/v2/echo?lt=1&_=1700000000&inclusive=true&api_key=')).status).toBe(200)
  })

  test('takes the first of a repeated parameter', async () => {
    expect((await ask(app, '/api/v2/echo?lt=1&lt=2')).text).toContain('"lt":1}')
  })

  test('takes standard base64 with a literal plus and an escaped one', async () => {
    for (const plus of ['+', '%2B']) {
      const seen = await ask(
        app,
        `/api/v2/unpackAddress?address=EQC9KiqWxNJaOH${plus}MFnUDcTxTAplf9/NahjbSGjsAlglu85Im`,
      )
      expect(seen.status).toBe(200)
    }
  })

  test('reaches aliases, and paths with a slash too many', async () => {
    for (const path of ['/api/v2/block', '/api/v2/blocks', '/api/v2/block/', '//api/v2/block', '///ton/api/v2/block/'])
      expect([path, (await ask(app, path)).status]).toEqual([path, 200])
  })

  test('echoes @extra, and makes one up where none was sent', async () => {
    expect((await ask(app, '/api/v2/block?%40extra=a%22b')).json).toMatchObject({ '@extra': 'a"b' })
    expect((await ask(app, '/api/v2/echo?lt=x&@extra=abc')).json).toMatchObject({ ok: false, '@extra': 'abc' })
    expect((await ask(app, '/api/v2/block')).json).toMatchObject({ '@extra': expect.stringMatching(/^\d+:_:[\d.]+$/) })
  })

  test('refuses bad parameters with 422 and the bare text', async () => {
    isFailure(await ask(app, '/api/v2/unpackAddress'), 422, 'empty address')
    isFailure(await ask(app, '/api/v2/unpackAddress?address=EQabc'), 422, 'failed to parse address')
    isFailure(await ask(app, '/api/v2/echo?lt=1&seqno=0'), 422, 'seqno should be positive')
    isFailure(
      await ask(app, `/api/v2/packAddress?address=1000:${'a'.repeat(64)}`),
      422,
      'workchain has no friendly form',
    )
  })
})

describe('POST', () => {
  test('takes the same parameters from a JSON object of any content type', async () => {
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded'])
      expect((await post(app, '/api/v2/echo', '{"lt":53912345000000001}', { 'content-type': type })).text).toContain(
        '"lt":53912345000000001}',
      )
    expect((await post(app, '/api/v2/echo', { lt: '53912345000000001', seqno: '5' })).text).toContain(
      '{"lt":53912345000000001,"seqno":5}',
    )
  })

  test('takes nothing and null for an empty object, ignores unknown keys and the query', async () => {
    for (const body of ['', '  ', 'null', '{}', '{"x":1}'])
      expect((await post(app, '/api/v2/block', body)).status).toBe(200)
    isFailure(await post(app, '/api/v2/echo?lt=5', '{}'), 422, 'failed to parse lt')
  })

  test('takes no inherited property for a parameter', async () => {
    isFailure(await post(app, '/api/v2/echo', '{"__proto__":{"lt":5}}'), 422, 'failed to parse lt')
  })

  test('inflates a gzip’d body', async () => {
    const body = gzipSync(Buffer.from('{"lt":7}'))
    const seen = await ask(app, '/api/v2/echo', { method: 'POST', body, headers: { 'content-encoding': 'gzip' } })
    expect(seen.text).toContain('"lt":7}')
  })

  test('echoes @extra', async () => {
    expect((await post(app, '/api/v2/block', { '@extra': 'mine' })).json).toMatchObject({ '@extra': 'mine' })
  })

  test('refuses what is no object', async () => {
    for (const body of ['[]', '5', '"a"', 'true'])
      isFailure(await post(app, '/api/v2/block', body), 422, 'body must be an object')
    for (const body of ['{', '{"a":}', 'lt=5']) isFailure(await post(app, '/api/v2/block', body), 422, 'malformed JSON')
    isFailure(await post(app, '/api/v2/block', '['.repeat(100_000)), 422, 'JSON nested deeper than 2048')
  })

  test('refuses what is too large', async () => {
    isFailure(await post(app, '/api/v2/block', `{"x":"${'a'.repeat(1 << 20)}"}`), 413, 'too large request')
    const body = gzipSync(Buffer.alloc(8 << 20, 0x20))
    const seen = await ask(app, '/api/v2/block', { method: 'POST', body, headers: { 'content-encoding': 'gzip' } })
    isFailure(seen, 413, 'too large request')
    isFailure(
      await post(app, '/api/v2/block', '{}', { 'content-encoding': 'br' }),
      415,
      'content encoding is not supported',
    )
  })
})

describe('what is not there', () => {
  test('is 404 for every verb', async () => {
    for (const path of ['/api/v2/nix', '/api/v2/getx/y', '/nix', '/api/v2/%zz', '/%ff%fe', '/api/v2/../x'])
      isFailure(await ask(app, path), 404, 'Not Found')
    isFailure(await post(app, '/api/v2/nix', {}), 404, 'Not Found')
    for (const name of ['__proto__', 'constructor', 'toString'])
      isFailure(await ask(app, `/api/v2/${name}`), 404, 'Not Found')
  })

  test('as a verb is 405 and names those that are', async () => {
    const seen = await ask(app, '/api/v2/block', { method: 'DELETE' })
    isFailure(seen, 405, 'method DELETE is not supported')
    expect(seen.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
    const get = await ask(app, '/api/v2/send')
    isFailure(get, 405, 'method GET is not supported')
    expect(get.headers.get('allow')).toBe('POST, OPTIONS')
    isFailure(await post(app, '/docs', {}), 405, 'method POST is not supported')
    isFailure(await ask(app, '/ready', { method: 'PATCH' }), 405, 'method PATCH is not supported')
  })

  test('as a verb is 405 for every spelling of every path', async () => {
    for (const path of ['/healthcheck', '/api/v2/healthcheck', '/ton/api/v2/openapi.json', '/docs', '/api/v2/block'])
      for (const spelling of [path, `${path}/`, `/${path}`, `//${path}/`])
        isFailure(await ask(app, spelling, { method: 'PUT' }), 405, 'method PUT is not supported')
  })

  test('as a URL too long is 414', async () => {
    isFailure(await ask(app, `/api/v2/block?x=${'a'.repeat(8192)}`), 414, 'URI too long')
  })
})
