import { describe, expect, test } from 'bun:test'
import { parseBoc, parseBocRoot } from '../../../src/ton/boc.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import {
  type BagShape,
  encodeBag,
  encodeRaw,
  GENERIC,
  INDEXED,
  INDEXED_CRC,
  type RawCell,
  rawCells,
} from '../../support/bag-encoder.ts'
import { libraryCell, proofCell, prunedCell, updateCell } from '../../support/exotic-cells.ts'
import { failureOf } from '../../support/failure.ts'

const hashes = [1, 2, 3].map((i) => Buffer.alloc(32, i))
const leaf = (value: number): Cell => beginCell().uint(value, 17).endCell()
const shared = beginCell().uint(1, 3).ref(leaf(1)).endCell()
const plain = beginCell().uint(0xabcdef, 24).ref(shared).ref(leaf(1)).ref(shared).endCell()
const pruned = (mask: number, n: number): Cell => prunedCell(mask, hashes.slice(0, n), [7, 8, 9].slice(0, n))
const exotic = beginCell()
  .ref(libraryCell(hashes[0]!))
  .ref(proofCell(beginCell().ref(pruned(1, 1)).endCell()))
  .ref(updateCell(beginCell().ref(pruned(5, 2)).endCell(), beginCell().ref(pruned(7, 3)).endCell()))
  .ref(pruned(2, 1))
  .endCell()

const SHAPES: Record<string, BagShape> = {
  plain: {},
  'with CRC': { crc: true },
  'with index': { index: true },
  'with index and CRC': { index: true, crc: true },
  'with cache bits': { index: true, cacheBits: true },
  'with all of them': { index: true, crc: true, cacheBits: true },
  'with stored hashes': { storedHashes: true },
  'with stored hashes, index and CRC': { storedHashes: true, index: true, crc: true },
  'with wide references and offsets': { refBytes: 4, offsetBytes: 8 },
  'with odd widths': { refBytes: 3, offsetBytes: 5, index: true },
  indexed: { magic: INDEXED },
  'indexed with CRC': { magic: INDEXED_CRC },
  'indexed, wide': { magic: INDEXED, refBytes: 2, offsetBytes: 4 },
}

const sameCell = (a: Cell, b: Cell): void => {
  for (const level of [0, 1, 2, 3]) {
    expect(a.hash(level).toString('hex')).toBe(b.hash(level).toString('hex'))
    expect(a.depth(level)).toBe(b.depth(level))
  }
  expect([a.type, a.levelMask, a.bits, a.refCount]).toEqual([b.type, b.levelMask, b.bits, b.refCount])
  for (let i = 0; i < a.refCount; i++) sameCell(a.ref(i), b.ref(i))
}

describe('every shape of bag is read', () => {
  for (const [name, shape] of Object.entries(SHAPES)) {
    test(`${name}: ordinary cells`, () => sameCell(parseBocRoot(encodeBag([plain], shape)), plain))
    test(`${name}: exotic cells`, () => sameCell(parseBocRoot(encodeBag([exotic], shape)), exotic))
  }

  test('from the middle of another buffer', () => {
    const bag = encodeBag([exotic], { crc: true })
    const around = Buffer.concat([Buffer.alloc(13, 0xff), bag, Buffer.alloc(5, 0xff)])
    sameCell(parseBocRoot(around.subarray(13, 13 + bag.length)), exotic)
  })

  test('with hashes in any order of asking', () => {
    const bag = encodeBag([exotic])
    const deep = parseBocRoot(bag)
    expect(deep.ref(2).ref(1).ref(0).hash(1)).toEqual(exotic.ref(2).ref(1).ref(0).hash(1))
    expect(deep.ref(1).ref(0).depth(0)).toBe(exotic.ref(1).ref(0).depth(0))
    expect(deep.hash()).toEqual(exotic.hash())
  })

  test('the same cell is the same object', () => {
    const root = parseBocRoot(encodeBag([plain]))
    expect(root.ref(0) === root.ref(2)).toBe(true)
    expect(failureOf(() => root.ref(3))).toBe('malformed')
  })

  test('the largest cell', () => {
    const full = beginCell()
      .uint((1n << 1023n) - 1n, 1023)
      .endCell()
    expect(beginParse(parseBocRoot(encodeBag([full]))).uintBig(1023)).toBe((1n << 1023n) - 1n)
  })
})

