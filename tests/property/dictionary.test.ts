import { describe, expect, test } from 'bun:test'
import { BitString, Dictionary, type DictionaryValue, beginCell as tonCoreCell } from '@ton/core'
import fc from 'fast-check'
import { beginCell } from '../../src/ton/builder.ts'
import { type Cell, MAX_BITS } from '../../src/ton/cell.ts'
import { dictEntries, dictLookup } from '../../src/ton/dictionary.ts'
import { recordProof } from '../../src/ton/merkle.ts'
import { beginParse, type Slice } from '../../src/ton/slice.ts'
import { anyCell } from '../support/cell-arbitrary.ts'
import { type DictEntry, encodeDict, type LabelKind } from '../support/dict-encoder.ts'
import { failureOf } from '../support/failure.ts'
import { fromTonCore, toTonCore } from '../support/ton-core.ts'

const VALUE_BITS = 16
/** Entries that a hostile dictionary may give before a test stops asking. */
const ENOUGH = 1000

const keyBits = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(64, 96, 256, 267, 352))

interface Sample {
  bits: number
  entries: { key: bigint; value: number }[]
}

const sample: fc.Arbitrary<Sample> = keyBits.chain((bits) => {
  const max = (1n << BigInt(bits)) - 1n
  const near = fc.nat(20).map((n) => (BigInt(n) > max ? max : BigInt(n)))
  const far = fc.nat(20).map((n) => (BigInt(n) > max ? 0n : max - BigInt(n)))
  const key = fc.oneof(fc.bigInt({ min: 0n, max }), near, far)
  const entry = fc.record({ key, value: fc.nat(2 ** VALUE_BITS - 1) })
  return fc.record({
    bits: fc.constant(bits),
    entries: fc
      .uniqueArray(entry, { selector: (e) => e.key, minLength: 1, maxLength: 40 })
      .map((all) => all.toSorted((a, b) => (a.key < b.key ? -1 : 1))),
  })
})

const keyBytes = (key: bigint, bits: number): Buffer => {
  const bytes = (bits + 7) >> 3
  return Buffer.from((key << BigInt(bytes * 8 - bits)).toString(16).padStart(bytes * 2, '0'), 'hex')
}

const texts = (root: Cell | null, bits: number, options = {}): string[] =>
  Array.from(dictEntries(root, bits, options), ([key, value]) => `${key.toString('hex')}=${value.uint(VALUE_BITS)}`)
const expectedTexts = ({ bits, entries }: Sample): string[] =>
  entries.map(({ key, value }) => `${keyBytes(key, bits).toString('hex')}=${value}`)

const bitsKey = (bits: number) => Dictionary.Keys.BitString(bits)
const uintValue: DictionaryValue<number> = Dictionary.Values.Uint(VALUE_BITS)

const fromSample = ({ bits, entries }: Sample): Cell => {
  const dict = Dictionary.empty(bitsKey(bits), uintValue)
  for (const { key, value } of entries) dict.set(new BitString(keyBytes(key, bits), 0, bits), value)
  return beginParse(fromTonCore(tonCoreCell().storeDict(dict).endCell())).ref()
}

const dictEntry = (key: bigint, value: number, bits: number): DictEntry => ({
  key: key.toString(2).padStart(bits, '0'),
  value: (builder) => builder.uint(value, VALUE_BITS),
})

/** Root of a dictionary whose labels are of kinds that the numbers choose. */
const withLabels = ({ bits, entries }: Sample, choices: readonly number[], extra = false): Cell => {
  let next = 0
  const fits = (kind: LabelKind): boolean => kind !== 'short' || bits < 300
  const label = (fitting: readonly LabelKind[]): LabelKind => {
    const usable = fitting.filter(fits)
    return usable[choices[next++ % choices.length]! % usable.length]!
  }
  const all = entries.map(({ key, value }) => dictEntry(key, value, bits))
  const sum = (some: readonly DictEntry[]): bigint =>
    some.reduce((total, { key }) => total + (BigInt(`0b${key}`) & 0xffffn), 0n)
  return encodeDict(all, bits, { label, ...(extra ? { extra: (b, some) => b.coins(sum(some)) } : {}) })
}
const choices = fc.array(fc.nat(2), { minLength: 1, maxLength: 20 })

