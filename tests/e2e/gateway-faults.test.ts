import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Liteserver } from '../../src/devnet/liteserver-server.ts'
import { startArchive } from '../support/archive-client.ts'
import { type BadWire, startBadWire, type WireFault } from '../support/bad-wire.ts'
import { checkedLoad, type Tally } from '../support/checked-load.ts'
import { copyExecutable, type Lonely, type Running } from '../support/executable.ts'
import { startServed } from '../support/served-gateway.ts'

/**
 * The compiled program as `tonlith serve` on liteservers that die and come back, or misbehave, under load. Every request
 * gets a JSON answer in time, and what is no error is right.
 */

const REQUEST_MS = 1_500
/** For a machine that does other things too. */
const SLACK_MS = 2_500
const KILLS = 200
const PAIR_KILLS = 60
const FAULTS = ['black hole', 'drip', 'cut', 'garbage'] as const satisfies readonly WireFault[]
/** No error of another kind comes from a liteserver that is away or broken. */
const ALLOWED = new Set([
  '503 no liteserver is available',
  '503 LITE_SERVER_NETWORK connection lost',
  '504 LITE_SERVER_NETWORK timeout',
])

let alone: Lonely
let archives: Liteserver[]
let wires: BadWire[]
beforeAll(async () => {
  alone = await copyExecutable()
  archives = await Promise.all([startArchive(), startArchive()])
  wires = await Promise.all(archives.map(({ address, publicKey }) => startBadWire({ ...address, key: publicKey })))
})
afterAll(async () => {
  await Promise.all(wires.map(({ kill }) => kill()))
  await Promise.all(archives.map(({ stop }) => stop()))
  alone.remove()
})

const serve = (name: string, servers: readonly BadWire[]): Promise<Running> =>
  startServed(
    alone,
    name,
    servers.map(({ endpoint }) => endpoint),
    '--trust',
    'proofs',
    '--request-timeout',
    `${REQUEST_MS}ms`,
    '--log-level',
    'warn',
  )

const statesOf = async ({ url }: Running): Promise<string[]> => {
  const response = await fetch(`${url}/status`)
  const { liteservers } = (await response.json()) as { liteservers: { state: string }[] }
  return liteservers.map(({ state }) => state)
}

const memoryOf = async ({ url }: Running): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^tonlith_process_resident_memory_bytes (\S+)$/m.exec(text)?.[1])
}

const expectSound = ({ wrong, failed, slowestMs }: Tally): void => {
  expect(wrong).toEqual([])
  expect(Object.keys(failed).filter((error) => !ALLOWED.has(error))).toEqual([])
  expect(slowestMs).toBeLessThan(REQUEST_MS + SLACK_MS)
}

/** Resolves when the program has so many liteservers online. */
const untilOnline = async (gateway: Running, count: number): Promise<void> => {
  while ((await statesOf(gateway)).filter((state) => state === 'online').length < count) await Bun.sleep(2)
}

describe('one liteserver', () => {
  let gateway: Running
  let wire: BadWire
  beforeAll(async () => {
    wire = wires[0]!
    gateway = await serve('one', [wire])
  })
  afterAll(async () => {
    expect(await gateway.end()).toBe(0)
  })

  test(`killed and restarted ${KILLS} times under load: answers go on, what gets none gets an error in time`, async () => {
    await checkedLoad(gateway.url, 16, Bun.sleep(500))
    const before = await memoryOf(gateway)
    const kills = async (): Promise<void> => {
      for (let i = 0; i < KILLS; i++) {
        await Bun.sleep(10 + (i % 7) * 7)
        await wire.kill()
        await Bun.sleep((i % 5) * 4)
        await wire.restart()
      }
    }
    const tally = await checkedLoad(gateway.url, 16, kills())
    expectSound(tally)
    expect(tally.right).toBeGreaterThan(KILLS)
    expect((await memoryOf(gateway)) - before).toBeLessThan(128 << 20)
  }, 60_000)

  test.each(FAULTS)('%s: an answer is right or an error, and all is well again after it', async (fault) => {
    await untilOnline(gateway, 1)
    wire.setFault(fault)
    const tally = await checkedLoad(gateway.url, 8, Bun.sleep(800))
    wire.setFault('none')
    expectSound(tally)
    await untilOnline(gateway, 1)
    let last: Tally
    do last = await checkedLoad(gateway.url, 1, Bun.sleep(80))
    while (Object.keys(last.failed).length > 0)
    expect(last.right).toBeGreaterThan(0)
    expect(last.wrong).toEqual([])
  })

  test('gone: what is not known already is an error', async () => {
    await wire.kill()
    const tally = await checkedLoad(gateway.url, 8, Bun.sleep(100))
    await wire.restart()
    expectSound(tally)
    expect(Object.keys(tally.failed)).not.toEqual([])
  })
})

describe('two liteservers', () => {
  let gateway: Running
  beforeAll(async () => {
    gateway = await serve('two', wires)
  })
  afterAll(async () => {
    expect(await gateway.end()).toBe(0)
  })

  test(`one of them killed at a time, ${PAIR_KILLS} times: no request fails`, async () => {
    const kills = async (): Promise<void> => {
      for (let i = 0; i < PAIR_KILLS; i++) {
        const wire = wires[i % 2]!
        await untilOnline(gateway, 2)
        await wire.kill()
        await Bun.sleep(i % 5)
        await wire.restart()
      }
    }
    const tally = await checkedLoad(gateway.url, 8, kills())
    expectSound(tally)
    expect(tally.failed).toEqual({})
    expect(tally.right).toBeGreaterThan(200)
  }, 60_000)

  test.each(FAULTS)('%s in front of one of them: no request fails', async (fault) => {
    await untilOnline(gateway, 2)
    wires[0]!.setFault(fault)
    const tally = await checkedLoad(gateway.url, 8, Bun.sleep(600))
    wires[0]!.setFault('none')
    expectSound(tally)
    expect(tally.failed).toEqual({})
  })
})
