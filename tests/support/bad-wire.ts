import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Endpoint } from '../../src/liteserver/connection.ts'

/**
 * What happens to the bytes that the server sends: they pass; they vanish; they come a few at a time; the connection
 * ends after some of them; one of them is changed now and then.
 */
export type WireFault = 'none' | 'black hole' | 'drip' | 'cut' | 'garbage'

/** A TCP relay in front of a liteserver that can be told to misbehave, and dies and comes back at will. */
export interface BadWire {
  readonly endpoint: Endpoint
  /** Changes what becomes of bytes from now on, also of those of open connections. */
  setFault(fault: WireFault): void
  /** Hangs up on everyone, without the bytes that were to come, and refuses connections. */
  kill(): Promise<void>
  restart(): Promise<void>
}

const DRIP_BYTES = 24
const DRIP_MS = 5
/** A byte is lost, or changed, about this often: a few answers get through. */
const MEAN_BYTES = 20_000

/** Numbers from 0 up to 1 that are the same in every run (mulberry32). */
const numbers = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), seed | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

export const startBadWire = async (target: Endpoint): Promise<BadWire> => {
  const sockets = new Set<Socket>()
  const random = numbers(1)
  let fault: WireFault = 'none'
  let server: Server | undefined
  let port = 0

  const drip = async (chunk: Buffer, client: Socket): Promise<void> => {
    for (let at = 0; at < chunk.length && !client.destroyed; at += DRIP_BYTES) {
      if (fault !== 'drip') return void client.write(chunk.subarray(at))
      client.write(chunk.subarray(at, at + DRIP_BYTES))
      await Bun.sleep(DRIP_MS)
    }
  }
  const isStruck = ({ length }: Buffer): boolean => random() < length / MEAN_BYTES

  const relay = async (chunk: Buffer, client: Socket): Promise<void> => {
    if (fault === 'black hole') return
    if (fault === 'drip') return drip(chunk, client)
    if (fault !== 'none' && isStruck(chunk)) {
      const at = Math.floor(random() * chunk.length)
      if (fault === 'cut') {
        client.write(chunk.subarray(0, at))
        client.destroySoon()
        return
      }
      chunk[at]! ^= 1 << (at & 7)
    }
    client.write(chunk)
  }

  const serve = (client: Socket): void => {
    const upstream = connect(target.port, target.host)
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    let last = Promise.resolve()
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.on('data', (chunk) => upstream.write(chunk))
    upstream.on('data', (chunk) => {
      last = last.then(() => relay(Buffer.from(chunk), client))
    })
  }

  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server = createServer(serve)
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        const bound = server?.address()
        if (typeof bound === 'object' && bound) port = bound.port
        resolve()
      })
    })

  await listen()
  return {
    endpoint: { host: '127.0.0.1', port, key: target.key },
    setFault: (next) => {
      fault = next
    },
    kill: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.resetAndDestroy()
        server?.close(() => resolve())
        server = undefined
      }),
    restart: listen,
  }
}
