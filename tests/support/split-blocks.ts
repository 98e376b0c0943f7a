import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenedBlock, openBlock } from '../../src/indexer/opened-block.ts'
import { MASTERCHAIN } from '../../src/ton/block-id.ts'

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

/** Stretches of that network by masterchain seqno, each without a gap. */
export const splitStretches = (): SplitBundle[][] => {
  const bags = unpacked('blocks.bin.zst')
  const bySeqno = new Map<number, OpenedBlock[]>()
  for (const text of unpacked('blocks.jsonl.zst').toString('utf8').trimEnd().split('\n')) {
    const line = JSON.parse(text) as Line
    const id = {
      workchain: line.workchain,
      shard: BigInt.asIntN(64, BigInt(`0x${line.shard}`)),
      seqno: line.seqno,
      root_hash: Buffer.from(line.root_hash, 'hex'),
      file_hash: Buffer.from(line.file_hash, 'hex'),
    }
    const block = openBlock(id, bags.subarray(line.offset, line.offset + line.length))
    bySeqno.set(line.mc_seqno, [...(bySeqno.get(line.mc_seqno) ?? []), block])
  }
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
