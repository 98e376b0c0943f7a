import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Cell } from '../../../src/ton/cell.ts'
import { dictEntries } from '../../../src/ton/dictionary.ts'
import type { Augmentation } from '../../../src/ton/dictionary-node.ts'
import { cutAugDict, cutDict, mergeAugDicts, mergeDicts } from '../../../src/ton/dictionary-split.ts'
import { updateAugDict, updateDict } from '../../../src/ton/dictionary-update.ts'
import { buildAugDict, buildDict } from '../../../src/ton/dictionary-writer.ts'
import type { AugDict } from '../../../src/ton/tlb/aug-dict.ts'
import { failureOf } from '../../support/failure.ts'

const KEY_BITS = 12

/** A sum in a fork's data, and no sum in a dictionary without entries. */
const sumAug: Augmentation<bigint> = {
  load: (slice) => slice.coins(),
  store: (builder, extra) => builder.coins(extra),
  combine: (a, b) => a + b,
  empty: 0n,
}

type Values = Map<number, number>

const keyOf = (n: number): Buffer => {
  const key = Buffer.alloc(2)
  key.writeUInt16BE(n << (16 - KEY_BITS))
  return key
}

const changeOf = (n: number, value: number | null) => {
  if (value === null) return { key: keyOf(n), store: null }
  return {
    key: keyOf(n),
    extra: BigInt(value),
    store: (b: { uint(v: number, bits: number): unknown }) => b.uint(value, 8),
  }
}

const plain = (values: Values): Cell | null =>
  buildDict(
    [...values].map(([n, value]) => ({ key: keyOf(n), store: (builder) => builder.uint(value, 8) })),
    KEY_BITS,
  )

const augmented = (values: Values): AugDict<bigint> =>
  buildAugDict(
    [...values].map(([n, value]) => changeOf(n, value)),
    KEY_BITS,
    sumAug,
  )

const shown = ({ root, extra }: AugDict<bigint>): object => ({ root: root?.hash().toString('hex'), extra })

const someKey = fc.oneof(fc.nat(2 ** KEY_BITS - 1), fc.nat(20))
const someBatch = fc.uniqueArray(fc.tuple(someKey, fc.option(fc.nat(255))), { selector: ([n]) => n, maxLength: 20 })

test('any sequence of batches of changes gives what the entries that are left give from scratch', () => {
  fc.assert(
    fc.property(fc.array(someBatch, { maxLength: 8 }), (batches) => {
      const values: Values = new Map()
      let root: Cell | null = null
      let dict: AugDict<bigint> = { root: null, extra: 0n }
      for (const batch of batches) {
        for (const [n, value] of batch)
          if (value === null) values.delete(n)
          else values.set(n, value)
        const changes = batch.map(([n, value]) => changeOf(n, value))
        root = updateDict(root, changes, KEY_BITS)
        dict = updateAugDict(dict, changes, KEY_BITS, sumAug)
        expect(root?.hash()).toEqual(plain(values)?.hash())
        expect(shown(dict)).toEqual(shown(augmented(values)))
        expect(dict.extra).toBe([...values.values()].reduce((sum, value) => sum + BigInt(value), 0n))
      }
    }),
  )
})

test('what did not change is the same cell, not an equal one', () => {
  const values: Values = new Map(Array.from({ length: 64 }, (_, i) => [i * 61, i]))
  const dict = augmented(values)
  expect(updateAugDict(dict, [], KEY_BITS, sumAug).root).toBe(dict.root)
  expect(updateAugDict(dict, [changeOf(7, null)], KEY_BITS, sumAug).root).toBe(dict.root)
  const changed = updateAugDict(dict, [changeOf(0, 9)], KEY_BITS, sumAug)
  expect(changed.root!.ref(1)).toBe(dict.root!.ref(1))
  expect(changed.root!.ref(0).ref(1)).toBe(dict.root!.ref(0).ref(1))
  expect(changed.root!.ref(0).ref(0)).not.toBe(dict.root!.ref(0).ref(0))
})

test('dictionaries are cut at a prefix of their keys, and put together again', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(someKey, fc.nat(255))), someKey, fc.nat(KEY_BITS), (entries, prefix, bits) => {
      const all: Values = new Map(entries)
      const within = (n: number): boolean => (n ^ prefix) >> (KEY_BITS - bits) === 0
      const inside: Values = new Map([...all].filter(([n]) => within(n)))
      const outside: Values = new Map([...all].filter(([n]) => !within(n)))
      const part = cutAugDict(augmented(all), keyOf(prefix), bits, KEY_BITS, sumAug)
      expect(shown(part)).toEqual(shown(augmented(inside)))
      expect(shown(mergeAugDicts(part, augmented(outside), KEY_BITS, sumAug))).toEqual(shown(augmented(all)))
      const plainPart = cutDict(plain(all), keyOf(prefix), bits, KEY_BITS)
      expect(plainPart?.hash()).toEqual(plain(inside)?.hash())
      expect(mergeDicts(plain(outside), plainPart, KEY_BITS)?.hash()).toEqual(plain(all)?.hash())
      expect([...dictEntries(plainPart, KEY_BITS)]).toHaveLength(inside.size)
    }),
  )
})

test('any two dictionaries without a common key are merged', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(someKey, fc.nat(255), fc.boolean())), (entries) => {
      const all = new Map(entries.map(([n, value, side]) => [n, { value, side }]))
      const half = (wanted: boolean): Values =>
        new Map([...all].filter(([, { side }]) => side === wanted).map(([n, { value }]) => [n, value]))
      const whole: Values = new Map([...half(true), ...half(false)])
      const merged = mergeAugDicts(augmented(half(true)), augmented(half(false)), KEY_BITS, sumAug)
      expect(shown(merged)).toEqual(shown(augmented(whole)))
    }),
  )
})

test('a key twice is an error of ours', () => {
  const one = plain(new Map([[5, 1]]))
  expect(failureOf(() => updateDict(null, [changeOf(5, 1), changeOf(5, 2)], KEY_BITS))).toBe('internal')
  expect(failureOf(() => updateDict(one, [changeOf(5, 1), changeOf(5, null)], KEY_BITS))).toBe('internal')
  expect(failureOf(() => mergeDicts(one, one, KEY_BITS))).toBe('internal')
  expect(failureOf(() => updateDict(one, [{ key: Buffer.alloc(1), store: null }], KEY_BITS))).toBe('internal')
  expect(failureOf(() => cutDict(one, Buffer.alloc(1), KEY_BITS, KEY_BITS))).toBe('internal')
})
