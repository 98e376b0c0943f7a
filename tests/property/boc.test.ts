import { describe, expect, test } from 'bun:test'
import { Cell as TonCoreCell } from '@ton/core'
import fc from 'fast-check'
import { parseBoc, parseBocRoot } from '../../src/ton/boc.ts'
import { cellToBoc, serializeBoc } from '../../src/ton/boc-writer.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { type BagShape, encodeBag, GENERIC, INDEXED, INDEXED_CRC } from '../support/bag-encoder.ts'
import { anyCell, anyCells, ordinaryCell } from '../support/cell-arbitrary.ts'
import { failureOf } from '../support/failure.ts'
import { referenceHash } from '../support/reference-hash.ts'
import { toTonCore } from '../support/ton-core.ts'

const LEVELS = [0, 1, 2, 3]
/** More than any hostile bag of this size may cost. */
const SLOW_MS = 1000

const shape: fc.Arbitrary<BagShape> = fc
  .record({
    magic: fc.constantFrom(GENERIC, GENERIC, GENERIC, INDEXED, INDEXED_CRC),
    index: fc.boolean(),
    crc: fc.boolean(),
    cacheBits: fc.boolean(),
    storedHashes: fc.boolean(),
    refBytes: fc.integer({ min: 1, max: 4 }),
    offsetBytes: fc.integer({ min: 3, max: 8 }),
  })
  .map(({ magic, index, crc, cacheBits, ...rest }) =>
    magic === GENERIC ? { magic, index, crc, cacheBits: cacheBits && index, ...rest } : { magic, ...rest },
  )

const levelsOf = (cell: Cell): string[] =>
  LEVELS.map((level) => `${cell.hash(level).toString('hex')}${cell.depth(level)}`)

const definedLevels = (cell: Cell): string[] =>
  LEVELS.map((level) => {
    const { hash, depth } = referenceHash(cell, level)
    return `${hash.toString('hex')}${depth}`
  })

/** Opens everything that a reader of a bag can open. */
const readAll = (bytes: Uint8Array): void => {
  const seen = new Set<Cell>()
  const stack = parseBoc(bytes, { maxBytes: 1 << 16, maxCells: 1 << 12 })
  for (let cell = stack.pop(); cell; cell = stack.pop()) {
    if (seen.has(cell)) continue
    seen.add(cell)
    levelsOf(cell)
    for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i))
  }
}

const endsSoon = (bytes: Uint8Array): void => {
  const start = performance.now()
  const kind = failureOf(() => {
    readAll(bytes)
    serializeBoc(parseBoc(bytes))
  })
  expect(['none', 'malformed', 'limit']).toContain(kind)
  expect(performance.now() - start).toBeLessThan(SLOW_MS)
}

describe('hashes and depths', () => {
  test('of all levels are those of the definition, built or read', () => {
    fc.assert(
      fc.property(anyCell, shape, (cell, bag) => {
        expect(levelsOf(cell)).toEqual(definedLevels(cell))
        expect(levelsOf(parseBocRoot(encodeBag([cell], bag)))).toEqual(levelsOf(cell))
      }),
      { numRuns: 300 },
    )
  })

  test('of ordinary cells are those of @ton/core', () => {
    fc.assert(
      fc.property(ordinaryCell, (cell) => {
        const theirs = toTonCore(cell)
        expect(levelsOf(cell)).toEqual(LEVELS.map((l) => `${theirs.hash(l).toString('hex')}${theirs.depth(l)}`))
      }),
      { numRuns: 100 },
    )
  })
})

describe('bags', () => {
  test('with any roots read back as they were written', () => {
    fc.assert(
      fc.property(
        anyCells,
        fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        fc.boolean(),
        (cells, picks, crc, index) => {
          const byHash = new Map(
            picks.map((i) => cells[i % cells.length]!).map((cell) => [cell.hash().toString('hex'), cell]),
          )
          const roots = Array.from(byHash.values())
          const bag = serializeBoc(roots, { crc, index })
          expect(parseBoc(bag).map(levelsOf)).toEqual(roots.map(levelsOf))
          expect(serializeBoc(parseBoc(bag), { crc, index }).equals(bag)).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('are exchanged with @ton/core', () => {
    fc.assert(
      fc.property(ordinaryCell, fc.boolean(), fc.boolean(), (cell, idx, crc32) => {
        const hash = cell.hash().toString('hex')
        const theirs = TonCoreCell.fromBoc(cellToBoc(cell))[0]!
        expect(theirs.hash().toString('hex')).toBe(hash)
        expect(parseBocRoot(theirs.toBoc({ idx, crc32 })).hash().toString('hex')).toBe(hash)
      }),
      { numRuns: 100 },
    )
  })
})

describe('hostile bags end soon, as malformed or beyond a limit', () => {
  const change = fc.record({ at: fc.nat(), byte: fc.nat(255), cut: fc.nat(3), put: fc.uint8Array({ maxLength: 3 }) })

  test('with bytes changed', () => {
    fc.assert(
      fc.property(anyCell, shape, fc.array(change, { minLength: 1, maxLength: 4 }), (cell, bag, changes) => {
        const bytes = encodeBag([cell], { ...bag, crc: false })
        for (const { at, byte } of changes) bytes[at % bytes.length] = byte
        endsSoon(bytes)
      }),
      { numRuns: 2000 },
    )
  })

  test('with one bit changed', () => {
    fc.assert(
      fc.property(anyCell, fc.nat(), (cell, at) => {
        const bytes = encodeBag([cell])
        bytes[(at >> 3) % bytes.length]! ^= 1 << (at & 7)
        endsSoon(bytes)
      }),
      { numRuns: 2000 },
    )
  })

  test('with bytes cut out and put in', () => {
    fc.assert(
      fc.property(anyCell, shape, fc.array(change, { minLength: 1, maxLength: 3 }), (cell, bag, changes) => {
        let bytes = encodeBag([cell], bag)
        for (const { at, cut, put } of changes) {
          const from = at % (bytes.length + 1)
          bytes = Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + cut)])
        }
        endsSoon(bytes)
      }),
      { numRuns: 1000 },
    )
  })

  test('of arbitrary bytes behind a good head', () => {
    const head = fc.constantFrom(GENERIC, INDEXED, INDEXED_CRC)
    fc.assert(
      fc.property(head, fc.uint8Array({ maxLength: 200 }), (magic, rest) => {
        const bytes = Buffer.concat([Buffer.alloc(4), rest])
        bytes.writeUInt32BE(magic, 0)
        endsSoon(bytes)
      }),
      { numRuns: 2000 },
    )
  })
})
