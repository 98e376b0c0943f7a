import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rawServer } from './raw-server.ts'

/** What a receiver does with every webhook. */
export const RECEIVER_KINDS = ['200', '400', '500', 'hang', 'close', 'redirect', 'huge', 'certificate'] as const
export type ReceiverKind = (typeof RECEIVER_KINDS)[number]

/** A webhook that came. */
export interface Received {
  id: string
  body: string
  signature: string
  /** Unix milliseconds. */
  at: number
}

export interface Receiver {
  kind: ReceiverKind
  url: string
  received: Received[]
  stop(): void
}

const TLS = join(import.meta.dir, '../fixtures/tls')
const HUGE_BYTES = 1e9

const fields = (head: string): Map<string, string> =>
  new Map(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
  )

/** Receivers that speak HTTP as it should be. */
const served = (kind: ReceiverKind, answer: () => Response, secure = false): Receiver => {
  const received: Received[] = []
  const tls = secure && {
    cert: readFileSync(join(TLS, 'token.example.cert.pem')),
    key: readFileSync(join(TLS, 'token.example.key.pem')),
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    ...(tls && { tls }),
    fetch: async (request) => {
      received.push({
        id: request.headers.get('webhook-id') ?? '',
        body: await request.text(),
        signature: request.headers.get('x-pay-signature') ?? '',
        at: Date.now(),
      })
      return answer()
    },
  })
  const url = `${secure ? 'https' : 'http'}://localhost:${server.port}/${kind}`
  return { kind, url, received, stop: () => void server.stop(true) }
}

/** Receivers that do what no server should. */
const raw = async (
  kind: ReceiverKind,
  misbehave: (socket: Parameters<Parameters<typeof rawServer>[0]>[0]) => void,
): Promise<Receiver> => {
  const received: Received[] = []
  const server = await rawServer((socket, first) => {
    let said = first
    const look = (): void => {
      const end = said.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = fields(said.subarray(0, end).toString())
      const body = said.subarray(end + 4)
      if (body.length < Number(head.get('content-length'))) return
      socket.removeAllListeners('data')
      socket.resume()
      received.push({
        id: head.get('webhook-id') ?? '',
        body: body.toString(),
        signature: head.get('x-pay-signature') ?? '',
        at: Date.now(),
      })
      misbehave(socket)
    }
    socket.on('data', (part) => {
      said = Buffer.concat([said, Buffer.from(part)])
      look()
    })
    look()
  })
  return { kind, url: `http://localhost:${server.port}/${kind}`, received, stop: server.stop }
}

/** Starts a receiver on loopback. @param hangMs after which one that hangs answers 200 all the same */
export const startReceiver = async (kind: ReceiverKind, hangMs: number): Promise<Receiver> => {
  switch (kind) {
    case '200':
      return served(kind, () => new Response('thanks'))
    case '400':
    case '500':
      return served(kind, () => new Response('no', { status: Number(kind) }))
    case 'redirect':
      return served(kind, () => Response.redirect('/elsewhere', 307))
    case 'certificate':
      return served(kind, () => new Response('thanks'), true)
    case 'close':
      return await raw(kind, (socket) => socket.destroy())
    case 'hang':
      return await raw(kind, (socket) => {
        const timer = setTimeout(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), hangMs)
        socket.on('close', () => clearTimeout(timer))
      })
    case 'huge':
      return await raw(kind, (socket) => {
        const chunk = Buffer.alloc(1 << 16, 'a')
        let bytes = 0
        const go = (): void => {
          while (bytes < HUGE_BYTES && !socket.destroyed) {
            bytes += chunk.length
            if (!socket.write(chunk)) return void socket.once('drain', go)
          }
        }
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${HUGE_BYTES}\r\n\r\n`)
        go()
      })
  }
}