describe('roots', () => {
  const two = encodeBag([plain, leaf(1)])

  test('may be several, one below the other, and the same twice', () => {
    expect(parseBoc(two).map((root) => root.hash())).toEqual([plain.hash(), leaf(1).hash()])
    const [first, second, third] = parseBoc(encodeRaw(rawCells([plain]).cells, [0, 1, 0]))
    expect(second!.hash()).toEqual(shared.hash())
    expect(third === first).toBe(true)
  })

  test('must be one where one is asked for', () => {
    expect(failureOf(() => parseBocRoot(two))).toBe('malformed')
  })

  test('need not be the first cell', () => {
    const { cells } = rawCells([plain])
    expect(parseBocRoot(encodeRaw(cells, [1])).hash()).toEqual(shared.hash())
  })

  test('must exist and not be too many', () => {
    const { cells } = rawCells([plain])
    expect(failureOf(() => parseBoc(encodeRaw(cells, [3])))).toBe('malformed')
    expect(failureOf(() => parseBoc(encodeRaw(cells, [])))).toBe('malformed')
    expect(failureOf(() => parseBoc(encodeRaw(cells, [0, 0, 0, 0])))).toBe('malformed')
    expect(failureOf(() => parseBoc(encodeRaw(cells, [0, 1]), { maxRoots: 1 }))).toBe('limit')
  })

  test('of an indexed bag are one', () => {
    const { cells } = rawCells([plain])
    expect(failureOf(() => parseBoc(encodeRaw(cells, [0, 1], { magic: INDEXED })))).toBe('malformed')
  })
})

/** A copy with other bytes from `at` on. */
const patched = (bag: Buffer, at: number, ...bytes: number[]): Buffer => {
  const copy = Buffer.from(bag)
  copy.set(bytes, at)
  return copy
}

describe('a broken bag is malformed', () => {
  const bag = encodeBag([plain])
  const cell = (d1: number, d2: number, data: number[] = [], refs: number[] = []): RawCell => ({
    d1,
    d2,
    data: Buffer.from(data),
    refs,
  })
  const one = (...cells: RawCell[]): Buffer => encodeRaw(cells, [0])
  const empty = cell(0, 0)
  const cases: Record<string, Buffer> = {
    'no bytes': Buffer.alloc(0),
    'an unknown magic': patched(bag, 0, 0xb5, 0xee, 0x9c, 0x73),
    'unknown flags': patched(bag, 4, bag[4]! | 8),
    'cache bits without an index': patched(bag, 4, bag[4]! | 0x20),
    'references of no bytes': patched(bag, 4, 0),
    'references of five bytes': patched(bag, 4, 5),
    'offsets of no bytes': patched(bag, 5, 0),
    'offsets of nine bytes': patched(bag, 5, 9),
    'no cells': patched(bag, 6, 0),
    'more cells than there are': patched(bag, 6, 200),
    'fewer cells than there are': patched(bag, 6, 2),
    'absent cells': patched(bag, 8, 1),
    'bytes behind the end': Buffer.concat([bag, Buffer.alloc(1)]),
    'an index that tells other places': patched(encodeBag([plain], { index: true }), 13, 0xff),
    'an index with cache bits that tells other places': patched(
      encodeBag([plain], { index: true, cacheBits: true }),
      13,
      0xff,
    ),
    'a wrong checksum': patched(encodeBag([plain], { crc: true }), 20, 0xff),
    'a cell that is absent': one(cell(0x17, 0)),
    'a cell of five references': one(cell(5, 0, [], [1, 1, 1, 1, 1]), empty),
    'a cell that refers to itself': one(cell(1, 0, [], [0])),
    'a cell that refers back': one(cell(1, 0, [], [1]), cell(1, 0, [], [0])),
    'a cell that refers to none': one(cell(1, 0, [], [2]), empty),
    'data without a completion tag': one(cell(0, 1, [0])),
    'data with nothing before the tag': one(cell(0, 1, [0x80])),
    'a cell longer than the rest': one(cell(0, 255, [1])),
    'an exotic cell without a type': one(cell(8, 0)),
    'an exotic cell of an unknown type': one(cell(8, 2, [9])),
    'an ordinary cell that claims a level': one(cell(0x20, 0)),
    'a parent that hides the level of its child': one(
      cell(1, 0, [], [1]),
      cell(0x28, 72, [1, 1, ...Array(34).fill(7)]),
    ),
    'a pruned branch whose descriptor has another mask': one(cell(0x48, 72, [1, 1, ...Array(34).fill(7)])),
    'stored hashes that are not there': one(cell(0x10, 2, [1])),
  }
  for (const [name, bytes] of Object.entries(cases))
    test(name, () => expect(failureOf(() => parseBoc(bytes))).toBe('malformed'))

  for (const [name, shape] of Object.entries(SHAPES))
    test(`${name}, cut anywhere`, () => {
      const whole = encodeBag([exotic], shape)
      for (let length = 0; length < whole.length; length++)
        expect(failureOf(() => parseBoc(whole.subarray(0, length)))).toBe('malformed')
    })

  test('a Merkle cell that lies about its child, once it is hashed', () => {
    const { cells, roots } = rawCells([proofCell(leaf(1))])
    cells[0]!.data[1]! ^= 1
    const root = parseBocRoot(encodeRaw(cells, roots))
    expect(failureOf(() => root.hash())).toBe('malformed')
  })
})

