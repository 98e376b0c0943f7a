import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes tests/fixtures/chain-split: `bun tests/support/make-split-fixture.ts FOLDER`, where FOLDER holds a recording of a
 * network whose shards split and merge. Only stretches around these events are taken.
 */

/** First and last masterchain seqno of each stretch: three blocks of one shard at once, merges, splits. */
const STRETCHES = [
  [155, 158],
  [191, 195],
  [267, 271],
  [320, 324],
  [593, 597],
] as const

const [source] = process.argv.slice(2)
if (!source) {
  console.error('usage: bun tests/support/make-split-fixture.ts FOLDER')
  process.exit(2)
}
const target = join(import.meta.dir, '../fixtures/chain-split')
mkdirSync(target, { recursive: true })

interface Line {
  mc_seqno: number
  offset: number
  length: number
}

const bags = readFileSync(join(source, 'blocks.bin'))
const lines = readFileSync(join(source, 'blocks.jsonl'), 'utf8').trimEnd().split('\n')
const taken = lines
  .map((line) => JSON.parse(line) as Line)
  .filter(({ mc_seqno }) => STRETCHES.some(([first, last]) => first <= mc_seqno && mc_seqno <= last))

let offset = 0
const moved = taken.map((line) => {
  const at = offset
  offset += line.length
  return JSON.stringify({ ...line, offset: at })
})

const compress = (name: string, content: Buffer): void => {
  const compressed = Bun.zstdCompressSync(content, { level: 19 })
  writeFileSync(join(target, `${name}.zst`), compressed)
  console.log(`${String(compressed.length).padStart(9)} ${name}.zst`)
}

compress('blocks.bin', Buffer.concat(taken.map((line) => bags.subarray(line.offset, line.offset + line.length))))
compress('blocks.jsonl', Buffer.from(`${moved.join('\n')}\n`))
