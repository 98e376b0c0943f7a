import { afterEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { systemClock } from '../../../src/common/clock.ts'
import { TonlithError } from '../../../src/common/errors.ts'
import { getTime, lookupBlock, sendMessage } from '../../../src/liteserver/client.ts'
import { connect } from '../../../src/liteserver/connection.ts'
import { ConnectionError } from '../../../src/liteserver/connection-error.ts'
import { ed25519PublicKey } from '../../../src/liteserver/curve25519.ts'
import { createPool, type Pool, type PoolOptions } from '../../../src/liteserver/pool.ts'
import type { Query } from '../../../src/liteserver/query.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../../src/ton/block-id.ts'
import { encodeError } from '../../../src/ton/tl/lite-api.ts'
import { createFakeChain, type FakeChainOptions, fakeBlock } from '../../support/fake-chain.ts'
import {
  type FakeLiteserver,
  type FakeOptions,
  type Reply,
  startFakeLiteserver,
} from '../../support/fake-liteserver.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

interface FakeServerOptions extends FakeChainOptions {
  /** Its answer to getTime, lookupBlock with an lt, and sendMessage; the chain's own by default. */
  answer?: () => Reply | Promise<Reply>
  options?: Partial<FakeOptions>
}

const serve = ({ answer, options, ...rest }: FakeServerOptions = {}) => {
  const chain = createFakeChain(rest)
  const server = startFakeLiteserver({
    reply: (call, wait) => {
      const isOurs = call._ === 'liteServer.getTime' || call._ === 'liteServer.sendMessage'
      const isLookup = call._ === 'liteServer.lookupBlock' && (call.mode & 2) !== 0
      return answer && (isOurs || isLookup) ? answer() : chain.reply(call, wait)
    },
    ...options,
  })
  ends.push(server.kill)
  return Object.assign(server, { chain })
}
type Served = ReturnType<typeof serve>

const start = (servers: readonly FakeLiteserver[], options: Partial<PoolOptions> = {}): Pool => {
  const liteservers = servers.map(({ host, port, key }) => ({ host, port, key }))
  const pool = createPool({ liteservers, zeroState: fakeBlock(0), timeoutMs: 2_000, ...options })
  ends.push(pool.stop)
  pool.start()
  return pool
}

/** Servers of which the one that is asked first answers badly, that one time. */
const firstAnswers = (reply: Reply, count: number): Served[] => {
  let isFirst = true
  return Array.from({ length: count }, () => {
    const good = createFakeChain()
    return serve({
      answer: () => {
        if (!isFirst) return good.reply({ _: 'liteServer.getTime' }, undefined)
        isFirst = false
        return reply
      },
    })
  })
}

/** A pool whose servers are all online. */
const startAll = async (servers: readonly FakeLiteserver[], options: Partial<PoolOptions> = {}): Promise<Pool> => {
  const pool = start(servers, options)
  while (pool.status().some(({ state }) => state !== 'online')) await Bun.sleep(2)
  return pool
}

const failure = (promise: Promise<unknown>): Promise<TonlithError> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: TonlithError) => error,
  )
const countOf = (server: Served, method: string): number => server.asked.filter((each) => each.endsWith(method)).length
const times = (servers: readonly Served[]): number[] => servers.map((server) => countOf(server, 'getTime'))
const time = async (query: Query): Promise<number> => (await getTime(query)).now
const byLt = (query: Query) => lookupBlock(query, { workchain: MASTERCHAIN, shard: SHARD_ALL, lt: 5n })
const lie = async (query: Query): Promise<never> => {
  await getTime(query)
  throw new TonlithError('proof', 'a lie')
}

