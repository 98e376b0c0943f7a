import { getBlock, lookupBlock } from '../../src/liteserver/client.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN, SHARD_ALL } from '../../src/ton/block-id.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { parseBlockInfo, prevBlockIds } from '../../src/ton/tlb/block-info.ts'
import { parseMcBlockExtra } from '../../src/ton/tlb/mc-block-extra.ts'
import { shardBlockId, shardEntries } from '../../src/ton/tlb/shard-hashes.ts'
import type { RawBlock } from './chain-check/checked-block.ts'

/** A masterchain block, and the shard blocks that it is the first to commit, each behind those before it. */
export interface WalkedBlocks {
  masterchain: RawBlock
  shards: RawBlock[]
}

/** The blocks of a chain in their order, as a liteserver gives them. */
export interface ChainWalk {
  /** Reads the masterchain block of this seqno, which must be there, and what it brings. Seqnos go up by one. */
  step(seqno: number): Promise<WalkedBlocks>
}

export const prevOf = ({ data }: RawBlock): BlockIdExt[] =>
  prevBlockIds(parseBlockInfo(parseBlock(parseBocRoot(data)).info))

export const shardsOf = ({ data }: RawBlock): BlockIdExt[] => {
  const { custom } = parseBlockExtra(parseBlock(parseBocRoot(data)).extra)
  return [...shardEntries(parseMcBlockExtra(custom!).shard_hashes)].map(shardBlockId)
}

export const masterchainBlock = async (query: Query, seqno: number): Promise<RawBlock> => {
  const { id } = await lookupBlock(query, { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno })
  return { id, data: (await getBlock(query, id)).data }
}

export const createChainWalk = (query: Query): ChainWalk => {
  const known = new Set<string>()

  /** Adds this shard block behind those before it that are not known. */
  const collect = async (id: BlockIdExt, found: Map<string, RawBlock>): Promise<void> => {
    const name = blockIdText(id)
    if (id.seqno === 0 || known.has(name) || found.has(name)) return
    const block = { id, data: (await getBlock(query, id)).data }
    for (const prev of prevOf(block)) await collect(prev, found)
    found.set(name, block)
  }

  return {
    async step(seqno) {
      const masterchain = await masterchainBlock(query, seqno)
      const found = new Map<string, RawBlock>()
      for (const id of shardsOf(masterchain)) await collect(id, found)
      for (const name of found.keys()) known.add(name)
      return { masterchain, shards: [...found.values()] }
    },
  }
}
