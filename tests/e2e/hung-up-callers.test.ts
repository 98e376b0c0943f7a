import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import type { Liteserver } from '../../src/devnet/liteserver-server.ts'
import { startArchive } from '../support/archive-client.ts'
import { type BadWire, startBadWire } from '../support/bad-wire.ts'
import { copyExecutable, type Lonely, type Running } from '../support/executable.ts'
import { startServed } from '../support/served-gateway.ts'

/**
 * The compiled program in front of a liteserver that has fallen silent: callers who hang up free their places at once, long
 * before the deadline of their calls.
 */

const REQUEST_MS = 60_000
/** Far less than REQUEST_MS, for a loaded machine. */
const WAIT_MS = 20_000
const CALLERS = 300
/** More calls in all than may be under way at once. */
const ROUNDS = 3

let alone: Lonely
let archive: Liteserver
let wire: BadWire
let gateway: Running
beforeAll(async () => {
  alone = await copyExecutable()
  archive = await startArchive()
  wire = await startBadWire({ ...archive.address, key: archive.publicKey })
  gateway = await startServed(
    alone,
    'hung-up',
    [wire.endpoint],
    '--trust',
    'proofs',
    '--request-timeout',
    `${REQUEST_MS}ms`,
  )
})
afterAll(async () => {
  await gateway.end('SIGKILL')
  await wire.kill()
  await archive.stop()
  alone.remove()
})

/** How many requests for accounts ended with a status. */
const countOf = async (status: number): Promise<number> => {
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  const pattern = new RegExp(`_count\\{[^}]*method="getAddressInformation",status="${status}"\\} (\\d+)`)
  return Number(pattern.exec(text)?.[1] ?? 0)
}

/** Asks for an account, by GET or as JSON-RPC, and waits for nothing. */
const caller = (address: string, isRpc: boolean): Promise<Socket> => {
  const { hostname, port } = new URL(gateway.url)
  const body = JSON.stringify({ method: 'getAddressInformation', params: { address } })
  const request = isRpc
    ? `POST /api/v2/jsonRPC HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    : `GET /api/v2/getAddressInformation?address=${address} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(request, () => resolve(socket)))
  socket.on('error', reject)
  return promise
}

const addressOf = (round: number, i: number): string => `0:${(round * CALLERS + i + 1).toString(16).padStart(64, '0')}`

test(
  'callers who hang up free their places long before the deadline',
  async () => {
    wire.setFault('black hole')
    const deadline = performance.now() + WAIT_MS
    for (let round = 0; round < ROUNDS; round++) {
      const callers = await Promise.all(
        Array.from({ length: CALLERS }, (_, i) => caller(addressOf(round, i), i % 2 === 0)),
      )
      await Bun.sleep(200)
      for (const socket of callers) socket.destroy()
      while ((await countOf(499)) < (round + 1) * CALLERS && performance.now() < deadline) await Bun.sleep(50)
      expect([await countOf(499), await countOf(503)]).toEqual([(round + 1) * CALLERS, 0])
    }
    expect(performance.now()).toBeLessThan(deadline)
    expect(gateway.stderr()).not.toContain('hung up')
  },
  REQUEST_MS,
)