describe('dictionaries', () => {
  test('of @ton/core have their keys, in order, and no other', () => {
    fc.assert(
      fc.property(sample, fc.bigInt({ min: 0n, max: 1n << 352n }), (given, other) => {
        const { bits, entries } = given
        const root = fromSample(given)
        expect(texts(root, bits)).toEqual(expectedTexts(given))
        for (const { key, value } of entries)
          expect(dictLookup(root, bits, keyBytes(key, bits))?.uint(VALUE_BITS)).toBe(value)
        const absent = other & ((1n << BigInt(bits)) - 1n)
        const found = entries.find(({ key }) => key === absent)
        expect(dictLookup(root, bits, keyBytes(absent, bits))?.uint(VALUE_BITS)).toBe(found?.value)
      }),
      { numRuns: 300 },
    )
  })

  test('with labels of every kind are the same', () => {
    fc.assert(
      fc.property(sample, choices, (given, kinds) => {
        const root = withLabels(given, kinds)
        expect(texts(root, given.bits)).toEqual(expectedTexts(given))
        const theirs = Dictionary.loadDirect(bitsKey(given.bits), uintValue, toTonCore(root))
        expect(theirs.size).toBe(given.entries.length)
      }),
      { numRuns: 300 },
    )
  })

  test('with augmentation are the same', () => {
    const skipExtra = (slice: Slice): void => void slice.coins()
    fc.assert(
      fc.property(sample, choices, (given, kinds) => {
        const root = withLabels(given, kinds, true)
        const found = Array.from(dictEntries(root, given.bits, { skipExtra }), ([key, value]) => {
          const extra = value.coins()
          return [key.toString('hex'), extra, value.uint(VALUE_BITS)]
        })
        expect(found).toEqual(
          given.entries.map(({ key, value }) => [keyBytes(key, given.bits).toString('hex'), key & 0xffffn, value]),
        )
      }),
      { numRuns: 200 },
    )
  })

  test('are walked from any key on, in both directions', () => {
    fc.assert(
      fc.property(sample, choices, fc.nat(), fc.boolean(), fc.boolean(), (given, kinds, pick, reverse, inclusive) => {
        const root = withLabels(given, kinds)
        const { bits, entries } = given
        const around = entries[pick % entries.length]!.key + BigInt((pick % 3) - 1)
        const after = around < 0n || around >> BigInt(bits) ? entries[0]!.key : around
        const behind = entries.filter(({ key }) => (key === after ? inclusive : reverse ? key < after : key > after))
        const expected = expectedTexts({ bits, entries: reverse ? behind.toReversed() : behind })
        expect(texts(root, bits, { after: keyBytes(after, bits), reverse, inclusive })).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  test('are proved key by key', () => {
    fc.assert(
      fc.property(sample, fc.nat(), (given, pick) => {
        const { bits, entries } = given
        const root = fromSample(given)
        const { key, value } = entries[pick % entries.length]!
        const recorded = recordProof(root)
        dictLookup(recorded.root, bits, keyBytes(key, bits))
        const part = recorded.proof().ref(0)
        expect(part.hash(0)).toEqual(root.hash())
        expect(dictLookup(part, bits, keyBytes(key, bits))?.uint(VALUE_BITS)).toBe(value)
        expect(texts(part, bits, { skipPruned: true })).toContain(`${keyBytes(key, bits).toString('hex')}=${value}`)
      }),
      { numRuns: 200 },
    )
  })
})

describe('cells that are no dictionary', () => {
  test('end as malformed', () => {
    fc.assert(
      fc.property(anyCell, fc.integer({ min: 1, max: MAX_BITS }), fc.boolean(), (root, bits, skipPruned) => {
        const kind = failureOf(() => {
          let entries = 0
          for (const _ of dictEntries(root, bits, { skipPruned })) if (++entries > ENOUGH) break
          dictLookup(root, bits, Buffer.alloc(128))
        })
        expect(['none', 'malformed']).toContain(kind)
      }),
      { numRuns: 1000 },
    )
  })

  test('of forks without end stop when the reader stops', () => {
    let node = beginCell().uint(0, 2).uint(7, VALUE_BITS).endCell()
    for (let i = 0; i < 256; i++) node = beginCell().uint(0, 2).ref(node).ref(node).endCell()
    let entries = 0
    for (const [, value] of dictEntries(node, 256)) {
      expect(value.uint(VALUE_BITS)).toBe(7)
      if (++entries === ENOUGH) break
    }
    expect(entries).toBe(ENOUGH)
  })
})
