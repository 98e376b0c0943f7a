import { describe, expect, test } from 'bun:test'
import { systemClock } from '../../../src/common/clock.ts'
import { TonlithError } from '../../../src/common/errors.ts'
import { createBlockSource } from '../../../src/indexer/block-source.ts'
import { createFetch } from '../../../src/indexer/fetch.ts'
import type { Query } from '../../../src/liteserver/query.ts'
import { type BlockIdExt, blockIdText } from '../../../src/ton/block-id.ts'
import { archiveAt } from '../../support/archive-client.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { createVirtualClock, settled } from '../../support/virtual-clock.ts'

const idOf = async (seqno: number): Promise<BlockIdExt> => recordedChain().masterchain(seqno)!.id

/** Blocks of the recorded chain, asked through `query`. */
const sourceOf = (query: Query, clock = systemClock) =>
  createBlockSource({
    pool: () => ({ run: (step) => step(query, { name: 'archive', archival: true }) }),
    masterchainId: idOf,
    clock,
  })

/** Texts of the shard blocks that the recording says a masterchain block brought. */
const recordedShards = (mc_seqno: number): string[] => {
  const lists = [...recordedChain().shards(0).values()].flat()
  return lists.filter((block) => block.mc_seqno === mc_seqno).map(({ id }) => blockIdText(id))
}

describe('bundles', () => {
  test('hold every shard block that a masterchain block commits, over the split too', async () => {
    const { signal } = new AbortController()
    const fetch = createFetch({ source: sourceOf(archiveAt(recordedChain().last)), remembered: 8, signal })
    let shards = 0
    for (let seqno = 1; seqno <= recordedChain().last; seqno++) {
      const bundle = await fetch(seqno)
      const found = bundle.shards.map(({ id }) => blockIdText(id))
      expect(found.toSorted()).toEqual(recordedShards(seqno).toSorted())
      expect(bundle.bytes).toBe([bundle.masterchain, ...bundle.shards].reduce((sum, { bytes }) => sum + bytes, 0))
      shards += found.length
    }
    expect(shards).toBe(
      recordedChain()
        .shards(0)
        .values()
        .reduce((sum, list) => sum + list.length, 0),
    )
  })

  test('a block that cannot be had is asked for until it comes, and named meanwhile', async () => {
    const clock = createVirtualClock()
    const archive = archiveAt(recordedChain().last)
    let asked = 0
    const query: Query = (method, args, options) => {
      if (method === 'liteServer.getBlock' && ++asked <= 20)
        return Promise.reject(new TonlithError('liteserver', 'not in db', { code: 651 }))
      return archive(method, args, options)
    }
    const source = sourceOf(query, clock)
    const { signal } = new AbortController()
    const coming = createFetch({ source, remembered: 8, signal })(2)
    await settled()
    expect(source.troubles()[0]).toMatch(/^block \(-1,8000000000000000,[12]\): not in db$/)
    await clock.advance(200_000)
    expect((await coming).seqno).toBe(2)
    expect(source.troubles()).toEqual([])
  })

  test('other bytes than those of the id are refused', async () => {
    const archive = archiveAt(recordedChain().last)
    const clock = createVirtualClock()
    const query: Query = (method, args, options) =>
      archive(
        method,
        method === 'liteServer.getBlock' ? { ...args, id: recordedChain().masterchain(7)!.id } : args,
        options,
      )
    const source = sourceOf(query, clock)
    const end = new AbortController()
    const coming = source.block(await idOf(8), end.signal)
    for (let i = 0; i < 5; i++) await settled()
    await clock.advance(1)
    expect(source.troubles()[0]).toContain('does not have its file hash')
    end.abort()
    await clock.advance(10_000)
    expect(coming).rejects.toThrow('file hash')
  })
})