describe('heads', () => {
  test('are followed by long-poll: one question for each, told at once', async () => {
    const server = serve()
    const pool = start([server])
    const seen: number[] = []
    const off = pool.onHead(({ id }) => seen.push(id.seqno))
    await pool.ready()
    expect(pool.head()).toMatchObject({ id: fakeBlock(100), utime: 1_700_000_100 })
    for (let seqno = 101; seqno <= 110; seqno++) {
      server.chain.moveTo(seqno)
      expect((await pool.waitForHead(seqno)).id.seqno).toBe(seqno)
    }
    off()
    server.chain.moveTo(111)
    await pool.waitForHead(111)
    expect(seen).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110])
    await Bun.sleep(30)
    expect(countOf(server, 'getMasterchainInfoExt')).toBe(13)
  })

  test('the newest of all counts, and never moves back', async () => {
    const servers = [serve({ seqno: 100 }), serve({ seqno: 102 })]
    const pool = await startAll(servers)
    expect(pool.head()?.id.seqno).toBe(102)
    servers[1]!.kill()
    await Bun.sleep(20)
    expect(pool.head()?.id.seqno).toBe(102)
    expect(pool.headAgeMs()).toBe(0)
    servers[0]!.kill()
    while (pool.status().some(({ state }) => state === 'online')) await Bun.sleep(1)
    await Bun.sleep(20)
    expect(pool.headAgeMs()).toBeWithin(15, 5_000)
    expect((await failure(pool.waitForHead(103, { timeoutMs: 20 }))).kind).toBe('timeout')
  })

  test('each one is verified once, before it counts; a server that names another is left alone', async () => {
    const verified: number[] = []
    const [good, alsoGood, bad] = [serve(), serve(), { chain: createFakeChain() }]
    const forged = createFakeChain({ network: 'b', seqno: 101 })
    const liar = serve({
      options: {
        reply: async (call, wait) => {
          const honest = await bad.chain.reply(call, wait)
          if (call._ !== 'liteServer.getMasterchainInfoExt' || bad.chain.seqno < 101) return honest
          const answer = await forged.reply(call, undefined)
          honest.copy(answer, answer.length - 68, honest.length - 68)
          return answer
        },
      },
    })
    const pool = await startAll([good, alsoGood, liar], {
      verifyHead: async (query, { id }) => {
        await getTime(query)
        if (!id.root_hash.equals(fakeBlock(id.seqno).root_hash)) throw new TonlithError('proof', 'not our block')
        verified.push(id.seqno)
      },
    })
    bad.chain.moveTo(101)
    while (pool.status()[2]?.state === 'online') await Bun.sleep(5)
    expect(pool.head()?.id.seqno).toBe(100)
    good.chain.moveTo(101)
    alsoGood.chain.moveTo(101)
    expect((await pool.waitForHead(101)).id).toEqual(fakeBlock(101))
    expect(verified).toEqual([100, 101])
    expect(pool.status()[2]).toMatchObject({
      state: 'offline',
      lastError: 'its head (-1,8000000000000000,101) is not proven: not our block',
    })
  })
})

describe('the choice', () => {
  test('no server more than 3 blocks behind the best', async () => {
    const servers = [serve({ seqno: 96 }), serve({ seqno: 97 }), serve({ seqno: 100, answer: () => 'silence' })]
    const pool = await startAll(servers, { hedge: { initialMs: 10 } })
    for (let i = 0; i < 3; i++) expect(await pool.run(time)).toBe(97)
    expect(countOf(servers[0]!, 'getTime')).toBe(0)
    expect(pool.status().map(({ behind }) => behind)).toEqual([4, 3, 0])
  })

  test('a server that must wait for the block gets the wait prefix, one that has it is asked first', async () => {
    const late = serve({ seqno: 100 })
    const pool = await startAll([late])
    const answer = pool.run(time, { minSeqno: 101 })
    await Bun.sleep(20)
    late.chain.moveTo(101)
    expect(await answer).toBe(101)
    const both = [serve({ seqno: 100 }), serve({ seqno: 101 })]
    const second = await startAll(both)
    for (let i = 0; i < 5; i++) expect(await second.run(time, { minSeqno: 101 })).toBe(101)
    expect(times(both)).toEqual([0, 5])
  })

  test('the faster one is asked', async () => {
    let skipped = 0
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + skipped }
    const answersLate = (): Reply => {
      skipped += 20_000
      return encodeError(0, 'slow')
    }
    const servers = [serve({ seqno: 100, answer: answersLate }), serve({ seqno: 100 })]
    const pool = await startAll(servers, { clock, timeoutMs: 60_000 })
    for (let i = 0; i < 20; i++) await pool.run(time).catch(() => {})
    expect(times(servers)[0]!).toBeLessThanOrEqual(1)
  })
})

