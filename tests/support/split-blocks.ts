import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChainBlock } from '../../src/devnet/chain.ts'
import { type OpenedBlock, openBlock } from '../../src/indexer/opened-block.ts'
import { type BlockIdExt, MASTERCHAIN } from '../../src/ton/block-id.ts'
import { parseBoc } from '../../src/ton/boc.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { applyUpdate } from '../../src/ton/merkle.ts'
import { buildSplitState } from '../../src/ton/tlb/shard-state.ts'
import type { RecollatedChain } from './recollated.ts'

const FOLDER = join(import.meta.dir, '../fixtures/chain-split')

const unpacked = (name: string): Buffer => Buffer.from(Bun.zstdDecompressSync(readFileSync(join(FOLDER, name))))

interface Line {
  workchain: number
  shard: string
  seqno: number
  root_hash: string
  file_hash: string
  offset: number
  length: number
  mc_seqno: number
}

/** One masterchain block of the network that splits and merges, with the shard blocks that it brought. */
export interface SplitBundle {
  masterchain: OpenedBlock
  shards: OpenedBlock[]
}

/** A block of the network with its bytes, and the masterchain block that took it in. */
interface StoredBlock extends OpenedBlock {
  data: Buffer
  mc_seqno: number
}

const storedBlocks = (name: string): StoredBlock[] => {
  const bags = unpacked(`${name}.bin.zst`)
  const lines = unpacked(`${name}.jsonl.zst`).toString('utf8').trimEnd().split('\n')
  return lines.map((text) => {
    const line = JSON.parse(text) as Line
    const id = {
      workchain: line.workchain,
      shard: BigInt.asIntN(64, BigInt(`0x${line.shard}`)),
      seqno: line.seqno,
      root_hash: Buffer.from(line.root_hash, 'hex'),
      file_hash: Buffer.from(line.file_hash, 'hex'),
    }
    const data = bags.subarray(line.offset, line.offset + line.length)
    return { ...openBlock(id, data), data, mc_seqno: line.mc_seqno }
  })
}

/** The blocks around a merge (masterchain 191 to 195), in the order in which they were made, and what is before them. */
export const mergeBlocks = (): { chain: RecollatedChain; blocks: ChainBlock[] } => {
  const known = new Map<string, ChainBlock>()
  const masterchain = new Map<number, ChainBlock>()
  const add = (block: StoredBlock, state: Cell): ChainBlock => {
    const made = { ...block, state }
    known.set(block.id.root_hash.toString('hex'), made)
    if (block.id.workchain === MASTERCHAIN) masterchain.set(block.id.seqno, made)
    return made
  }
  const states = parseBoc(unpacked('merge-states.boc.zst'))
  for (const [at, block] of storedBlocks('merge-blocks').entries()) add(block, states[at]!)
  const last = Math.max(...masterchain.keys())
  const next = storedBlocks('blocks').filter(({ mc_seqno }) => mc_seqno > last && mc_seqno <= last + 5)
  const blocks = next.map((block) => {
    const [left, right] = block.prev.map(({ root_hash }) => known.get(root_hash.toString('hex'))!.state)
    const old = right ? buildSplitState(left!, right) : left!
    return add(block, applyUpdate(old, block.block.state_update))
  })
  const chain = {
    block: (id: BlockIdExt) => known.get(id.root_hash.toString('hex')),
    masterchain: (seqno: number) => masterchain.get(seqno),
    zerostate: () => undefined,
  }
  return { chain, blocks }
}

/** Stretches of that network by masterchain seqno, each without a gap. */
export const splitStretches = (): SplitBundle[][] => {
  const bySeqno = Map.groupBy(storedBlocks('blocks'), ({ mc_seqno }) => mc_seqno)
  const stretches: SplitBundle[][] = []
  let last = -1
  for (const [seqno, blocks] of bySeqno) {
    const masterchain = blocks.find(({ id }) => id.workchain === MASTERCHAIN)!
    const bundle = { masterchain, shards: blocks.filter((block) => block !== masterchain) }
    if (seqno === last + 1) stretches.at(-1)!.push(bundle)
    else stretches.push([bundle])
    last = seqno
  }
  return stretches
}
