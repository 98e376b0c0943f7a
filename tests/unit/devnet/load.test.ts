import { describe, expect, test } from 'bun:test'
import { viewAt } from '../../../src/devnet/chain-view.ts'
import {
  fullIdText,
  isFullId,
  isShard,
  loadBlock,
  loadMasterchainBlock,
  loadPlainBlock,
} from '../../../src/devnet/load.ts'
import { SHARD_ALL } from '../../../src/ton/block-id.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

const chain = recordedChain()
const view = viewAt(chain, 40)
const { id } = chain.masterchain(40)!

describe('ids', () => {
  test('name shards that can exist', () => {
    expect(isShard(-1, SHARD_ALL)).toBe(true)
    expect(isShard(-1, 1n << 62n)).toBe(false)
    expect(isShard(0, 1n << 62n)).toBe(true)
    expect(isShard(0, 8n)).toBe(true)
    expect(isShard(0, 4n)).toBe(false)
    expect(isShard(0, 0n)).toBe(false)
    expect(isShard(-0x80000000, SHARD_ALL)).toBe(false)
  })

  test('are whole with both hashes only', () => {
    expect(isFullId(id)).toBe(true)
    expect(isFullId({ ...id, root_hash: Buffer.alloc(32) })).toBe(false)
    expect(isFullId({ ...id, file_hash: Buffer.alloc(32) })).toBe(false)
  })

  test('are written as the node writes them', () => {
    const text = fullIdText({ ...id, workchain: 0, shard: -(1n << 62n), seqno: -1 })
    const hashes = [id.root_hash, id.file_hash].map((hash) => hash.toString('hex').toUpperCase())
    expect(text).toBe(`(0,c000000000000000,4294967295):${hashes.join(':')}`)
  })
})

describe('blocks that a question names', () => {
  test('are found', () => {
    for (const load of [loadBlock, loadMasterchainBlock, loadPlainBlock]) expect(load(view, id).id).toEqual(id)
  })

  test('are refused in the words of each method', () => {
    const later = chain.masterchain(41)!.id
    expect(() => loadPlainBlock(view, later)).toThrow(/^not in db$/)
    expect(() => loadBlock(view, later)).toThrow(`cannot load block ${fullIdText(later)} : not in db`)
    expect(() => loadMasterchainBlock(view, later)).toThrow('not in db')
    const invalid = { ...id, shard: 0n }
    expect(() => loadPlainBlock(view, invalid)).toThrow('invalid BlockIdExt')
    expect(() => loadBlock(view, invalid)).toThrow('invalid block id requested')
    expect(() => loadMasterchainBlock(view, invalid)).toThrow('reference block must belong to the masterchain')
    const basechain = { ...id, workchain: 0 }
    expect(() => loadMasterchainBlock(view, basechain)).toThrow('reference block must belong to the masterchain')
  })
})
