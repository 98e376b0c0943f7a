import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ChainBlock } from '../../src/devnet/chain.ts'
import type { Liteserver } from '../../src/devnet/liteserver-server.ts'
import type { Endpoint } from '../../src/liteserver/connection.ts'
import type { TrustLevel } from '../../src/liteserver/trust.ts'
import { encodeError } from '../../src/ton/tl/lite-api.ts'
import { archiveAt, startArchive } from '../support/archive-client.ts'
import { gatewayOver } from '../support/archive-gateway.ts'
import { createForgetfulGateway, type Got, readsOver } from '../support/lied-to-gateway.ts'
import { FALSE_HEADER } from '../support/lies/blocks.ts'
import { type HeadLie, LIES_ABOUT_BLOCK_PROOFS, LIES_ABOUT_HEADS } from '../support/lies/heads.ts'
import { type Fate, type Lie, startLyingLiteserver } from '../support/lying-liteserver.ts'
import { recordedChain } from '../support/recorded-chain.ts'

/**
 * Lies about the newest masterchain block and about the way to it, through the whole gateway. At the level `full` trust
 * starts at the zerostate and the head is proven by signatures; at `proofs` its header is all that is known of it.
 */

/** A block of which the recording has the signatures; so it has of every key block before. */
const SIGNED = 357
const QUESTIONS = [
  '/api/v2/getMasterchainInfo?',
  `/api/v2/getAddressInformation?address=-1:${'3'.repeat(64)}`,
  '/api/v2/getBlockHeader?workchain=-1&shard=-9223372036854775808&seqno=330',
]

const endpointOf = ({ address, publicKey }: Liteserver): Endpoint => ({ ...address, key: publicKey })

describe.each(['full', 'proofs'] as const)('level %s', (level: TrustLevel) => {
  const gateway = createForgetfulGateway(level)
  const truth = new Map<string, Got>()
  let honest: Liteserver
  beforeAll(async () => {
    honest = await startArchive({ head: SIGNED })
    for (const question of QUESTIONS) truth.set(question, (await gateway.ask(question, [endpointOf(honest)])).got)
  })
  afterAll(() => honest.stop())

  test('the truth is believed', () => {
    expect([...truth.values()].map(({ status }) => status)).toEqual([200, 200, 200])
  })

  const fateOf = (lie: HeadLie): Fate => (level === 'full' ? lie.proven : lie.fate)
  const lies = level === 'full' ? [...LIES_ABOUT_HEADS, ...LIES_ABOUT_BLOCK_PROOFS] : LIES_ABOUT_HEADS

  test.each(lies.map((lie) => [`${lie.name}: ${fateOf(lie)}`, lie] as const))('%s', async (_, lie) => {
    const { server, told } = startLyingLiteserver({ head: SIGNED, lie, aboutHead: true })
    try {
      for (const [question, right] of truth) {
        const alone = await gateway.ask(question, [server])
        if (fateOf(lie) === 'refused') expect(alone.got).toMatchObject({ status: 503, body: { ok: false } })
        if (fateOf(lie) === 'unseen') continue
        expect(await gateway.ask(question, [server, endpointOf(honest)])).toMatchObject({ got: right })
      }
      expect(told()).toBeGreaterThan(0)
    } finally {
      server.kill()
    }
  })

  test('an older head is a true one: alone it is all that is known, beside a newer one it is nothing', async () => {
    const behind = await startArchive({ head: 320 })
    try {
      const [question] = QUESTIONS
      const { got } = await gateway.ask(question!, [endpointOf(behind)])
      expect(got).toMatchObject({ status: 200, body: { result: { last: { seqno: 320 } } } })
      const beside = await gateway.ask(question!, [endpointOf(behind), endpointOf(honest)])
      expect(beside.got).toEqual(truth.get(question!)!)
    } finally {
      await behind.stop()
    }
  })

  test('a head that goes back: the gateway stays where it was', async () => {
    let asked = 0
    const goesBack: Lie = {
      name: 'an older head than before',
      fate: 'harmless',
      tells: {
        'liteServer.getMasterchainInfoExt': () =>
          asked++ === 0 ? undefined : archiveAt(320)('liteServer.getMasterchainInfoExt', { mode: 0 }),
      },
    }
    const { server } = startLyingLiteserver({ head: SIGNED, lie: goesBack, aboutHead: true })
    const { chain, pool } = readsOver(level, [server])
    try {
      await pool.waitForHead(SIGNED)
      while (pool.status()[0]?.seqno !== 320) await Bun.sleep(5)
      const fetch = gatewayOver(chain)
      for (const [question, right] of truth) {
        const response = await fetch(new Request(`http://localhost${question}`))
        expect(await response.json()).toMatchObject(right.body)
      }
    } finally {
      pool.stop()
      server.kill()
    }
  })

  test('no next head for now: the one that is known stays', async () => {
    let asked = 0
    const stalls: Lie = {
      name: 'no next head',
      fate: 'harmless',
      tells: { 'liteServer.getMasterchainInfoExt': () => (asked++ === 0 ? undefined : encodeError(652, 'timeout')) },
    }
    const { server } = startLyingLiteserver({ head: SIGNED, lie: stalls, aboutHead: true })
    const { chain, pool } = readsOver(level, [server])
    try {
      await pool.waitForHead(SIGNED)
      while (asked < 2) await Bun.sleep(5)
      const response = await gatewayOver(chain)(new Request(`http://localhost${QUESTIONS[0]}`))
      expect(await response.json()).toMatchObject(truth.get(QUESTIONS[0]!)!.body)
    } finally {
      pool.stop()
      server.kill()
    }
  })
})

describe('level full from the zerostate', () => {
  const chain = recordedChain()
  const gateway = createForgetfulGateway('full')
  const nowhere = Buffer.alloc(32, 7).toString('hex')
  const header = ({ id }: ChainBlock, file_hash = id.file_hash.toString('hex')): string =>
    `/api/v2/getBlockHeader?workchain=${id.workchain}&shard=${id.shard}&seqno=${id.seqno}` +
    `&root_hash=${id.root_hash.toString('hex')}&file_hash=${file_hash}`

  test.each([...chain.signed])('head %d: blocks of it and before it, no others', async (head) => {
    const { server, told } = startLyingLiteserver({ head, lie: FALSE_HEADER })
    try {
      const basechain = [...chain.shards(0).values()].flat().filter(({ mc_seqno }) => mc_seqno <= head)
      for (const block of [chain.masterchain(head)!, chain.masterchain(head - 9)!, basechain.at(-1)!, basechain[0]!]) {
        const { got } = await gateway.ask(header(block), [server])
        expect(got).toMatchObject({ status: 200, body: { result: { id: { seqno: block.id.seqno } } } })
        const before = told()
        const { got: wrong } = await gateway.ask(header(block, nowhere), [server])
        expect(wrong).toMatchObject({ status: 500, body: { ok: false } })
        expect(told()).toBeGreaterThan(before)
      }
    } finally {
      server.kill()
    }
  })
})

test('level full: a head without signatures is not taken', async () => {
  const unsigned = await startArchive({ head: SIGNED - 1 })
  try {
    const { got } = await createForgetfulGateway('full').ask(QUESTIONS[0]!, [endpointOf(unsigned)])
    expect(got).toMatchObject({ status: 503, body: { ok: false } })
  } finally {
    await unsigned.stop()
  }
})
