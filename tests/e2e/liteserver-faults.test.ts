import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { isTonlithError, TonlithError } from '../../src/common/errors.ts'
import { getTime, lookupBlock } from '../../src/liteserver/client.ts'
import { createPool, type Pool, type PoolOptions } from '../../src/liteserver/pool.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { MASTERCHAIN, SHARD_ALL, sameBlock } from '../../src/ton/block-id.ts'
import { encode } from '../../src/ton/tl/codec.ts'
import type { Call } from '../../src/ton/tl/types.ts'
import { createFakeChain, fakeBlock } from '../support/fake-chain.ts'
import { type FakeLiteserver, type FakeOptions, type Reply, startFakeLiteserver } from '../support/fake-liteserver.ts'

const DEADLINE_MS = 2_000
const SLACK_MS = 500

const unhandled: unknown[] = []
const collect = (reason: unknown): void => void unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', collect))
afterAll(() => {
  process.off('unhandledRejection', collect)
  expect(unhandled).toEqual([])
})

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

/** A server of the made-up chain; `spoil` says what becomes of an answer to anything but the head. */
const serve = (spoil: (call: Call, honest: Buffer) => Reply | Promise<Reply>, options: Partial<FakeOptions> = {}) => {
  const chain = createFakeChain({ archival: true })
  const server = startFakeLiteserver({
    reply: async (call, wait) => {
      const honest = await chain.reply(call, wait)
      const isHousekeeping =
        call._ === 'liteServer.getMasterchainInfoExt' || (call._ === 'liteServer.lookupBlock' && call.id.seqno === 3)
      return isHousekeeping ? honest : await spoil(call, honest)
    },
    ...options,
  })
  ends.push(server.kill)
  return server
}
const honestly = (_: Call, honest: Buffer): Buffer => honest

const start = async (servers: readonly FakeLiteserver[], options: Partial<PoolOptions> = {}): Promise<Pool> => {
  const pool = createPool({
    liteservers: servers.map(({ host, port, key }) => ({ host, port, key })),
    zeroState: fakeBlock(0),
    timeoutMs: DEADLINE_MS,
    hedge: { initialMs: 50 },
    ...options,
  })
  ends.push(pool.stop)
  pool.start()
  await pool.ready()
  return pool
}

/** Looks a block up and checks that it is the one that was asked for, as proofs do. */
const checkedLookup = (seqno: number) => async (query: Query) => {
  const { id } = await lookupBlock(query, { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno })
  if (!sameBlock(id, fakeBlock(seqno))) throw new TonlithError('proof', 'another block')
  return id
}

interface Tally {
  answers: number
  errors: Record<string, number>
  slowestMs: number
}

const newTally = (): Tally => ({ answers: 0, errors: {}, slowestMs: 0 })

/** Keeps `workers` requests going until `until` resolves; every one must end within its deadline. */
const load = async (
  pool: Pool,
  workers: number,
  until: Promise<unknown>,
  tally: Tally = newTally(),
): Promise<Tally> => {
  let over = false
  void until.then(() => {
    over = true
  })
  const work = async (first: number): Promise<void> => {
    for (let seqno = first; !over; seqno = (seqno + 7) % 100) {
      const before = performance.now()
      try {
        const id = await pool.run(checkedLookup(seqno))
        expect(id).toEqual(fakeBlock(seqno))
        tally.answers++
      } catch (error) {
        if (!isTonlithError(error)) throw error
        tally.errors[error.kind] = (tally.errors[error.kind] ?? 0) + 1
      }
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - before)
      await Bun.sleep(1)
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, i) => work(10 + i)))
  return tally
}

describe('killed and restarted 200 times under load', () => {
  test('the only server: every request ends in time, nearly all with the right answer', async () => {
    const server = serve(honestly)
    const pool = await start([server])
    const tally = newTally()
    const kills = (async () => {
      for (let i = 0; i < 200; i++) {
        await Bun.sleep(10 + (i % 7) * 5)
        while (tally.answers <= 6 * i) await Bun.sleep(1)
        server.kill()
        await Bun.sleep(i % 5)
        server.restart()
      }
      await Bun.sleep(300)
    })()
    await load(pool, 16, kills, tally)
    expect(tally.slowestMs).toBeLessThan(DEADLINE_MS + SLACK_MS)
    expect(tally.answers).toBeGreaterThan(1_000)
    expect(
      Object.keys(tally.errors).filter((kind) => !['timeout', 'unavailable', 'connection'].includes(kind)),
    ).toEqual([])
    expect(await pool.run(checkedLookup(50))).toEqual(fakeBlock(50))
  }, 60_000)

  test('one of two: no request fails', async () => {
    const servers = [serve(honestly), serve(honestly)]
    const pool = await start(servers)
    const kills = (async () => {
      for (let i = 0; i < 200; i++) {
        servers[i % 2]!.kill()
        await Bun.sleep(5)
        servers[i % 2]!.restart()
        while (pool.status().some(({ state }) => state !== 'online')) await Bun.sleep(1)
      }
    })()
    const tally = await load(pool, 8, kills)
    expect(tally.errors).toEqual({})
    expect(tally.slowestMs).toBeLessThan(DEADLINE_MS)
  }, 60_000)
})

