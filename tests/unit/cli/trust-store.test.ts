import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTrustStore } from '../../../src/cli/trust-store.ts'
import { createLogger } from '../../../src/common/logger.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../../src/ton/block-id.ts'

const block = (seqno: number, fill: number) => ({
  workchain: MASTERCHAIN,
  shard: SHARD_ALL,
  seqno,
  root_hash: Buffer.alloc(32, fill),
  file_hash: Buffer.alloc(32, fill + 1),
})

const logger = createLogger('silent', 'json')
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonlith-trust-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a key block is kept for its network, across stores', () => {
  const mainnet = block(0, 10)
  const testnet = block(0, 20)
  createTrustStore(folder, logger).save(mainnet, block(30, 1))
  createTrustStore(folder, logger).save(testnet, block(44, 3))
  createTrustStore(folder, logger).save(mainnet, block(103, 5))
  const store = createTrustStore(folder, logger)
  expect(store.load(mainnet)).toEqual(block(103, 5))
  expect(store.load(testnet)).toEqual(block(44, 3))
  expect(store.load(block(0, 30))).toBeNull()
})

test('a folder that does not exist is made; a file that is damaged counts as none', () => {
  const inside = join(folder, 'a', 'b')
  createTrustStore(inside, logger).save(block(0, 1), block(30, 1))
  expect(createTrustStore(inside, logger).load(block(0, 1))?.seqno).toBe(30)
  for (const text of ['{', '[]', 'null', JSON.stringify({ [Buffer.alloc(32, 2).toString('hex')]: { seqno: '7' } })]) {
    writeFileSync(join(inside, 'trusted-key-blocks.json'), text)
    expect(createTrustStore(inside, logger).load(block(0, 1))).toBeNull()
  }
  createTrustStore(inside, logger).save(block(0, 1), block(31, 4))
  expect(createTrustStore(inside, logger).load(block(0, 1))).toEqual(block(31, 4))
})

test('a folder that cannot be written loses nothing but the block', () => {
  writeFileSync(join(folder, 'file'), '')
  const store = createTrustStore(join(folder, 'file'), logger)
  store.save(block(0, 1), block(30, 1))
  expect(store.load(block(0, 1))).toBeNull()
})

test('a pipe in its place is not waited for', () => {
  Bun.spawnSync(['mkfifo', join(folder, 'trusted-key-blocks.json')])
  const store = createTrustStore(folder, logger)
  expect(store.load(block(0, 1))).toBeNull()
  store.save(block(0, 1), block(30, 1))
  expect(store.load(block(0, 1))).toEqual(block(30, 1))
})
