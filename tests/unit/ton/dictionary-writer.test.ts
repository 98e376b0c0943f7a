import { describe, expect, test } from 'bun:test'
import { Dictionary, beginCell as tonCoreCell } from '@ton/core'
import fc from 'fast-check'
import type { Builder } from '../../../src/ton/builder.ts'
import { dictEntries, key32 } from '../../../src/ton/dictionary.ts'
import { buildDict } from '../../../src/ton/dictionary-writer.ts'
import { parseMcStateExtra } from '../../../src/ton/tlb/mc-state-extra.ts'
import { parseShardStateTotals, parseShardStateUnsplit } from '../../../src/ton/tlb/shard-state.ts'
import { failureOf } from '../../support/failure.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { fromTonCore } from '../../support/ton-core.ts'

describe('dictionaries', () => {
  test('of the recorded network are rebuilt to the same cells', () => {
    const state = parseShardStateUnsplit(recordedChain().masterchain(recordedChain().last)!.state)
    const { config } = parseMcStateExtra(state.custom!).config
    const { libraries } = parseShardStateTotals(state.totals)
    for (const [root, keyBits] of [
      [config, 32],
      [libraries!, 256],
    ] as const) {
      const items = Array.from(dictEntries(root, keyBits), ([key, value]) => ({
        key,
        store: (builder: Builder) => builder.slice(value),
      }))
      expect(items.length).toBeGreaterThan(2)
      expect(buildDict(items.toReversed(), keyBits)!.hash()).toEqual(root.hash())
    }
  })

  test('are the cells that @ton/core makes', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(fc.integer(), fc.integer({ min: -20, max: 20 })), { minLength: 1, maxLength: 40 }),
        (keys) => {
          const theirs = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Uint(16))
          for (const key of keys) theirs.set(key, key & 0xffff)
          const expected = fromTonCore(tonCoreCell().storeDictDirect(theirs).endCell())
          const items = keys.map((key) => ({
            key: key32(key),
            store: (builder: Builder) => builder.uint(key & 0xffff, 16),
          }))
          expect(buildDict(items, 32)!.hash()).toEqual(expected.hash())
        },
      ),
    )
  })

  test('without entries have no root; a key can stand once', () => {
    expect(buildDict([], 32)).toBeNull()
    const item = { key: key32(7), store: () => {} }
    expect(failureOf(() => buildDict([item, item], 32))).toBe('internal')
  })
})