const faults: Record<string, (call: Call, honest: Buffer) => Reply | Promise<Reply>> = {
  'a black hole': () => 'silence',
  'a slow one': async (_, honest) => {
    await Bun.sleep(700)
    return honest
  },
  'one that closes at random': (_, honest) => (Math.random() < 0.5 ? 'close' : honest),
  'one that resets at random': (_, honest) => (Math.random() < 0.5 ? 'reset' : honest),
  'one that sends garbage': () => 'garbage',
  'one that sends garbage in good packets': () => 'garbage-packet',
  'one that sends garbage for an answer': () => Buffer.from('no TL at all'),
  'one that answers another question': () => encode({ _: 'liteServer.currentTime', now: 1 }),
  'one that answers about another block': () =>
    encode({ _: 'liteServer.blockHeader', id: fakeBlock(1, 'b'), mode: 0, header_proof: Buffer.alloc(0) }),
}

describe('beside a good server', () => {
  test.each(Object.entries(faults))('%s: every request gets the right answer in time', async (_, fault) => {
    const bad = serve(fault)
    const pool = await start([bad, serve(honestly)])
    while (pool.status().some(({ state }) => state !== 'online')) await Bun.sleep(1)
    const housekeeping = bad.asked.length
    const burst = await Promise.all(Array.from({ length: 100 }, () => pool.run(checkedLookup(50))))
    expect(burst).toEqual(Array(100).fill(fakeBlock(50)))
    expect(bad.asked.length).toBeGreaterThan(housekeeping)
    const tally = await load(pool, 4, Bun.sleep(250))
    expect(tally.errors).toEqual({})
    expect(tally.answers).toBeGreaterThan(20)
    expect(tally.slowestMs).toBeLessThan(1_000)
  })
})

describe('alone', () => {
  test.each(Object.entries(faults))('%s: an answer is right or an error, in time', async (_, fault) => {
    const pool = await start([serve(fault)], { timeoutMs: 300, patienceMs: 200 })
    const tally = await load(pool, 4, Bun.sleep(400))
    expect(tally.answers + Object.values(tally.errors).reduce((sum, each) => sum + each, 0)).toBeGreaterThan(3)
    expect(tally.slowestMs).toBeLessThan(300 + SLACK_MS)
    expect(Object.keys(tally.errors)).not.toContain('internal')
  })

  test.each(['close', 'silence', 'garbage'] as const)('%s instead of a handshake', async (mood) => {
    let isBad = false
    const server = serve(honestly, { onConnect: () => (isBad ? mood : 'accept') })
    const pool = await start([server], { timeoutMs: 300, patienceMs: 100 })
    isBad = true
    server.dropConnections()
    const tally = await load(pool, 4, Bun.sleep(300))
    expect(tally.answers).toBe(0)
    expect(tally.slowestMs).toBeLessThan(300 + SLACK_MS)
  })
})

test('all servers lie for a while: they are asked again soon after they have stopped', async () => {
  let lies = true
  const liar = faults['one that answers about another block']!
  const pool = await start(
    [0, 1, 2].map(() => serve((call, honest) => (lies ? liar(call, honest) : honest))),
    { patienceMs: 200, timeoutMs: 1_000 },
  )
  const tally = await load(pool, 4, Bun.sleep(1_500))
  expect(Object.keys(tally.errors)).not.toEqual([])
  lies = false
  const before = performance.now()
  while (!(await pool.run(checkedLookup(50)).catch(() => undefined))) await Bun.sleep(20)
  expect(performance.now() - before).toBeLessThan(5_000)
  expect(pool.status().some(({ breaker }) => breaker === 'closed')).toBe(true)
})

test('the process stays as small as it was', async () => {
  const pool = await start([serve(faults['one that closes at random']!), serve(honestly)])
  await load(pool, 8, Bun.sleep(300))
  Bun.gc(true)
  const before = process.memoryUsage().heapUsed
  await load(pool, 8, Bun.sleep(1_000))
  Bun.gc(true)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(16 << 20)
  expect(pool.status().every(({ inFlight }) => inFlight <= 1)).toBe(true)
  expect(await pool.run((query) => getTime(query))).toEqual({ _: 'liteServer.currentTime', now: 100 })
})
