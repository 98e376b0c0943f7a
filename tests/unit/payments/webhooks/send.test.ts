import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { systemClock } from '../../../../src/common/clock.ts'
import type { WebhookSecret } from '../../../../src/model/payments.ts'
import { createSend } from '../../../../src/payments/webhooks/send.ts'
import { paySignature } from '../../../../src/payments/webhooks/sign.ts'
import { createTargetGuard } from '../../../../src/payments/webhooks/target-guard.ts'
import { type RawServer, rawServer } from '../../../support/raw-server.ts'
import { createVirtualClock } from '../../../support/virtual-clock.ts'

const TLS = join(import.meta.dir, '../../../fixtures/tls')
const CERT = readFileSync(join(TLS, 'token.example.cert.pem'), 'utf8')
const KEY = readFileSync(join(TLS, 'token.example.key.pem'), 'utf8')

const SECRETS: readonly WebhookSecret[] = [{ secret: 'whsec_c2VjcmV0', created: 0, until: null }]
const EVENT = { id: '01JDXYZ0000000000000000000', body: Buffer.from('{ "amount":1.10, "name":"é" }') }
const TIMEOUT = { status: null, failure: 'no answer came in time', answer: null }

const stops: (() => unknown)[] = []
afterAll(() => stops.map((stop) => stop()))

const raw = async (speak: (socket: Socket, said: Buffer) => void): Promise<RawServer> => {
  const server = await rawServer(speak)
  stops.push(server.stop)
  return server
}

/** Answers with these bytes. */
const saying = (text: string) => raw((socket) => socket.end(text))

const guard = createTargetGuard({ network: 'dev', allowHosts: [], resolve: async () => ['127.0.0.1'] })

const sendTo = (url: string, options: Partial<Parameters<typeof createSend>[0]> = {}) =>
  createSend({ guard, clock: systemClock, ...options })(
    EVENT,
    { url: new URL(url), webhook: { url, secrets: SECRETS } },
    new AbortController().signal,
  )

describe('an event that is sent', () => {
  test('arrives with its exact bytes, at the name that was asked for, signed', async () => {
    const whole = Promise.withResolvers<string>()
    const server = await raw((socket, said) => {
      const parts = [said]
      const look = (): void => {
        const text = Buffer.concat(parts)
        if (!text.includes(EVENT.body)) return
        whole.resolve(text.toString())
        socket.end('HTTP/1.1 204 No Content\r\n\r\n')
      }
      socket.on('data', (part) => {
        parts.push(Buffer.from(part))
        look()
      })
      look()
    })
    const result = await sendTo(`http://shop.example:${server.port}/hook?a=b#c`)
    expect(result).toEqual({ status: 204, failure: null, answer: '' })
    const [head = '', body] = (await whole.promise).split('\r\n\r\n')
    expect(body).toBe(EVENT.body.toString())
    const lines = head.split('\r\n')
    expect(lines[0]).toBe('POST /hook?a=b HTTP/1.1')
    expect(lines).toContain(`host: shop.example:${server.port}`)
    expect(lines).toContain('content-type: application/json')
    expect(lines).toContain(`X-Pay-Signature: ${paySignature('whsec_c2VjcmV0', EVENT.body)}`)
    expect(head).not.toMatch(/transfer-encoding|cookie|x-api-key/i)
  })

  test('is delivered by any status 2xx, and by none else', async () => {
    for (const status of [200, 201, 202, 204, 299]) {
      const { port } = await saying(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)
      expect(await sendTo(`http://a.example:${port}`)).toEqual({ status, failure: null, answer: '' })
    }
    for (const status of [304, 400, 401, 404, 410, 429, 500, 503, 999]) {
      const { port } = await saying(`HTTP/1.1 ${status} X\r\ncontent-length: 2\r\n\r\nno`)
      const { failure } = await sendTo(`http://a.example:${port}`)
      expect(failure).toStartWith(`the answer has status ${status}`)
    }
  })

  test('follows no redirect, wherever it leads', async () => {
    const other = await saying('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    for (const status of [301, 302, 303, 307, 308]) {
      const { port } = await saying(
        `HTTP/1.1 ${status} X\r\nlocation: http://127.0.0.1:${other.port}/\r\ncontent-length: 0\r\n\r\n`,
      )
      expect(await sendTo(`http://a.example:${port}`)).toEqual({
        status,
        failure: `the answer has status ${status}: a redirect, which is not followed`,
        answer: '',
      })
    }
    expect(other.connections()).toBe(0)
  })

  test('has failed where the connection ends, is refused, or speaks no HTTP', async () => {
    const ended = { status: null, failure: 'the connection ended before an answer came', answer: null }
    const closing = await raw((socket) => socket.destroy())
    const ending = await raw((socket) => socket.end())
    const chatting = await saying('220 mail.example ESMTP\r\n')
    for (const { port } of [closing, ending, chatting]) expect(await sendTo(`http://a.example:${port}`)).toEqual(ended)
    const { port, stop } = await saying('')
    stop()
    expect((await sendTo(`http://a.example:${port}`)).failure).toBe('the host takes no connection')
  })

  test('has failed where the name has no address', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'))
    const none = createTargetGuard({ network: 'dev', allowHosts: [], resolve })
    expect((await sendTo('http://a.example', { guard: none })).failure).toBe('the name of the host has no address')
  })

  test('goes on with the second address of a host that takes no connection at the first', async () => {
    const { port } = await saying('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    const two = createTargetGuard({ network: 'dev', allowHosts: [], resolve: async () => ['127.0.0.2', '127.0.0.1'] })
    expect((await sendTo(`http://a.example:${port}`, { guard: two })).status).toBe(200)
  })
})

