import { describe, expect, test } from 'bun:test'
import { shardLeaf } from '../../../src/devnet/shard-path.ts'
import { sameBlock } from '../../../src/ton/block-id.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { parseMcStateExtra } from '../../../src/ton/tlb/mc-state-extra.ts'
import { shardBlockId, shardEntries } from '../../../src/ton/tlb/shard-hashes.ts'
import { shardChild, shardParent } from '../../../src/ton/tlb/shard-ident.ts'
import { parseShardStateUnsplit } from '../../../src/ton/tlb/shard-state.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

const chain = recordedChain()
const shardHashes = (seqno: number): Cell =>
  parseMcStateExtra(parseShardStateUnsplit(chain.masterchain(seqno)!.state).custom!).shard_hashes!

describe('the leaf of a shard', () => {
  test('is found for every shard of every masterchain block, and names its newest block', () => {
    for (let seqno = 1; seqno <= chain.last; seqno++) {
      const root = shardHashes(seqno)
      for (const entry of shardEntries(root)) {
        const leaf = shardLeaf(root, entry.workchain, entry.shard, true)!
        expect(sameBlock(leaf.id, shardBlockId(entry))).toBe(true)
      }
    }
  })

  test('stands for the shards below it unless the shard itself is wanted', () => {
    const root = shardHashes(chain.last)
    for (const { workchain, shard } of shardEntries(root)) {
      const half = shardChild(shard, true)
      expect(shardLeaf(root, workchain, half, true)).toBeNull()
      expect(shardLeaf(root, workchain, half, false)!.id.shard).toBe(shard)
      expect(shardLeaf(root, workchain, half | 1n, false)!.id.shard).toBe(shard)
    }
  })

  test('is not there for a shard that is split, or a workchain that is unknown', () => {
    const root = shardHashes(chain.last)
    const [entry] = [...shardEntries(root)]
    const parent = shardParent(entry!.shard)
    for (const exact of [true, false]) {
      expect(shardLeaf(root, 0, parent, exact)).toBeNull()
      expect(shardLeaf(root, 7, parent, exact)).toBeNull()
      expect(shardLeaf(null, 0, parent, exact)).toBeNull()
    }
  })

  test('is not looked for in what is no tree of shards', () => {
    const broken = beginCell().uint(0, 1).endCell()
    const dictionary = beginCell().uint(0b10, 2).uint(32, 6).uint(0, 32).ref(broken).endCell()
    expect(() => shardLeaf(dictionary, 0, 1n << 62n, false)).toThrow()
  })
})