describe('second tries', () => {
  test('a deterministic error of a liteserver is asked for once', async () => {
    const servers = [1, 2, 3].map(() => serve({ answer: () => encodeError(-400, 'cannot do that') }))
    const pool = await startAll(servers)
    const error = await failure(pool.run(time))
    expect([error.kind, error.code, error.message]).toEqual(['liteserver', -400, 'cannot do that'])
    expect(times(servers).reduce((sum, each) => sum + each, 0)).toBe(1)
  })

  test.each([
    [652, 'timeout'],
    [228, 'too many'],
    [0, 'ratelimit exceeded'],
  ])('an error about its moment (%d) is asked about elsewhere', async (code, text) => {
    const servers = [
      serve({ answer: () => encodeError(code, text) }),
      serve({ answer: () => encodeError(code, text) }),
      serve(),
    ]
    const pool = await startAll(servers)
    for (let i = 0; i < 3; i++) expect(await pool.run(time)).toBe(100)
  })

  test('the connection is lost: another server at once', async () => {
    for (const reply of ['close', 'reset', 'garbage', 'garbage-packet'] as const) {
      const servers = firstAnswers(reply, 2)
      const pool = await startAll(servers, { hedge: { initialMs: 5_000 } })
      const before = performance.now()
      expect(await pool.run(time)).toBe(100)
      expect(performance.now() - before).toBeLessThan(1_000)
      expect(times(servers)).toEqual([1, 1])
    }
  })

  test('no answer: a second server is asked after the usual time', async () => {
    const servers = firstAnswers('silence', 3)
    const pool = await startAll(servers, { hedge: { initialMs: 60 } })
    const before = performance.now()
    expect(await pool.run(time)).toBe(100)
    expect(performance.now() - before).toBeGreaterThan(50)
    expect(performance.now() - before).toBeLessThan(1_000)
    expect(times(servers).toSorted()).toEqual([0, 1, 1])
  })

  test('a server that never answers is left alone after five questions', async () => {
    const server = serve({ answer: () => 'silence' })
    const pool = await startAll([server], { patienceMs: 20 })
    // A deadline that passes as soon as its question is asked, on a machine that stalls, says nothing of the server.
    while (pool.status()[0]!.breaker === 'closed')
      expect((await failure(pool.run(time, { timeoutMs: 200 }))).kind).toBe('timeout')
    const asked = times([server])
    expect(asked[0]).toBeGreaterThanOrEqual(5)
    expect((await failure(pool.run(time))).kind).toBe('unavailable')
    expect(times([server])).toEqual(asked)
    expect(pool.status()[0]).toMatchObject({ state: 'online', breaker: 'open' })
  })

  test('a server whose answers do not verify: asked once, then left alone', async () => {
    const servers = [serve(), serve()]
    const pool = await startAll(servers)
    let liar: string | undefined
    const check = async (query: Query, { name }: { name: string }): Promise<number> => {
      const now = await time(query)
      liar ??= name
      if (name === liar) throw new TonlithError('proof', 'not proved')
      return now
    }
    for (let i = 0; i < 8; i++) expect(await pool.run(check)).toBe(100)
    expect(times(servers).toSorted()).toEqual([1, 8])
    expect(pool.status().find(({ name }) => name === liar)).toMatchObject({ breaker: 'open', lastError: 'not proved' })
  })

  test('an answer that no server can prove is an error, and leaves the servers in use', async () => {
    const servers = [serve(), serve()]
    const pool = await startAll(servers)
    expect((await failure(pool.run(lie))).kind).toBe('proof')
    expect(times(servers)).toEqual([1, 1])
    expect(await pool.run(time)).toBe(100)
  })

  test('what the step throws for its own reasons is final', async () => {
    const servers = [serve(), serve()]
    const pool = await startAll(servers)
    for (const kind of ['notFound', 'invalid', 'conflict', 'internal'] as const) {
      const error = await failure(
        pool.run(async (query) => {
          await getTime(query)
          throw new TonlithError(kind, 'ours')
        }),
      )
      expect(error.kind).toBe(kind)
    }
    expect(times(servers).reduce((sum, each) => sum + each, 0)).toBe(4)
  })
})