describe('an answer', () => {
  test('is kept up to 1 KiB, and a connection that brings more is cut', async () => {
    const closed = Promise.withResolvers<number>()
    const server = await raw((socket) => {
      const chunk = Buffer.alloc(1 << 16, 'a')
      let bytes = 0
      const go = (): void => {
        while (bytes < 1e9 && !socket.destroyed) {
          bytes += chunk.length
          if (!socket.write(chunk)) return void socket.once('drain', go)
        }
      }
      socket.on('close', () => closed.resolve(bytes))
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n')
      go()
    })
    const { status, answer } = await sendTo(`http://a.example:${server.port}`)
    expect({ status, answer }).toEqual({ status: 200, answer: 'a'.repeat(1024) })
    expect(await closed.promise).toBeLessThan(100e6)
  })

  test('may be cut in a character, be no text, or be compressed: it is shown as far as it goes', async () => {
    const cut = await saying(`HTTP/1.1 400 X\r\ncontent-length: 2047\r\n\r\na${'é'.repeat(1023)}`)
    expect((await sendTo(`http://a.example:${cut.port}`)).answer).toBe(`a${'é'.repeat(511)}\ufffd`)
    const coded = await saying('HTTP/1.1 200 X\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc')
    expect(await sendTo(`http://a.example:${coded.port}`)).toEqual({ status: 200, failure: null, answer: 'abc' })
  })

  test('has a head that ends', async () => {
    const server = await raw((socket) => {
      const line = `x-a: ${'a'.repeat(60_000)}\r\n`
      const go = (): void => {
        while (!socket.destroyed && socket.write(line));
        if (!socket.destroyed) socket.once('drain', go)
      }
      socket.write('HTTP/1.1 200 OK\r\n')
      go()
    })
    expect((await sendTo(`http://a.example:${server.port}`)).status).toBeNull()
  })

  test('may be announced a few times, and not without end', async () => {
    for (const line of ['100 Continue', '102 Processing', '103 Early Hints\r\nlink: </a>']) {
      const once = `HTTP/1.1 ${line}\r\n\r\n`
      const few = await saying(`${once.repeat(8)}HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n`)
      expect((await sendTo(`http://a.example:${few.port}`)).status).toBe(200)
      const closed = Promise.withResolvers<void>()
      const endless = await raw((socket) => {
        const go = (): void => {
          while (!socket.destroyed && socket.write(once.repeat(1_000)));
          if (!socket.destroyed) socket.once('drain', go)
        }
        socket.on('close', () => closed.resolve())
        go()
      })
      const { failure } = await sendTo(`http://a.example:${endless.port}`, { clock: createVirtualClock() })
      expect(failure).toBe('the connection ended before an answer came')
      await closed.promise
    }
  })

  test('has 10 s to come, whatever holds it up', async () => {
    const clock = createVirtualClock()
    const mute = await raw(() => {})
    const dripping = await raw((socket) => {
      socket.write('HTTP/1.1 2')
    })
    const never = createTargetGuard({ network: 'dev', allowHosts: [], resolve: () => new Promise(() => {}) })
    const pending = [
      sendTo(`http://a.example:${mute.port}`, { clock }),
      sendTo(`http://a.example:${dripping.port}`, { clock }),
      sendTo(`https://a.example:${mute.port}`, { clock }),
      sendTo('http://a.example', { clock, guard: never }),
    ]
    while (mute.connections() < 2 || dripping.connections() < 1) await Bun.sleep(5)
    await clock.advance(9_999)
    const early = await Promise.race([Promise.race(pending), Bun.sleep(20)])
    expect(early).toBeUndefined()
    await clock.advance(1)
    expect(await Promise.all(pending)).toEqual([TIMEOUT, TIMEOUT, TIMEOUT, TIMEOUT])
  })

  test('whose body trickles has said its status; it is cut after 10 s', async () => {
    const clock = createVirtualClock()
    const said = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const server = await raw((socket) => {
      socket.on('close', () => closed.resolve())
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n', () => said.resolve())
    })
    const pending = sendTo(`http://a.example:${server.port}`, { clock })
    await said.promise
    await Bun.sleep(50)
    await clock.advance(10_000)
    expect(await pending).toEqual({ status: 200, failure: null, answer: 'ok' })
    await closed.promise
  })
})

describe('with TLS', () => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: { cert: CERT, key: KEY },
    fetch: () => new Response('ok'),
  })
  stops.push(() => server.stop(true))
  const refused = 'the certificate of the host is not valid, or TLS failed otherwise'

  test('the certificate must be that of the name', async () => {
    expect((await sendTo(`https://token.example:${server.port}`, { ca: CERT })).answer).toBe('ok')
    expect((await sendTo(`https://other.example:${server.port}`, { ca: CERT })).failure).toBe(refused)
    expect((await sendTo(`https://127.0.0.1:${server.port}`, { ca: CERT })).failure).toBe(refused)
  })

  test('the certificate must be signed by somebody who is trusted', async () => {
    expect((await sendTo(`https://token.example:${server.port}`)).failure).toBe(refused)
  })

  test('a host that speaks plain HTTP has failed', async () => {
    const { port } = await saying('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    expect((await sendTo(`https://token.example:${port}`, { ca: CERT })).status).toBeNull()
  })
})
