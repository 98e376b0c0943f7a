import { LRUCache } from 'lru-cache'
import type { Batch } from '../model/batch.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { BlockSource, FetchedBlock } from './block-source.ts'
import { newBlocks, shardTops } from './new-blocks.ts'

/** A masterchain block with all shard blocks that it commits. */
export interface Bundle {
  seqno: number
  masterchain: FetchedBlock
  /** By workchain, shard (signed) and seqno, ascending. */
  shards: FetchedBlock[]
  /** Length of all their BoCs. */
  bytes: number
  /** What parseBatch makes of them, where that was done already. */
  batch?: Batch
}

/** Gives the bundle of a masterchain seqno (1 and up). Each block was checked against its id. */
export type FetchBundle = (seqno: number) => Promise<Bundle>

export interface FetchOptions {
  source: BlockSource
  /** Masterchain blocks to remember: each is needed for its own bundle and for the next one. */
  remembered: number
  signal: AbortSignal
}

const nameOf = ({ root_hash, file_hash }: BlockIdExt): string =>
  root_hash.toString('latin1') + file_hash.toString('latin1')

/**
 * Fetches bundles; several may be under way at once. The shard blocks are found by walking from those that the
 * masterchain block names over previous links to those that its predecessor names. Rejects when `signal` ends it, with
 * `proof` or `limit` when the links do not lead there.
 */
export const createFetch = ({ source, remembered, signal }: FetchOptions): FetchBundle => {
  const masterchain = new LRUCache<number, Promise<FetchedBlock>>({ max: remembered })

  const masterchainBlock = (seqno: number): Promise<FetchedBlock> => {
    const known = masterchain.get(seqno)
    if (known) return known
    const coming = source.masterchainId(seqno, signal).then((id) => source.block(id, signal))
    masterchain.set(seqno, coming)
    coming.catch(() => {
      if (masterchain.peek(seqno) === coming) masterchain.delete(seqno)
    })
    return coming
  }

  /** What stands before the first block are zerostates, where every walk ends anyway. */
  const topsBefore = async (seqno: number): Promise<BlockIdExt[]> =>
    seqno === 1 ? [] : shardTops(await masterchainBlock(seqno - 1))

  return async (seqno) => {
    const [block, before] = await Promise.all([masterchainBlock(seqno), topsBefore(seqno)])
    const tops = shardTops(block)
    const known = new Map<string, FetchedBlock>()
    for (;;) {
      const { blocks, missing } = newBlocks(before, tops, (id) => known.get(nameOf(id)))
      if (missing.length === 0) {
        const shards = blocks.map(({ id }) => known.get(nameOf(id))!)
        const bytes = shards.reduce((sum, shard) => sum + shard.bytes, block.bytes)
        return { seqno, masterchain: block, shards, bytes }
      }
      for (const found of await Promise.all(missing.map((id) => source.block(id, signal)))) {
        known.set(nameOf(found.id), found)
      }
    }
  }
}
