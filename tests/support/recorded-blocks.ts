import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseBocRoot } from '../../src/ton/boc.ts'
import type { Cell } from '../../src/ton/cell.ts'

const FOLDER = join(import.meta.dir, '../fixtures/chain')

const unpacked = (name: string): Buffer => Buffer.from(Bun.zstdDecompressSync(readFileSync(join(FOLDER, name))))

/** The root cells of all blocks of the recorded network, in its order. */
export function* recordedBlocks(): Generator<Cell> {
  const bags = unpacked('blocks.bin.zst')
  for (const line of unpacked('blocks.jsonl.zst').toString('utf8').trimEnd().split('\n')) {
    const { offset, length, root_hash }: { offset: number; length: number; root_hash: string } = JSON.parse(line)
    const root = parseBocRoot(bags.subarray(offset, offset + length))
    if (root.hash().toString('hex') !== root_hash) throw new Error(`block ${root_hash} has another hash`)
    yield root
  }
}

/** The masterchain state before the first block. */
export const recordedZerostate = (): Cell => parseBocRoot(unpacked('zerostate-mc.boc.zst'))
