import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderReader, readRecording } from '../../src/devnet/archive.ts'
import type { SignatureSet, StoredSet } from '../../src/devnet/archive-signatures.ts'

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

const signaturesText = (sets: ReadonlyMap<number, SignatureSet>): string => {
  const stored: StoredSet[] = [...sets]
    .sort(([a], [b]) => a - b)
    .map(([seqno, set]) => {
      if (set._ !== 'liteServer.signatureSet.ordinary') throw new Error('simplex signatures cannot be stored')
      const signatures = set.signatures.map(({ node_id_short, signature }) => ({
        node_id_short: node_id_short.toString('hex'),
        signature: signature.toString('hex'),
      }))
      return { seqno, validator_set_hash: set.validator_set_hash, catchain_seqno: set.catchain_seqno, signatures }
    })
  return `${JSON.stringify(stored, undefined, 1)}\n`
}

for (const name of [...RECORDING, ...FOR_TESTS]) compress(name, readFileSync(join(source, name)))

const golden = readFileSync(join(source, 'golden.jsonl'), 'utf8').trimEnd().split('\n')
compress('signatures.json', Buffer.from(signaturesText(readRecording(folderReader(source)).signatures)))
const slim = golden.map((line) => {
  const { id, method, note, level, req, mc_before, mc_after, resp, error, timeout } = JSON.parse(line)
  return JSON.stringify({ id, method, note, level, req, mc_before, mc_after, resp, error, timeout })
})
compress('golden.jsonl', Buffer.from(`${slim.join('\n')}\n`))

interface ScenarioStep {
  name: string
  ext_hash: string
  trace?: { hash: string; parent: string | null; depth: number; outs: number }[]
}

const scenario = JSON.parse(readFileSync(join(source, 'scenario.json'), 'utf8')) as { steps: ScenarioStep[] }
const traces = scenario.steps.map(({ name, ext_hash, trace = [] }) => ({
  name,
  ext_hash,
  trace: trace.map(({ hash, parent, depth, outs }) => ({ hash, parent, depth, outs })),
}))
compress('traces.json', Buffer.from(`${JSON.stringify(traces, undefined, 1)}\n`))
