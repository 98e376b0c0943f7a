import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createChain } from '../../../src/chain/chain.ts'
import { createPool, type Pool } from '../../../src/liteserver/pool.ts'
import { createTrust } from '../../../src/liteserver/trust.ts'
import { gatewayOver } from '../../support/archive-gateway.ts'
import { createFakeChain, fakeBlock } from '../../support/fake-chain.ts'
import { type FakeLiteserver, startFakeLiteserver } from '../../support/fake-liteserver.ts'

describe('a network that has just been made', () => {
  const zeroState = fakeBlock(0)
  let server: FakeLiteserver
  let pool: Pool
  beforeAll(async () => {
    server = startFakeLiteserver({ reply: createFakeChain({ seqno: 0 }).reply })
    pool = createPool({ liteservers: [server], zeroState })
    pool.start()
    await pool.ready()
  })
  afterAll(() => {
    pool.stop()
    server.kill()
  })

  const get = async (path: string): Promise<{ status: number; answer: unknown }> => {
    const trust = createTrust({ level: 'none', zeroState, initBlock: zeroState })
    const response = await gatewayOver(createChain({ pool, trust, zeroState }))(new Request(`http://localhost${path}`))
    return { status: response.status, answer: await response.json() }
  }

  test('has a head, which is its zero state', async () => {
    expect(await get('/api/v2/getMasterchainInfo')).toMatchObject({
      status: 200,
      answer: { result: { last: { seqno: 0 }, init: { seqno: 0 } } },
    })
  })

  test('has nothing to read yet, and nobody is asked', async () => {
    const before = server.asked.length
    const address = `-1:${'3'.repeat(64)}`
    const paths = [
      `getAddressInformation?address=${address}`,
      `getTransactions?address=${address}`,
      `getTokenData?address=${address}`,
      'getConfigParam?param=34',
      'getConfigAll',
      'getOutMsgQueueSizes',
      `getLibraries?libraries=${'a5'.repeat(32)}`,
      'lookupBlock?workchain=-1&shard=-9223372036854775808&seqno=1',
    ]
    for (const path of paths)
      expect(await get(`/api/v2/${path}`)).toMatchObject({
        status: 503,
        answer: { ok: false, code: 503, error: 'the network has no block yet' },
      })
    expect(server.asked.slice(before)).not.toContain('liteServer.getAccountState')
  })
})
