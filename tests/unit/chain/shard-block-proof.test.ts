import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readShardBlockProof } from '../../../src/chain/shard-block-proof.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../../src/ton/block-id.ts'
import { checkBlockLink } from '../../../src/ton/block-proof.ts'
import { PROVEN } from '../../../src/ton/proof/evidence.ts'
import { followShardLinks } from '../../../src/ton/proof/links.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { rejectionOf } from '../../support/rejection.ts'

const signal = new AbortController().signal
const HEAD = 300

describe('proof of a block', () => {
  let reader: ArchiveReader
  beforeAll(async () => {
    reader = await startArchiveReader({ head: HEAD })
  })
  afterAll(() => reader.stop())

  const blocks = [0, MASTERCHAIN]
    .flatMap((workchain) => [...recordedChain().shards(workchain).values()].flat())
    .filter(({ id: { seqno }, mc_seqno }) => mc_seqno <= HEAD && seqno % 17 === 1)

  test('leads from the head over the masterchain block that brought it in', async () => {
    const lengths = new Set<number>()
    for (const { id, mc_seqno } of blocks) {
      const { from, mc_id, links, mc_proof } = await readShardBlockProof(reader.chain, id, undefined, signal)
      expect(from.seqno).toBe(HEAD)
      expect(mc_id).toEqual(recordedChain().masterchain(mc_seqno)!.id)
      expect(followShardLinks(mc_id, links, PROVEN)).toEqual(id)
      expect(mc_proof.map((link) => [link.from, link.to])).toEqual(mc_seqno === HEAD ? [] : [[from, mc_id]])
      for (const link of mc_proof) checkBlockLink(link)
      lengths.add(links.length)
    }
    expect(lengths.size).toBeGreaterThan(1)
  })

  test('leads from the block that the caller trusts', async () => {
    for (const { id, mc_seqno } of blocks.filter((block) => block.mc_seqno < HEAD - 20)) {
      const { from, mc_proof } = await readShardBlockProof(reader.chain, id, mc_seqno + 20, signal)
      expect(from).toEqual(recordedChain().masterchain(mc_seqno + 20)!.id)
      expect(mc_proof).toHaveLength(1)
      expect((await readShardBlockProof(reader.chain, id, mc_seqno, signal)).mc_proof).toEqual([])
    }
  })

  test('does not lead forward', async () => {
    const block = { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno: 100 }
    for (const from of [99, 0]) {
      const error = await rejectionOf(readShardBlockProof(reader.chain, block, from, signal))
      expect(error?.message).toBe('from mc block is too old')
    }
  })

  test('of a block that does not exist, or from one, is an error of the liteserver', async () => {
    const block = { workchain: 0, shard: SHARD_ALL, seqno: 5 }
    const wrong = [
      [{ ...block, seqno: 100_000 }, undefined],
      [{ ...block, workchain: 5 }, undefined],
      [block, HEAD + 1],
    ] as const
    for (const [asked, from] of wrong)
      expect((await rejectionOf(readShardBlockProof(reader.chain, asked, from, signal)))?.kind).toBe('liteserver')
  })
})
