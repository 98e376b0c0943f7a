import { getBlock, getMasterchainInfo, getState, lookupBlock } from '../../src/liteserver/client.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN, SHARD_ALL } from '../../src/ton/block-id.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { parseBlockInfo, prevBlockIds } from '../../src/ton/tlb/block-info.ts'
import { parseMcBlockExtra } from '../../src/ton/tlb/mc-block-extra.ts'
import { shardBlockId, shardEntries } from '../../src/ton/tlb/shard-hashes.ts'
import { type ChainReport, createChainCheck } from './chain-check/chain-check.ts'
import type { RawBlock } from './chain-check/checked-block.ts'

/** A chain as a liteserver gives it, of which every block is checked in every respect: see ChainCheck. */
export interface CheckedChain {
  /** Goes on to this masterchain block, which must be there. Gives the blocks on the way. Throws ChainFault. */
  advance(seqno: number): Promise<RawBlock[]>
  /** All ids by their short names. */
  readonly ids: ReadonlyMap<string, BlockIdExt>
  report(): ChainReport
}

const prevOf = ({ data }: RawBlock): BlockIdExt[] => prevBlockIds(parseBlockInfo(parseBlock(parseBocRoot(data)).info))

const shardsOf = ({ data }: RawBlock): BlockIdExt[] => {
  const { custom } = parseBlockExtra(parseBlock(parseBocRoot(data)).extra)
  return [...shardEntries(parseMcBlockExtra(custom!).shard_hashes)].map(shardBlockId)
}

/** Reads a network from its zerostates on. */
export const openCheckedChain = async (query: Query): Promise<CheckedChain> => {
  const ids = new Map<string, BlockIdExt>()
  const masterchainBlock = async (seqno: number): Promise<RawBlock> => {
    const { id } = await lookupBlock(query, { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno })
    return { id, data: (await getBlock(query, id)).data }
  }

  /** Adds what a masterchain block brings: this shard block behind those before it that are not known. */
  const collect = async (id: BlockIdExt, found: Map<string, RawBlock>): Promise<void> => {
    const name = blockIdText(id)
    if (id.seqno === 0 || ids.has(name) || found.has(name)) return
    const block = { id, data: (await getBlock(query, id)).data }
    for (const prev of prevOf(block)) await collect(prev, found)
    found.set(name, block)
  }

  const zerostates = async (): Promise<{ id: BlockIdExt; data: Buffer }[]> => {
    const { init } = await getMasterchainInfo(query)
    const first = await masterchainBlock(1)
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
        const masterchain = await masterchainBlock(next)
        const found = new Map<string, RawBlock>()
        for (const id of shardsOf(masterchain)) await collect(id, found)
        check.step(masterchain, [...found.values()])
        const made = [...found.values(), masterchain]
        for (const { id } of made) ids.set(blockIdText(id), id)
        seen.push(...made)
      }
      return seen
    },
  }
}
