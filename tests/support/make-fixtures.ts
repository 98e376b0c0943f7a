import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderReader, readRecording } from '../../src/devnet/archive.ts'
import { writeSignatures } from '../../src/devnet/archive-signatures.ts'

/**
 * Makes tests/fixtures/chain from a recording: `bun tests/support/make-fixtures.ts FOLDER`. The blocks and zerostates
 * are what the program embeds; the golden answers and the reference answers are what the tests compare with.
 */

const LEVEL = 19
const RECORDING = ['blocks.bin', 'blocks.jsonl', 'zerostates.json', 'zerostate-mc.boc', 'zerostate-base.boc']
const FOR_TESTS = [
  'transactions.jsonl',
  'v2-reference.jsonl',
  'estimate-fee.jsonl',
  'variants.json',
  'facts.json',
  'cases-v2-all.json',
]

const [source] = process.argv.slice(2)
if (!source) {
  console.error('usage: bun tests/support/make-fixtures.ts FOLDER')
  process.exit(2)
}
const target = join(import.meta.dir, '../fixtures/chain')
mkdirSync(target, { recursive: true })

const compress = (name: string, content: Buffer): void => {
  const compressed = Bun.zstdCompressSync(content, { level: LEVEL })
  writeFileSync(join(target, `${name}.zst`), compressed)
  console.log(`${String(compressed.length).padStart(9)} ${name}.zst`)
}

for (const name of [...RECORDING, ...FOR_TESTS]) compress(name, readFileSync(join(source, name)))

const golden = readFileSync(join(source, 'golden.jsonl'), 'utf8').trimEnd().split('\n')
compress('signatures.json', Buffer.from(writeSignatures(readRecording(folderReader(source)).signatures)))
const slim = golden.map((line) => {
  const { id, method, note, level, req, mc_before, mc_after, resp, error, timeout } = JSON.parse(line)
  return JSON.stringify({ id, method, note, level, req, mc_before, mc_after, resp, error, timeout })
})
compress('golden.jsonl', Buffer.from(`${slim.join('\n')}\n`))
