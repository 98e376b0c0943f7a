import { describe, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { compress, MIN_COMPRESSED } from '../../../src/api/compression.ts'
import { GET_POST, method } from '../../../src/api/v2/method.ts'
import { int32 } from '../../../src/api/v2/param.ts'
import { type SmallAppOptions, smallApp } from '../../support/small-app.ts'

const unpack = {
  gzip: (bytes: Uint8Array) => gunzipSync(bytes).toString(),
  zstd: (bytes: Uint8Array) => Bun.zstdDecompressSync(bytes).toString(),
}

const textOf = method({
  name: 'text',
  group: 'utils',
  summary: 'For tests',
  verbs: GET_POST,
  params: { length: int32({}) },
  result: {},
  call: ({ length }) => 'é'.repeat(length ?? 0),
})

const fetchText = async (length: number, accept: string | undefined, verb = 'GET', options: SmallAppOptions = {}) => {
  const app = smallApp({ methods: [textOf], ...options })
  const headers = accept === undefined ? {} : { 'accept-encoding': accept }
  const response = await app.handle(
    new Request(`http://localhost/api/v2/text?length=${length}`, { method: verb, headers }),
  )
  return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}

test.each(['gzip', 'zstd'] as const)('%s holds the body, small and large', async (encoding) => {
  for (const length of [MIN_COMPRESSED, 8_192, 8_193, 32_768, 32_769, 1_000_000]) {
    const body = 'aé"'.repeat(length).slice(0, length)
    expect(unpack[encoding](await compress(body, encoding))).toBe(body)
  }
})

describe('an answer', () => {
  const expected = (length: number) => `{"ok":true,"result":"${'é'.repeat(length)}","@extra"`

  test.each(['gzip', 'zstd'] as const)('is compressed as %s for who likes it', async (encoding) => {
    for (const length of [3_000, 100_000]) {
      const { headers, bytes } = await fetchText(length, encoding)
      expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([encoding, 'Accept-Encoding'])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(unpack[encoding](bytes)).toStartWith(expected(length))
      expect(bytes.length).toBeLessThan(4_000)
    }
  })

  test('is left as it is for all others, and names what it depends on', async () => {
    for (const accept of [undefined, 'br', 'gzip;q=0']) {
      const { headers, bytes } = await fetchText(3_000, accept)
      expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, 'Accept-Encoding'])
      expect(Buffer.from(bytes).toString()).toStartWith(expected(3_000))
    }
  })

  test('is left as it is when it is small', async () => {
    const { headers } = await fetchText(10, 'gzip')
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, null])
  })

  test('depends on the origin as well where origins are listed', async () => {
    const { headers } = await fetchText(3_000, 'gzip', 'GET', { corsOrigins: ['https://a.example'] })
    expect(headers.get('vary')).toBe('Origin, Accept-Encoding')
  })
})

test('over a socket, HEAD tells what GET gives, and fetch reads the body by itself', async () => {
  const app = smallApp({ methods: [textOf] })
  app.listen({ hostname: '127.0.0.1', port: 0 })
  try {
    const url = `http://127.0.0.1:${app.server?.port}/api/v2/text?length=5000&@extra=e`
    const headers = { 'accept-encoding': 'gzip' }
    const get = await fetch(url, { headers })
    const head = await fetch(url, { headers, method: 'HEAD' })
    expect(await get.json()).toMatchObject({ result: 'é'.repeat(5_000) })
    expect(await head.text()).toBe('')
    for (const name of ['content-encoding', 'content-length', 'vary', 'content-type'])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
  } finally {
    await app.stop(true)
  }
})
