import { afterAll, describe, expect, test } from 'bun:test'
import { systemClock } from '../../../src/common/clock.ts'
import { silentLogger } from '../../../src/common/logger.ts'
import { createAnswer } from '../../../src/devnet/answer.ts'
import { createHead } from '../../../src/devnet/head.ts'
import type { Endpoint } from '../../../src/liteserver/connection.ts'
import { type Examination, type ExaminedStep, examineServer } from '../../../src/liteserver/examine.ts'
import { createTrust, type TrustLevel } from '../../../src/liteserver/trust.ts'
import { encode } from '../../../src/ton/tl/codec.ts'
import { encodeError, encodeQuery, isLiteRequest, type LiteRequest } from '../../../src/ton/tl/lite-api.ts'
import { startArchive } from '../../support/archive-client.ts'
import {
  type FakeLiteserver,
  type FakeOptions,
  type Reply,
  startFakeLiteserver,
} from '../../support/fake-liteserver.ts'
import { LIES_ABOUT_HEADS } from '../../support/lies/heads.ts'
import { startLyingLiteserver } from '../../support/lying-liteserver.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

const HEAD = 357
const QUESTION_MS = 300
const zeroState = recordedChain().zerostate(-1)!.id

const examine = (endpoint: Endpoint, level: TrustLevel = 'proofs'): Promise<Examination> =>
  examineServer(endpoint, {
    clock: systemClock,
    trust: createTrust({ level, zeroState, initBlock: zeroState }),
    zeroState,
    questionMs: QUESTION_MS,
    totalMs: 20_000,
  })

const started: FakeLiteserver[] = []
afterAll(() => {
  for (const server of started) server.kill()
})

/** A server over the recorded chain that answers a request as `odd` says, and truthfully where that says nothing. */
const server = (odd: (request: LiteRequest) => Reply | undefined, options: Partial<FakeOptions> = {}) => {
  const truth = createAnswer(recordedChain(), createHead(HEAD), silentLogger)
  const made = startFakeLiteserver({
    reply: async (call) => (isLiteRequest(call) ? (odd(call) ?? (await truth(encodeQuery(call)))!) : 'close'),
    ...options,
  })
  started.push(made)
  return made
}

const faultOf = async (endpoint: Endpoint): Promise<[ExaminedStep, string] | undefined> => {
  const { fault } = await examine(endpoint)
  return fault && [fault.step, fault.error.kind]
}

test.each(['full', 'proofs', 'none'] as const)('of an archive all is known, with trust %s', async (level) => {
  const archive = await startArchive({ head: HEAD })
  try {
    const found = await examine({ ...archive.address, key: archive.publicKey }, level)
    expect(found.fault).toBeUndefined()
    expect([found.seqno, found.oldest?.seqno, found.clockAhead]).toEqual([HEAD, 1, 0])
    expect(found.connectMs).toBeGreaterThan(0)
    expect(found.latencyMs).toBeGreaterThan(0)
    expect(found.utime).toBeGreaterThan(found.oldest!.utime)
  } finally {
    archive.stop()
  }
})

test.each([2, 40, 356, 357])('the oldest block of a server that has thrown away those before %d', async (first) => {
  const pruned = server((call) =>
    call._ === 'liteServer.lookupBlock' && call.id.seqno < first ? encodeError(651, 'seqno not in db') : undefined,
  )
  expect((await examine(pruned)).oldest?.seqno).toBe(first)
  expect(pruned.asked.length).toBeLessThan(25)
})

test('a clock that is an hour ahead', async () => {
  const now = Math.floor(Date.now() / 1000) + 3600
  const odd = server((call) =>
    call._ === 'liteServer.getTime' ? encode({ _: 'liteServer.currentTime', now }) : undefined,
  )
  const { clockAhead, fault } = await examine(odd)
  expect(fault).toBeUndefined()
  expect(Math.abs(clockAhead! - 3600)).toBeLessThan(60)
})

describe('what does not work is told with the step that it happened in', () => {
  test('nobody listens', async () => {
    const gone = server(() => undefined)
    gone.kill()
    expect(await faultOf(gone)).toEqual(['connect', 'connection'])
  })

  test('another key: it hangs up twice', async () => {
    const closing = server(() => undefined, { onConnect: () => 'close' })
    expect(await faultOf(closing)).toEqual(['handshake', 'invalid'])
    expect(closing.connections).toBe(2)
  })

  test('garbage in the place of the handshake', async () => {
    expect(await faultOf(server(() => undefined, { onConnect: () => 'garbage' }))).toEqual(['handshake', 'connection'])
  })

  test.each<[string, Reply]>([
    ['silence', 'silence'],
    ['hanging up', 'close'],
    ['no packet', 'garbage'],
  ])('%s to every question', async (_, reply) => {
    const [step, kind] = (await faultOf(server(() => reply)))!
    expect([step, ['timeout', 'connection'].includes(kind)]).toEqual(['time', true])
  })

  test('an answer that is none', async () => {
    expect(await faultOf(server(() => Buffer.alloc(40, 7)))).toEqual(['time', 'malformed'])
  })

  test('no word about old blocks: that it is overloaded says nothing of them', async () => {
    const busy = server((call) =>
      call._ === 'liteServer.lookupBlock' ? encodeError(228, 'rate limit exceeded') : undefined,
    )
    expect(await faultOf(busy)).toEqual(['depth', 'liteserver'])
  })
})

describe('a lie about the head is found out', () => {
  const lies = LIES_ABOUT_HEADS.filter(({ fate }) => fate === 'refused')
  test.each(lies.map((lie) => [lie.name, lie] as const))('%s', async (_, lie) => {
    const liar = startLyingLiteserver({ head: HEAD, lie, aboutHead: true })
    started.push(liar.server)
    const { fault, seqno } = await examine(liar.server)
    expect(liar.told()).toBeGreaterThan(0)
    expect(seqno).toBeUndefined()
    expect(['head', 'proof']).toContain(fault!.step)
  })
})
