import { getBlock, getMasterchainInfo, getState } from '../../src/liteserver/client.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { type BlockIdExt, blockIdText, SHARD_ALL } from '../../src/ton/block-id.ts'
import { type ChainReport, createChainCheck } from './chain-check/chain-check.ts'
import type { RawBlock } from './chain-check/checked-block.ts'
import { createChainWalk, masterchainBlock, prevOf, shardsOf } from './chain-walk.ts'

/** A chain as a liteserver gives it, of which every block is checked in every respect: see ChainCheck. */
export interface CheckedChain {
  /** Goes on to this masterchain block, which must be there. Gives the blocks on the way. Throws ChainFault. */
  advance(seqno: number): Promise<RawBlock[]>
  /** All ids by their short names. */
  readonly ids: ReadonlyMap<string, BlockIdExt>
  report(): ChainReport
}

/** Reads a network from its zerostates on. */
export const openCheckedChain = async (query: Query): Promise<CheckedChain> => {
  const ids = new Map<string, BlockIdExt>()
  const walk = createChainWalk(query)

  const zerostates = async (): Promise<{ id: BlockIdExt; data: Buffer }[]> => {
    const { init } = await getMasterchainInfo(query)
    const first = await masterchainBlock(query, 1)
    const read = async (id: BlockIdExt) => ({ id, data: (await getState(query, id)).data })
    const [shard] = shardsOf(first)
    const found: BlockIdExt[] =
      shard!.seqno === 0 ? [shard!] : prevOf({ id: shard!, data: (await getBlock(query, shard!)).data })
    return [await read({ ...init, shard: SHARD_ALL, seqno: 0 }), await read({ ...found[0]!, shard: SHARD_ALL })]
  }

  const check = createChainCheck(await zerostates())
  return {
    ids,
    report: check.report,
    async advance(seqno) {
      const seen: RawBlock[] = []
      for (let next = check.report().last + 1; next <= seqno; next++) {
        const { masterchain, shards } = await walk.step(next)
        check.step(masterchain, shards)
        const made = [...shards, masterchain]
        for (const { id } of made) ids.set(blockIdText(id), id)
        seen.push(...made)
      }
      return seen
    },
  }
}
