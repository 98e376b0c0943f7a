import { describe, expect, test } from 'bun:test'
import { embeddedRecording } from '../../../../src/devnet/archive.ts'
import { getAllShardsInfo, getShardBlockProof, getShardInfo } from '../../../../src/liteserver/client.ts'
import { MASTERCHAIN } from '../../../../src/ton/block-id.ts'
import { PROVEN } from '../../../../src/ton/proof/evidence.ts'
import { checkShardBlockProof } from '../../../../src/ton/proof/links.ts'
import { checkAllShards, checkShardInfo } from '../../../../src/ton/proof/shards.ts'
import { shardEntries } from '../../../../src/ton/tlb/shard-hashes.ts'
import { archiveAt } from '../../../support/archive-client.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'

const chain = recordedChain()
const query = archiveAt(chain.last)
const shardBlocks = embeddedRecording().blocks.filter(({ id }) => id.workchain !== MASTERCHAIN)

describe('shards', () => {
  test('are proven for every masterchain block, all at once and one by one', async () => {
    for (let seqno = 1; seqno <= chain.last; seqno += 3) {
      const { id } = chain.masterchain(seqno)!
      const shards = [...shardEntries(checkAllShards(await getAllShardsInfo(query, id), { id }, PROVEN))]
      expect(shards.length).toBeGreaterThan(0)
      for (const { workchain, shard, descr } of shards) {
        const request = { id, workchain, shard, exact: true }
        const entry = checkShardInfo(await getShardInfo(query, id, workchain, shard, true), request, PROVEN)
        expect(entry?.descr.root_hash).toEqual(descr.root_hash)
      }
    }
  })

  test('are refused for a shard that cannot exist', async () => {
    const { id } = chain.masterchain(9)!
    await expect(getShardInfo(query, id, 0, 0n, true)).rejects.toThrow('requested shard is invalid')
  })
})

describe('a shard block', () => {
  test('is proven to be the masterchain block that brought it, for every one of them', async () => {
    for (const { id, mc_seqno } of shardBlocks) {
      const answer = await getShardBlockProof(query, id)
      expect(checkShardBlockProof(answer, { id }, PROVEN)).toEqual(chain.masterchain(mc_seqno)!.id)
    }
  })

  test('that no masterchain block has brought yet is not known', async () => {
    const { id, mc_seqno } = shardBlocks.at(-1)!
    await expect(getShardBlockProof(archiveAt(mc_seqno - 1), id)).rejects.toThrow("block doesn't have masterchain ref")
  })
})
