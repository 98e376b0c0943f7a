/** What a load run saw; latencies in milliseconds. */
export interface Load {
  perSecond: number
  latencies: number[]
  failed: number
}

const HEAD_END = Buffer.from('\r\n\r\n')
const OK = Buffer.from('HTTP/1.1 200')
/** What ends an answer that comes in chunks, as large ones do. */
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

interface Run {
  connections: number
  /** How long requests are sent, at most `requests` of them. */
  ms: number
  requests?: number
  /** The n-th request's target. */
  path: (n: number) => string
  /** The n-th request's JSON body, which makes it a POST. */
  body?: (n: number) => string
}

/**
 * Keeps `connections` HTTP/1.1 connections busy with one request at a time each, over bare sockets: a load generator
 * that costs little beside the server it measures.
 */
export const load = async (
  port: number,
  { connections, ms, requests = Number.POSITIVE_INFINITY, path, body }: Run,
): Promise<Load> => {
  const latencies: number[] = []
  let sent = 0
  let failed = 0
  const startedAt = performance.now()
  const deadline = startedAt + ms
  const request = (): string => {
    const n = sent++
    const head = `${path(n)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`
    if (!body) return `GET ${head}\r\n`
    const json = body(n)
    return `POST ${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
  }
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let held: Buffer = Buffer.alloc(0)
      let at = 0
      const next = (socket: Bun.Socket<undefined>): void => {
        at = performance.now()
        if (at >= deadline || sent >= requests) {
          socket.end()
          resolve()
        } else socket.write(request())
      }
      Bun.connect({
        hostname: '127.0.0.1',
        port,
        socket: {
          open: next,
          data: (socket, chunk) => {
            held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk])
            const head = held.indexOf(HEAD_END)
            if (head < 0) return
            const length = /content-length: (\d+)/i.exec(held.toString('latin1', 0, head))?.[1]
            if (length === undefined && !held.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)) return
            if (length !== undefined && held.length < head + HEAD_END.length + Number(length)) return
            if (!held.subarray(0, OK.length).equals(OK)) failed++
            held = Buffer.alloc(0)
            latencies.push(performance.now() - at)
            next(socket)
          },
          close: () => resolve(),
          error: (_, error) => reject(error),
        },
      }).catch(reject)
    })
  await Promise.all(Array.from({ length: connections }, one))
  return { perSecond: latencies.length / ((performance.now() - startedAt) / 1000), latencies, failed }
}
