import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { lookupBlock, masterchainInfo, readHeader, shardBlocks } from '../../../src/chain/blocks.ts'
import type { Chain } from '../../../src/chain/chain.ts'
import { consensusSeqno, headOf } from '../../../src/chain/head.ts'
import { TonlithError } from '../../../src/common/errors.ts'
import type { Pool } from '../../../src/liteserver/pool.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../../src/ton/block-id.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { rejectionOf } from '../../support/rejection.ts'

const signal = new AbortController().signal
const masterchain = { workchain: MASTERCHAIN, shard: SHARD_ALL }

describe('reading blocks', () => {
  let reader: ArchiveReader
  beforeAll(async () => {
    reader = await startArchiveReader({ head: 300 })
  })
  afterAll(() => reader.stop())

  test('the head is known without a question, and follows the liteserver', async () => {
    const { chain } = reader
    const before = reader.asked()
    expect(masterchainInfo(chain)).toMatchObject({ last: { seqno: 300 }, init: { shard: 0n, seqno: 0 } })
    expect(headOf(chain).id).toEqual(recordedChain().masterchain(300)!.id)
    expect(consensusSeqno(chain)).toBe(300)
    expect(reader.asked()).toEqual(before)
    reader.setHead(301)
    await chain.pool.waitForHead(301)
    expect(masterchainInfo(chain).last).toEqual(recordedChain().masterchain(301)!.id)
  })

  test('every block of the recording is found by its seqno, and its header by its id', async () => {
    for (const workchain of [0, -1])
      for (const [shard, blocks] of recordedChain().shards(workchain)) {
        for (const { id } of blocks.filter(({ id: { seqno }, mc_seqno }) => seqno > 0 && mc_seqno <= 300)) {
          if (id.seqno % 9 !== 0) continue
          const found = await lookupBlock(reader.chain, { workchain, shard, seqno: id.seqno }, signal)
          expect(found.id).toEqual(id)
          expect(await readHeader(reader.chain, id)).toEqual(found)
        }
      }
  })

  test('a block is found by the lt that it reaches and by its time', async () => {
    const { start_lt, gen_utime } = await lookupBlock(reader.chain, { ...masterchain, seqno: 120 }, signal)
    const by = [{ lt: start_lt }, { unixtime: gen_utime }]
    for (const query of by)
      expect((await lookupBlock(reader.chain, { ...masterchain, ...query }, signal)).id.seqno).toBe(120)
  })

  test('the first block of a shard is found by lt and time too', async () => {
    for (const workchain of [0, -1]) {
      const first = await lookupBlock(reader.chain, { workchain, shard: SHARD_ALL, seqno: 1 }, signal)
      const by = [{ lt: 1n }, { lt: first.end_lt }, { unixtime: 1 }, { unixtime: first.gen_utime }]
      for (const query of by)
        expect(await lookupBlock(reader.chain, { workchain, shard: SHARD_ALL, ...query }, signal)).toEqual(first)
    }
    const beyond = { workchain: 0, shard: SHARD_ALL, lt: 1n << 60n }
    expect((await rejectionOf(lookupBlock(reader.chain, beyond, signal)))?.message).toContain('lt=1152921504606846976')
  })

  test('shards are those that the masterchain block commits, left ones first', async () => {
    const shards = await shardBlocks(reader.chain, 200, signal)
    expect(shards.map(({ shard }) => shard)).toEqual([1n << 62n, -(1n << 62n)])
    for (const id of shards) expect(recordedChain().block(id)?.mc_seqno).toBeLessThanOrEqual(200)
  })

  test('a block that is ahead of our head is found once that has come there, else the server has its say', async () => {
    const { chain } = reader
    const old = headOf(chain)
    const seqno = old.id.seqno + 2
    reader.setHead(seqno + 1)
    await chain.pool.waitForHead(seqno + 1)
    let known = old
    const hearing = (waitForHead: Pool['waitForHead']): Chain => ({
      ...chain,
      pool: { ...chain.pool, head: () => known, waitForHead },
    })
    const deaf = hearing(() => Promise.reject(new TonlithError('timeout', 'no head')))
    const refused = await rejectionOf(lookupBlock(deaf, { ...masterchain, seqno }, signal))
    expect(refused).toMatchObject({ kind: 'liteserver', message: expect.stringContaining('older than') })
    const late = hearing(async (wanted, options) => {
      known = await chain.pool.waitForHead(wanted, options)
      return known
    })
    const found = await lookupBlock(late, { ...masterchain, seqno }, signal)
    expect(found.id).toEqual(recordedChain().masterchain(seqno)!.id)
  })

  test('what was read once is not asked for again', async () => {
    const before = reader.asked()
    await shardBlocks(reader.chain, 200, signal)
    await lookupBlock(reader.chain, { ...masterchain, seqno: 200 }, signal)
    expect(reader.asked()).toEqual(before)
  })

  test('a full id with one wrong hash is refused', async () => {
    const { id } = recordedChain().masterchain(77)!
    for (const wrong of [{ root_hash: Buffer.alloc(32, 1) }, { file_hash: Buffer.alloc(32, 1) }])
      expect((await rejectionOf(readHeader(reader.chain, { ...id, ...wrong })))?.kind).toBe('liteserver')
  })

  test('a failure is not remembered', async () => {
    const query = { ...masterchain, seqno: 310 }
    expect((await rejectionOf(lookupBlock(reader.chain, query, signal)))?.kind).toBe('liteserver')
    reader.setHead(320)
    await reader.chain.pool.waitForHead(320)
    expect((await lookupBlock(reader.chain, query, signal)).id.seqno).toBe(310)
  })
})

describe('without a liteserver', () => {
  test('an old head is not given any more', async () => {
    const reader = await startArchiveReader()
    await reader.stop()
    const { last } = recordedChain()
    expect([headOf(reader.chain).id.seqno, consensusSeqno(reader.chain)]).toEqual([last, last])
    const late = { ...reader.chain, pool: { ...reader.chain.pool, headAgeMs: () => 60_000 } }
    expect(() => headOf(late)).toThrow('no liteserver is available')
    expect(() => consensusSeqno(late)).toThrow('no liteserver is available')
  })
})
