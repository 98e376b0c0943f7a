import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { serializeBoc } from '../../src/ton/boc-writer.ts'

const FILE = join(import.meta.dir, '../fixtures/chain/v2-reference.jsonl.zst')
const BAG = /"(te6cc[A-Za-z0-9+/]{11,}={0,2})"/g
/** The weight from which on the order is another than a plain depth-first one. */
const SPECIAL_WEIGHT = 64

test('every bag that the reference wrote is written again byte for byte', () => {
  const text = Buffer.from(Bun.zstdDecompressSync(readFileSync(FILE))).toString('latin1')
  const bags = new Set(Array.from(text.matchAll(BAG), (match) => match[1]!))
  let large = 0
  for (const bag of bags) {
    const bytes = Buffer.from(bag, 'base64')
    const crc = (bytes[4]! & 0x40) !== 0
    expect(serializeBoc([parseBocRoot(bytes)], { crc }).toString('base64')).toBe(bag)
    if (bytes[6]! > SPECIAL_WEIGHT || (bytes[4]! & 7) > 1) large++
  }
  expect(bags.size).toBeGreaterThan(1300)
  expect(large).toBeGreaterThan(20)
})
