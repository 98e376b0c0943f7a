import { describe, expect, test } from 'bun:test'
import { Dictionary, beginCell as tonCoreCell } from '@ton/core'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { type DictOptions, dictEntries, dictLookup, key32, key64 } from '../../../src/ton/dictionary.ts'
import { recordProof } from '../../../src/ton/merkle.ts'
import { beginParse, type Slice } from '../../../src/ton/slice.ts'
import { skipCurrencyCollection } from '../../../src/ton/tlb/currency.ts'
import { type DictEntry, encodeDict, type LabelKind } from '../../support/dict-encoder.ts'
import { libraryCell } from '../../support/exotic-cells.ts'
import { failureOf } from '../../support/failure.ts'
import { recordedBlocks } from '../../support/recorded-blocks.ts'
import { fromTonCore } from '../../support/ton-core.ts'

const entry = (key: number, keyBits: number): DictEntry => ({
  key: key.toString(2).padStart(keyBits, '0'),
  value: (builder) => builder.uint(key, 32),
})
const preferring =
  (...kinds: LabelKind[]) =>
  (fitting: readonly LabelKind[]): LabelKind =>
    kinds.find((kind) => fitting.includes(kind)) ?? fitting[0]!

/** Key and value as numbers, for keys of up to 32 bits with a value of 32. */
const numbers = (root: Cell | Slice | null, keyBits: number, options?: DictOptions): [number, number][] =>
  Array.from(dictEntries(root, keyBits, options), ([key, value]) => [
    beginParse(beginCell().bytes(key).endCell()).uint(keyBits),
    value.uint(32),
  ])

describe('labels', () => {
  const keys = [0, 1, 2, 3, 0x0ff0, 0x7fff, 0x8000, 0xfffe, 0xffff]
  for (const kinds of [['short'], ['long'], ['same', 'short'], ['same', 'long']] as LabelKind[][])
    test(`of kind ${kinds.join(' or ')} are read`, () => {
      const root = encodeDict(
        keys.map((key) => entry(key, 16)),
        16,
        { label: preferring(...kinds) },
      )
      expect(numbers(root, 16)).toEqual(keys.map((key) => [key, key]))
      for (const key of keys) {
        const bytes = Buffer.of(key >> 8, key & 255)
        expect(dictLookup(root, 16, bytes)?.uint(32)).toBe(key)
      }
      for (const key of [4, 0x0ff1, 0x8001, 0xfffd])
        expect(dictLookup(root, 16, Buffer.of(key >> 8, key & 255))).toBeNull()
    })

  test('may take the whole key, or nothing', () => {
    for (const kind of ['short', 'long', 'same'] as const) {
      expect(numbers(encodeDict([entry(0x1f, 5)], 5, { label: preferring(kind) }), 5)).toEqual([[0x1f, 0x1f]])
      expect(numbers(encodeDict([entry(0, 1), entry(1, 1)], 1, { label: preferring(kind) }), 1)).toHaveLength(2)
    }
  })

  const leaf = (bits: string) => beginCell().uint(Number.parseInt(bits, 2), bits.length)
  const broken: Record<string, Cell> = {
    'too long, in unary': leaf('0111111111110').uint(0, 40).endCell(),
    'too long, in binary': leaf('101111').uint(0, 40).endCell(),
    'too long, of one bit': leaf('1111111').uint(0, 40).endCell(),
    'in unary without an end': leaf('01111').endCell(),
    'longer than the cell': leaf('101000').uint(0, 3).endCell(),
    missing: beginCell().endCell(),
  }
  for (const [name, root] of Object.entries(broken))
    test(`${name} are malformed`, () => {
      expect(failureOf(() => Array.from(dictEntries(root, 8)))).toBe('malformed')
      expect(failureOf(() => dictLookup(root, 8, Buffer.of(0)))).toBe('malformed')
    })
})

describe('broken nodes are malformed', () => {
  const fork = (...children: Cell[]): Cell => children.reduce((b, c) => b.ref(c), beginCell().uint(0, 2)).endCell()
  const good = beginCell().uint(0b1010, 4).uint(0b000_0000, 7).endCell()

  test('a fork with one branch', () => {
    expect(failureOf(() => Array.from(dictEntries(fork(good), 8)))).toBe('malformed')
    expect(failureOf(() => dictLookup(fork(good), 8, Buffer.of(0xff)))).toBe('malformed')
  })

  test('an exotic cell', () => {
    const exotic = libraryCell(Buffer.alloc(32))
    for (const root of [exotic, fork(exotic, exotic)]) {
      expect(failureOf(() => Array.from(dictEntries(root, 8)))).toBe('malformed')
      expect(failureOf(() => dictLookup(root, 8, Buffer.of(0)))).toBe('malformed')
    }
  })
})

test('an empty dictionary has nothing', () => {
  expect(Array.from(dictEntries(null, 32))).toEqual([])
  expect(dictLookup(null, 32, key32(1))).toBeNull()
})

test('a key that is too short for the dictionary is a mistake of ours', () => {
  const root = encodeDict([entry(1, 16)], 16, { label: preferring('short') })
  expect(failureOf(() => dictLookup(root, 16, Buffer.of(0)))).toBe('internal')
})