describe('archives', () => {
  const pruned = () => encodeError(651, 'cannot find block (-1,8000000000000000) lt=5: ltdb: block not found')

  test('are known by an early block', async () => {
    const pool = await startAll([serve(), serve({ archival: true })])
    expect(pool.status().map(({ archival }) => archival)).toEqual([false, true])
  })

  test('auto: asked once more when the data may be gone', async () => {
    const servers = [
      serve({ answer: pruned, seqno: 103 }),
      serve({
        archival: true,
        seqno: 103,
        answer: async () => Bun.sleep(20).then(() => encodeError(0, 'the archive')),
      }),
    ]
    const pool = await startAll(servers)
    await failure(pool.run(byLt, { archival: 'only' }))
    const error = await failure(pool.run(byLt))
    expect(error.message).toBe('the archive')
    expect((await failure(pool.run(byLt, { archival: 'any' }))).code).toBe(651)
  })

  test('auto without an archive: the first error, one question', async () => {
    const servers = [serve({ answer: pruned }), serve({ answer: pruned })]
    const pool = await startAll(servers)
    const before = servers.reduce((sum, server) => sum + countOf(server, 'lookupBlock'), 0)
    expect((await failure(pool.run(byLt))).code).toBe(651)
    expect(servers.reduce((sum, server) => sum + countOf(server, 'lookupBlock'), 0) - before).toBe(1)
  })

  test('only: none but archives, at once an error when there is none', async () => {
    const servers = [serve(), serve({ archival: true }), serve()]
    const pool = await startAll(servers)
    for (let i = 0; i < 5; i++) await pool.run(time, { archival: 'only' })
    expect(times(servers)).toEqual([0, 5, 0])
    const without = await startAll([serve()])
    const before = performance.now()
    const error = await failure(without.run(time, { archival: 'only' }))
    expect([error.kind, error.message]).toEqual(['unavailable', 'no archive liteserver is available'])
    expect(performance.now() - before).toBeLessThan(500)
  })
})

describe('what is not to be repeated', () => {
  const send = (query: Query) => sendMessage(query, Buffer.from('message'))
  const sent = (servers: readonly Served[]): number =>
    servers.reduce((sum, server) => sum + countOf(server, 'sendMessage'), 0)

  test.each(['close', 'reset', 'garbage', 'silence'] as const)(
    '%s after it was written: one question, an error',
    async (reply) => {
      const servers = [serve({ answer: () => reply }), serve({ answer: () => reply })]
      const pool = await startAll(servers, { hedge: { initialMs: 10 } })
      const error = await failure(pool.run(send, { once: true, timeoutMs: 300 }))
      expect(error.kind).toBe(reply === 'silence' ? 'timeout' : 'connection')
      expect(sent(servers)).toBe(1)
    },
  )

  test('an error of the liteserver: one question', async () => {
    const servers = [1, 2].map(() => serve({ answer: () => encodeError(652, 'timeout') }))
    const pool = await startAll(servers)
    expect((await failure(pool.run(send, { once: true }))).code).toBe(652)
    expect(sent(servers)).toBe(1)
  })

  test('the connection broke before it was written: another server', async () => {
    const servers = [serve(), serve()]
    let breaks = 1
    const pool = await startAll(servers, {
      connect: async (endpoint, options) => {
        const real = await connect(endpoint, options)
        const query: typeof real.query = async (bytes, each) => {
          if (bytes.includes('message') && breaks-- > 0) throw new ConnectionError('broke', 'open', { written: false })
          return await real.query(bytes, each)
        }
        return { query, close: real.close, inFlight: 0, closed: false }
      },
    })
    expect(await pool.run(send, { once: true })).toEqual({ _: 'liteServer.sendMsgStatus', status: 1 })
    expect(sent(servers)).toBe(1)
  })
})

