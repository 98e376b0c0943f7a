import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderReader, readRecording } from '../../src/devnet/archive.ts'
import type { ChainBlock } from '../../src/devnet/chain.ts'
import { buildChain } from '../../src/devnet/recorded-chain.ts'
import { shardHex } from '../../src/ton/block-id.ts'
import { serializeBoc } from '../../src/ton/boc-writer.ts'
import { parseMcStateExtra } from '../../src/ton/tlb/mc-state-extra.ts'
import { shardBlockId, shardEntries } from '../../src/ton/tlb/shard-hashes.ts'
import { parseShardStateUnsplit } from '../../src/ton/tlb/shard-state.ts'

/**
 * Makes tests/fixtures/chain-split: `bun tests/support/make-split-fixture.ts FOLDER`, where FOLDER holds a recording of a
 * network whose shards split and merge. Only stretches around these events are taken, and for the one around a merge the
 * states that it starts from.
 */

/** First and last masterchain seqno of each stretch: three blocks of one shard at once, merges, splits. */
const STRETCHES = [
  [155, 158],
  [191, 195],
  [267, 271],
  [320, 324],
  [593, 597],
] as const

/** The masterchain block before the stretch with the merge, and older ones that the states before it refer to. */
const MERGE_START = 190
const OLDER = [183, 185] as const

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

const chain = buildChain(readRecording(folderReader(source)))
const start = chain.masterchain(MERGE_START)!
const { shard_hashes } = parseMcStateExtra(parseShardStateUnsplit(start.state).custom!)
const starts: ChainBlock[] = [
  ...OLDER.map((seqno) => chain.masterchain(seqno)!),
  start,
  ...[...shardEntries(shard_hashes)].map((entry) => chain.block(shardBlockId(entry))!),
]
let startOffset = 0
const startLines = starts.map(({ id, data, mc_seqno }) => {
  const at = startOffset
  startOffset += data.length
  return JSON.stringify({
    workchain: id.workchain,
    shard: shardHex(id.shard),
    seqno: id.seqno,
    root_hash: id.root_hash.toString('hex'),
    file_hash: id.file_hash.toString('hex'),
    offset: at,
    length: data.length,
    mc_seqno,
  })
})
const states = serializeBoc(
  starts.map(({ state }) => state),
  { crc: true, index: false },
)
compress('merge-states.boc', states)
compress('merge-blocks.bin', Buffer.concat(starts.map(({ data }) => data)))
compress('merge-blocks.jsonl', Buffer.from(`${startLines.join('\n')}\n`))
