import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createOutgoing, LARGE_BYTES, type Outgoing } from '../../../src/api/outgoing.ts'
import { GET_POST, method } from '../../../src/api/v2/method.ts'
import { int32 } from '../../../src/api/v2/param.ts'
import { type SmallApp, smallApp } from '../../support/small-app.ts'

const MAX = 1_000_000
const body = Buffer.alloc(600_000, 'x')
const never = new AbortController().signal

const isFull = (outgoing: Outgoing): boolean => !outgoing.hasRoom(body.length)

describe('a large body', () => {
  test('leaves whole, and counts until it has', async () => {
    const outgoing = createOutgoing(MAX)
    const text = new Response(outgoing.inParts(body, never)).text()
    expect(isFull(outgoing)).toBe(true)
    expect(await text).toBe(body.toString())
    expect(isFull(outgoing)).toBe(false)
  })

  test('of no more than fits leaves in one part', async () => {
    const outgoing = createOutgoing(MAX)
    for (const size of [1, LARGE_BYTES, LARGE_BYTES + 1])
      expect(await new Response(outgoing.inParts(body.subarray(0, size), never)).text()).toHaveLength(size)
    expect(outgoing.hasRoom(MAX)).toBe(true)
  })

  test('counts no more once nobody reads it', async () => {
    const outgoing = createOutgoing(MAX)
    const gone = new AbortController()
    outgoing.inParts(body, gone.signal)
    expect(isFull(outgoing)).toBe(true)
    gone.abort()
    expect(isFull(outgoing)).toBe(false)
    outgoing.inParts(body, gone.signal)
    expect(isFull(outgoing)).toBe(false)
    const left = outgoing.inParts(body, never)
    expect(isFull(outgoing)).toBe(true)
    await left.cancel()
    expect(isFull(outgoing)).toBe(false)
  })

  test('is let out alone, whatever its size', () => {
    expect(createOutgoing(MAX).hasRoom(100 * MAX)).toBe(true)
  })
})

describe('over connections', () => {
  const RESULT = 'x'.repeat(8 << 20)
  let app: SmallApp
  let port: number
  beforeAll(() => {
    const large = method({
      name: 'large',
      group: 'utils',
      summary: 'For tests',
      verbs: GET_POST,
      params: {},
      result: {},
      call: () => RESULT,
    })
    const later = method({
      name: 'later',
      group: 'utils',
      summary: 'For tests',
      verbs: GET_POST,
      params: { length: int32({}) },
      result: {},
      call: async ({ length }) => {
        await Bun.sleep(1)
        return `é漢😀"${'x'.repeat(length)}`
      },
    })
    app = smallApp({ methods: [large, later] })
    app.listen({ port: 0, hostname: '127.0.0.1' })
    port = app.server!.port!
  })
  afterAll(async () => {
    await app.server?.stop(true)
  })

  const url = (): string => `http://127.0.0.1:${port}/api/v2/large`
  const ask = (init: RequestInit = {}): Promise<Response> =>
    fetch(url(), { ...init, headers: { 'accept-encoding': 'identity' } })

  /** Asks and reads nothing until it is let go. */
  const stalled = async () => {
    const { promise: open, resolve } = Promise.withResolvers<void>()
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: (own) => {
          own.pause()
          own.write('GET /api/v2/large HTTP/1.1\r\nHost: localhost\r\n\r\n')
          resolve()
        },
        data: () => {},
      },
    })
    await open
    return socket
  }

  test('those who do not read cannot fill the memory; there is room again when they have gone', async () => {
    const sockets = await Promise.all(Array.from({ length: 12 }, stalled))
    const until = async (status: number): Promise<Response> => {
      for (;;) {
        const response = await ask()
        if (response.status === status) return response
        await response.body?.cancel()
        await Bun.sleep(5)
      }
    }
    const refused = await until(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({ ok: false, code: 503, error: 'too many large answers under way' })
    for (const socket of sockets) socket.terminate()
    const again = await until(200)
    expect(((await again.json()) as { result: string }).result).toBe(RESULT)
  })

  test('an answer that comes later is whole, whatever its length', async () => {
    for (const length of [10, 15_000, 16_000, 60_000, 70_000]) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v2/later?length=${length}`, {
        headers: { 'accept-encoding': 'identity' },
      })
      expect(((await response.json()) as { result: string }).result).toBe(`é漢😀"${'x'.repeat(length)}`)
    }
  })

  test('HEAD is answered without the body', async () => {
    for (let i = 0; i < 12; i++) expect(await (await ask({ method: 'HEAD' })).text()).toBe('')
    const { status, headers } = await ask()
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  })
})
