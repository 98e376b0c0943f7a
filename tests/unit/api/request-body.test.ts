import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { createBodyReader, MAX_BODY_BYTES } from '../../../src/api/request-body.ts'
import { rejectionOf } from '../../support/rejection.ts'

const readBody = createBodyReader({ ms: 10_000, maxHeldBytes: 8 << 20 })

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

const refused = async (from: Request): Promise<string | undefined> => (await rejectionOf(readBody(from)))?.kind

describe('a body', () => {
  test('is its text, whatever its type', async () => {
    expect(await readBody(request('{"a":"ü"}', { 'content-type': 'text/plain' }))).toBe('{"a":"ü"}')
    expect(await readBody(request(undefined))).toBe('')
    expect(await readBody(request('a', { 'content-encoding': 'identity' }))).toBe('a')
  })

  test('in gzip is inflated', async () => {
    const packed = gzipSync(Buffer.from('{"a":1}'))
    expect(await readBody(request(packed, { 'content-encoding': 'gzip' }))).toBe('{"a":1}')
    expect(await readBody(request(packed, { 'content-encoding': ' GZip ' }))).toBe('{"a":1}')
  })

  test('of the largest size is read, one byte more is refused', async () => {
    expect((await readBody(request('x'.repeat(MAX_BODY_BYTES)))).length).toBe(MAX_BODY_BYTES)
    expect(await refused(request('x'.repeat(MAX_BODY_BYTES + 1)))).toBe('limit')
  })

  test('whose length is not told is refused once it is too long', async () => {
    expect((await readBody(request(chunked(4, 1000)))).length).toBe(4000)
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

  test('that is cut off is a lost connection', async () => {
    const cut = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('aborted')),
    })
    expect(await refused(request(cut))).toBe('connection')
  })
})

describe('bodies that wait for their rest', () => {
  /** A body whose first bytes are there, with what ends it. */
  const unfinished = (bytes: number): { body: ReadableStream<Uint8Array>; end(): void } => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(bytes).fill(0x20)),
      pull: (controller) => promise.then(() => controller.close()),
    })
    return { body, end: resolve }
  }

  test('are bounded together, whatever becomes of them', async () => {
    const read = createBodyReader({ ms: 10_000, maxHeldBytes: 100_000 })
    const first = unfinished(40_000)
    const second = unfinished(40_000)
    const waiting = [read(request(first.body)), read(request(second.body))]
    await Bun.sleep(1)
    expect((await rejectionOf(read(request(chunked(2, 30_000)))))?.kind).toBe('unavailable')
    expect((await read(request('small'))).length).toBe(5)
    first.end()
    await waiting[0]
    expect((await read(request(chunked(2, 30_000)))).length).toBe(60_000)
    second.end()
    await Promise.all(waiting)
    expect(await refused(request(chunked(100, 65_536)))).toBe('limit')
    expect((await read(request(chunked(3, 30_000)))).length).toBe(90_000)
  })

  test('are waited for no longer than told, and then hold nothing once their connection ends', async () => {
    const read = createBodyReader({ ms: 20, maxHeldBytes: 100_000 })
    const slow = unfinished(90_000)
    expect((await rejectionOf(read(request(slow.body))))?.kind).toBe('timeout')
    slow.end()
    await Bun.sleep(1)
    expect((await read(request(chunked(3, 30_000)))).length).toBe(90_000)
  })
})
