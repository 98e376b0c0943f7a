import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { MAX_BODY_BYTES, readBodyText } from '../../../src/api/request-body.ts'
import { rejectionOf } from '../../support/rejection.ts'

const request = (
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined,
  headers: Record<string, string> = {},
): Request => new Request('http://localhost/', { method: 'POST', headers, ...(body === undefined ? {} : { body }) })

/** A body that is sent in pieces, without a length in front. */
const chunked = (pieces: number, bytes: number): ReadableStream<Uint8Array> => {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent++ < pieces) controller.enqueue(new Uint8Array(bytes).fill(0x20))
      else controller.close()
    },
  })
}

const refused = async (from: Request): Promise<string | undefined> => (await rejectionOf(readBodyText(from)))?.kind

describe('a body', () => {
  test('is its text, whatever its type', async () => {
    expect(await readBodyText(request('{"a":"ü"}', { 'content-type': 'text/plain' }))).toBe('{"a":"ü"}')
    expect(await readBodyText(request(undefined))).toBe('')
    expect(await readBodyText(request('a', { 'content-encoding': 'identity' }))).toBe('a')
  })

  test('in gzip is inflated', async () => {
    const packed = gzipSync(Buffer.from('{"a":1}'))
    expect(await readBodyText(request(packed, { 'content-encoding': 'gzip' }))).toBe('{"a":1}')
    expect(await readBodyText(request(packed, { 'content-encoding': ' GZip ' }))).toBe('{"a":1}')
  })

  test('of the largest size is read, one byte more is refused', async () => {
    expect((await readBodyText(request('x'.repeat(MAX_BODY_BYTES)))).length).toBe(MAX_BODY_BYTES)
    expect(await refused(request('x'.repeat(MAX_BODY_BYTES + 1)))).toBe('limit')
  })

  test('whose length is not told is refused once it is too long', async () => {
    expect((await readBodyText(request(chunked(4, 1000)))).length).toBe(4000)
    expect(await refused(request(chunked(100, 65_536)))).toBe('limit')
  })

  test('that claims to be too long is refused unread', async () => {
    expect(await refused(request('x', { 'content-length': String(MAX_BODY_BYTES + 1) }))).toBe('limit')
  })

  test('that grows too large in inflating is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(64 << 20))
    expect(bomb.length).toBeLessThan(MAX_BODY_BYTES)
    expect(await refused(request(bomb, { 'content-encoding': 'gzip' }))).toBe('limit')
  })

  test('that is not what it says is malformed', async () => {
    expect(await refused(request('no gzip', { 'content-encoding': 'gzip' }))).toBe('malformed')
    const cut = gzipSync(Buffer.from('a'.repeat(1000))).subarray(0, 12)
    expect(await refused(request(cut, { 'content-encoding': 'gzip' }))).toBe('malformed')
    expect(await refused(request(new Uint8Array([0xff, 0xfe, 0x41])))).toBe('malformed')
  })

  test('in another encoding is not supported', async () => {
    for (const encoding of ['br', 'deflate', 'gzip, gzip'])
      expect(await refused(request('x', { 'content-encoding': encoding }))).toBe('unsupported')
  })
})
