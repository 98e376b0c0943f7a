import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Cell } from '@ton/core'
import { embeddedRecording } from '../../src/devnet/archive.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { figure, type Row } from './table.ts'

const LARGEST = (a: Buffer, b: Buffer): number => b.length - a.length

/** The largest recorded block: of mainnet where TONLITH_CHAIN_DATA names a folder, else of our own network. */
const sampleBlock = (): { name: string; bytes: Buffer } => {
  const folder = process.env['TONLITH_CHAIN_DATA']
  if (!folder) {
    const { blocks } = embeddedRecording()
    return { name: 'block of the recorded network', bytes: blocks.map((block) => block.data).sort(LARGEST)[0]! }
  }
  const blocks = join(folder, 'blocks', 'mainnet')
  const all = readdirSync(blocks).map((file) => readFileSync(join(blocks, file)))
  return { name: 'mainnet block', bytes: all.sort(LARGEST)[0]! }
}

/** Milliseconds of processor time that one run takes, warmed up. */
const cpuMs = (runs: number, work: () => void): number => {
  for (let i = 0; i < Math.ceil(runs / 4); i++) work()
  const before = process.cpuUsage()
  for (let i = 0; i < runs; i++) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / runs
}

const countCells = (root: Cell): number => {
  const seen = new Set<string>()
  const stack = [root]
  while (stack.length > 0) {
    const cell = stack.pop()!
    const hash = cell.hash().toString('hex')
    if (seen.has(hash)) continue
    seen.add(hash)
    stack.push(...cell.refs)
  }
  return seen.size
}

/** Reading a large block, and all of its hashes, beside @ton/core (whose reader always computes them). */
export const benchCells = (): Row[] => {
  const { name, bytes } = sampleBlock()
  const cells = countCells(Cell.fromBoc(bytes)[0]!)
  const index = cpuMs(50, () => parseBocRoot(bytes))
  const hashes = cpuMs(20, () => parseBocRoot(bytes).hash())
  const core = cpuMs(3, () => Cell.fromBoc(bytes)[0]!.hash())
  const rate = (ms: number): string => figure(cells / (ms / 1000), 'cells/cpu-s')
  const row = (what: string, ms: number): Row => ({
    what: `${what}, ${name} of ${cells} cells`,
    ours: rate(ms),
    beside: `@ton/core ${rate(core)}`,
    ratio: `${(core / ms).toFixed(1)}x`,
  })
  return [row('BoC index', index), row('BoC index and all hashes', hashes)]
}