describe('the walk', () => {
  const keys = [3, 5, 8, 13, 200, 201, 255]
  const root = encodeDict(
    keys.map((key) => entry(key, 8)),
    8,
    { label: preferring('short') },
  )
  const walk = (options: DictOptions): number[] => numbers(root, 8, options).map(([key]) => key)

  test('goes up or down', () => {
    expect(walk({})).toEqual(keys)
    expect(walk({ reverse: true })).toEqual(keys.toReversed())
  })

  test('starts behind any key, whether the dictionary has it or not', () => {
    for (let after = 0; after < 256; after++) {
      const from = Buffer.of(after)
      expect(walk({ after: from })).toEqual(keys.filter((key) => key > after))
      expect(walk({ after: from, inclusive: true })).toEqual(keys.filter((key) => key >= after))
      expect(walk({ after: from, reverse: true })).toEqual(keys.filter((key) => key < after).toReversed())
      expect(walk({ after: from, reverse: true, inclusive: true })).toEqual(
        keys.filter((key) => key <= after).toReversed(),
      )
    }
  })

  test('opens no branch before its start', () => {
    const recorded = recordProof(root)
    expect(numbers(recorded.root, 8, { after: Buffer.of(200) }).map(([key]) => key)).toEqual([201, 255])
    const part = recorded.proof().ref(0)
    expect(numbers(part, 8, { after: Buffer.of(200) }).map(([key]) => key)).toEqual([201, 255])
    expect(failureOf(() => numbers(part, 8))).toBe('malformed')
  })

  test('begins in a slice where the root stands in line', () => {
    const inline = beginParse(beginCell().uint(9, 4).slice(beginParse(root)).endCell()).skip(4)
    expect(numbers(inline, 8).map(([key]) => key)).toEqual(keys)
    expect(dictLookup(inline, 8, Buffer.of(13))?.uint(32)).toBe(13)
    expect(inline.position).toBe(4)
  })

  test('passes over what a proof pruned when it is told to', () => {
    const recorded = recordProof(root)
    expect(dictLookup(recorded.root, 8, Buffer.of(201))?.uint(32)).toBe(201)
    const part = recorded.proof().ref(0)
    expect(dictLookup(part, 8, Buffer.of(201))?.uint(32)).toBe(201)
    const seen = numbers(part, 8, { skipPruned: true }).map(([key]) => key)
    expect(seen).toContain(201)
    for (const key of seen) expect(keys).toContain(key)
    expect(seen.length).toBeLessThan(keys.length)
  })

  test('keys that it gave stay as they were', () => {
    const given = Array.from(dictEntries(root, 8), ([key]) => key)
    expect(given.map((key) => key[0]!)).toEqual(keys)
  })
})

test('a proof proves that a key is not there', () => {
  const root = encodeDict(
    [1, 2, 250].map((key) => entry(key, 8)),
    8,
    { label: preferring('short') },
  )
  const recorded = recordProof(root)
  expect(dictLookup(recorded.root, 8, Buffer.of(251))).toBeNull()
  const part = recorded.proof().ref(0)
  expect(dictLookup(part, 8, Buffer.of(251))).toBeNull()
  expect(failureOf(() => dictLookup(part, 8, Buffer.of(1)))).toBe('malformed')
})

test('keys of 32 and 64 bits are two-complement and big-endian', () => {
  const small = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Uint(8)).set(-5, 7).set(5, 8)
  const large = Dictionary.empty(Dictionary.Keys.BigInt(64), Dictionary.Values.Uint(8))
    .set(-(1n << 63n), 9)
    .set(1n, 1)
  const rootOf = <K extends number | bigint>(dict: Dictionary<K, number>): Cell =>
    beginParse(fromTonCore(tonCoreCell().storeDict(dict).endCell())).maybeRef()!
  expect(dictLookup(rootOf(small), 32, key32(-5))?.uint(8)).toBe(7)
  expect(dictLookup(rootOf(small), 32, key32(5))?.uint(8)).toBe(8)
  expect(dictLookup(rootOf(small), 32, key32(0xfffffffb))?.uint(8)).toBe(7)
  expect(dictLookup(rootOf(large), 64, key64(-(1n << 63n)))?.uint(8)).toBe(9)
  expect(dictLookup(rootOf(large), 64, key64(1n << 63n))?.uint(8)).toBe(9)
})

describe('augmented dictionaries', () => {
  const keys = [1, 2, 3, 77, 78, 1000]
  const sum = (entries: readonly DictEntry[]): bigint =>
    entries.reduce((total, { key }) => total + BigInt(`0b${key}`), 0n)
  const root = encodeDict(
    keys.map((key) => entry(key, 32)),
    32,
    { label: preferring('short'), extra: (builder, entries) => builder.coins(sum(entries)) },
  )
  const skipExtra = (slice: Slice): void => void slice.coins()

  test('give their values with the augmentation in front', () => {
    const found = Array.from(dictEntries(root, 32, { skipExtra }), ([key, value]) => {
      const extra = value.coins()
      return [key.readUInt32BE(0), extra, value.uint(32)]
    })
    expect(found).toEqual(keys.map((key) => [key, BigInt(key), key]))
    const value = dictLookup(root, 32, key32(77))!
    expect([value.coins(), value.uint(32)]).toEqual([77n, 77])
  })

  test('of the account blocks of every recorded block hold what their root sums up', () => {
    let accounts = 0
    for (const block of recordedBlocks()) {
      const dict = beginParse(beginParse(block.ref(3)).skipRefs(2).ref())
      const blocks = dict.maybeRef()
      const fees = dict.coins()
      let total = 0n
      for (const [id, value] of dictEntries(blocks, 256, { skipExtra: skipCurrencyCollection })) {
        accounts++
        const again = dictLookup(blocks, 256, id)!
        total += value.clone().coins()
        for (const slice of [value, again]) {
          skipCurrencyCollection(slice)
          expect(slice.uint(4)).toBe(5)
          expect(slice.bytes(32)).toEqual(id)
        }
      }
      expect(total).toBe(fees)
    }
    expect(accounts).toBeGreaterThan(2800)
  })
})
