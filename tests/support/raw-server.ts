import { createServer, type Socket } from 'node:net'

/** A server of bytes on loopback. */
export interface RawServer {
  port: number
  /** How many have connected so far. */
  connections(): number
  stop(): void
}

/** Starts one: `speak` is called with all that came once the first bytes of a connection are there. */
export const rawServer = (speak: (socket: Socket, said: Buffer) => void, host = '127.0.0.1'): Promise<RawServer> =>
  new Promise((resolve) => {
    const sockets = new Set<Socket>()
    let connections = 0
    const server = createServer((socket) => {
      connections++
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
      socket.once('data', (said) => speak(socket, Buffer.from(said)))
    })
    server.listen(0, host, () =>
      resolve({
        port: (server.address() as { port: number }).port,
        connections: () => connections,
        stop: () => {
          server.close()
          for (const socket of sockets) socket.destroy()
        },
      }),
    )
  })