describe('limits', () => {
  test('of bytes and cells are checked first', () => {
    const bag = encodeBag([plain])
    expect(failureOf(() => parseBoc(bag, { maxBytes: bag.length }))).toBe('none')
    expect(failureOf(() => parseBoc(bag, { maxBytes: bag.length - 1 }))).toBe('limit')
    expect(failureOf(() => parseBoc(bag, { maxCells: 3 }))).toBe('none')
    expect(failureOf(() => parseBoc(bag, { maxCells: 2 }))).toBe('limit')
  })

  test('counts that the bytes cannot hold end before memory is taken', () => {
    const head = (count: number, roots: number, size: number): Buffer => {
      const out = Buffer.alloc(32)
      out.writeUInt32BE(GENERIC, 0)
      out.set([4, 4], 4)
      out.writeUInt32BE(count, 6)
      out.writeUInt32BE(roots, 10)
      out.writeUInt32BE(size, 18)
      return out
    }
    for (const [count, roots, size] of [
      [0xffffffff, 1, 6],
      [1 << 24, 1, 6],
      [1 << 24, 1 << 24, 6],
      [1, 1, 0xffffffff],
      [0xffffffff, 0xffffffff, 0xffffffff],
    ] as const)
      expect(failureOf(() => parseBoc(head(count, roots, size)))).not.toBe('none')
  })

  const chain = (length: number): Buffer => {
    const cells = Array.from({ length }, (_, i): RawCell => ({ d1: 1, d2: 0, data: Buffer.alloc(0), refs: [i + 1] }))
    return encodeRaw([...cells, { d1: 0, d2: 0, data: Buffer.alloc(0), refs: [] }], [0], {
      refBytes: 3,
      offsetBytes: 4,
    })
  }

  test('a depth of 1024 is the last', () => {
    expect(parseBocRoot(chain(1024)).depth()).toBe(1024)
    expect(failureOf(() => parseBoc(chain(1025)))).toBe('limit')
    expect(failureOf(() => parseBoc(chain(200_000)))).toBe('limit')
  })

  test('the depth that a pruned branch stands for counts', () => {
    const stub = beginCell()
      .ref(prunedCell(1, [hashes[0]!], [0xffff]))
      .endCell()
    const { cells, roots } = rawCells([stub.ref(0)])
    const bag = encodeRaw([{ d1: 0x21, d2: 0, data: Buffer.alloc(0), refs: [1] }, ...cells], roots)
    expect(failureOf(() => parseBocRoot(bag).hash(0))).toBe('limit')
  })

  test('a graph with more paths than can be walked is hashed at once', () => {
    const cells = Array.from(
      { length: 1000 },
      (_, i): RawCell => ({
        d1: 4,
        d2: 0,
        data: Buffer.alloc(0),
        refs: Array(4).fill(i + 1),
      }),
    )
    const bag = encodeRaw([...cells, { d1: 0, d2: 0, data: Buffer.alloc(0), refs: [] }], [0], { refBytes: 2 })
    expect(parseBocRoot(bag).depth()).toBe(1000)
  })
})