describe('deadlines', () => {
  test('servers that never answer: timeout in the words of API v2, in time', async () => {
    const servers = [1, 2, 3].map(() => serve({ answer: () => 'silence' }))
    const pool = await startAll(servers, { hedge: { initialMs: 20 } })
    const before = performance.now()
    const error = await failure(pool.run(time, { timeoutMs: 200 }))
    expect([error.kind, error.message]).toEqual(['timeout', 'LITE_SERVER_NETWORK timeout'])
    expect(performance.now() - before).toBeLessThan(400)
  })

  test('nobody there: unavailable after a short wait, and at once when it has been so for long', async () => {
    const server = serve()
    const pool = await startAll([server], { patienceMs: 150 })
    server.kill()
    const before = performance.now()
    expect((await failure(pool.run(time))).kind).toBe('unavailable')
    const first = performance.now() - before
    expect(first).toBeGreaterThan(100)
    expect(first).toBeLessThan(600)
    const again = performance.now()
    expect((await failure(pool.run(time))).kind).toBe('unavailable')
    expect(performance.now() - again).toBeLessThan(50)
  })

  test('a server that comes back in time answers the request that waits for it', async () => {
    const server = serve()
    const pool = await startAll([server])
    server.kill()
    const answer = pool.run(time)
    await Bun.sleep(100)
    server.restart()
    expect(await answer).toBe(100)
  })
})

describe('the start', () => {
  test('a wrong key is told, with the entry, when it is every server', async () => {
    const servers = [serve(), serve()].map(({ host, port }) => ({ host, port, key: ed25519PublicKey(randomBytes(32)) }))
    const pool = createPool({ liteservers: servers })
    ends.push(pool.stop)
    pool.start()
    const error = await failure(pool.ready())
    expect(error.kind).toBe('invalid')
    for (const { port } of servers) expect(error.message).toContain(`127.0.0.1:${port}`)
    expect(error.message).toContain('liteservers[1] of the global config')
    expect(error.message).toContain(servers[0]!.key.toString('base64'))
    expect(pool.status().map(({ state }) => state)).toEqual(['refused', 'refused'])
  })

  test('one good server is enough', async () => {
    const good = serve()
    const { host, port } = serve()
    const pool = createPool({ liteservers: [{ host, port, key: ed25519PublicKey(randomBytes(32)) }, good] })
    ends.push(pool.stop)
    pool.start()
    await pool.ready()
    expect(await pool.run(time)).toBe(100)
  })

  test('another network is told', async () => {
    const pool = start([serve({ network: 'b' })])
    const error = await failure(pool.ready())
    expect(error.kind).toBe('invalid')
    expect(error.message).toContain('serves another network')
  })

  test('a server that is not there is waited for', async () => {
    const server = serve()
    server.kill()
    const pool = start([server])
    expect((await failure(pool.ready({ timeoutMs: 50 }))).kind).toBe('timeout')
    server.restart()
    await pool.ready()
  })
})

test('after stop nothing connects and requests fail at once', async () => {
  const server = serve()
  const pool = await startAll([server])
  pool.stop()
  const { connections } = server
  expect((await failure(pool.run(time))).kind).toBe('unavailable')
  await Bun.sleep(150)
  expect(server.connections).toBe(connections)
  expect((await failure(pool.ready())).kind).toBe('timeout')
})
