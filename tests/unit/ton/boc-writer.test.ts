import { describe, expect, test } from 'bun:test'
import { Cell as TonCoreCell } from '@ton/core'
import { parseBoc, parseBocRoot } from '../../../src/ton/boc.ts'
import { cellToBoc, serializeBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { libraryCell, proofCell, prunedCell } from '../../support/exotic-cells.ts'
import { failureOf } from '../../support/failure.ts'

const leaf = (value: number): Cell => beginCell().uint(value, 32).endCell()
const tree = beginCell()
  .uint(5, 3)
  .ref(beginCell().ref(leaf(1)).ref(leaf(2)).endCell())
  .ref(leaf(1))
  .ref(beginCell().ref(leaf(3)).endCell())
  .endCell()

test('the empty cell is the text that everyone knows', () => {
  expect(cellToBoc(beginCell().endCell()).toString('base64')).toBe('te6cckEBAQEAAgAAAEysuc0=')
})

describe('options', () => {
  const sizes = { crc: 4, index: 6 }
  test('default to a checksum and no index', () => {
    const bag = serializeBoc([tree])
    expect(bag).toEqual(cellToBoc(tree))
    expect(bag[4]).toBe(0x41)
  })

  test('write a readable bag each', () => {
    const bare = serializeBoc([tree], { crc: false })
    expect(bare[4]).toBe(0x01)
    for (const crc of [false, true])
      for (const index of [false, true]) {
        const bag = serializeBoc([tree], { crc, index })
        expect(bag.length - bare.length).toBe((crc ? sizes.crc : 0) + (index ? sizes.index : 0))
        expect(parseBocRoot(bag).hash()).toEqual(tree.hash())
        expect(TonCoreCell.fromBoc(bag)[0]!.hash()).toEqual(tree.hash())
      }
  })

  test('the index holds the end of every cell', () => {
    const bag = serializeBoc([tree], { crc: false, index: true })
    const [count, at] = [bag[6]!, 6 + 3 + 1 + 1]
    const ends = Array.from(bag.subarray(at, at + count))
    expect(count).toBe(6)
    expect(ends.at(-1)).toBe(bag.length - at - count)
    let cell = at + count
    for (const end of ends) {
      const d1 = bag[cell]!
      const d2 = bag[cell + 1]!
      cell += 2 + ((d2 + 1) >> 1) + (d1 & 7)
      expect(cell - at - count).toBe(end)
    }
  })
})

test('equal cells are written once', () => {
  const twice = beginCell().ref(leaf(7)).ref(leaf(7)).endCell()
  const root = parseBocRoot(cellToBoc(twice))
  expect(root.ref(0) === root.ref(1)).toBe(true)
  expect(cellToBoc(twice)[6]).toBe(2)
})

test('several roots stay in order, also when one is below another', () => {
  for (const roots of [
    [tree, leaf(9)],
    [leaf(9), tree],
    [leaf(1), tree],
    [tree, tree.ref(0), tree],
  ]) {
    const read = parseBoc(serializeBoc(roots))
    expect(read.map((root) => root.hash().toString('hex'))).toEqual(roots.map((root) => root.hash().toString('hex')))
  }
})

test('exotic cells keep type and level', () => {
  const pruned = prunedCell(3, [Buffer.alloc(32, 1), Buffer.alloc(32, 2)], [1, 2])
  const proof = proofCell(
    beginCell()
      .ref(pruned)
      .ref(libraryCell(Buffer.alloc(32, 3)))
      .endCell(),
  )
  const read = parseBocRoot(cellToBoc(proof))
  for (const level of [0, 1, 2, 3]) expect(read.hash(level)).toEqual(proof.hash(level))
})

test('references and offsets get as many bytes as they need', () => {
  for (const count of [255, 256, 70_000]) {
    let layer: Cell[] = Array.from({ length: Math.ceil((count * 3) / 4) }, (_, i) => leaf(i))
    while (layer.length > 1)
      layer = Array.from({ length: Math.ceil(layer.length / 4) }, (_, i) =>
        layer
          .slice(i * 4, i * 4 + 4)
          .reduce((b, cell) => b.ref(cell), beginCell())
          .endCell(),
      )
    const bag = cellToBoc(layer[0]!)
    expect(parseBocRoot(bag).hash()).toEqual(layer[0]!.hash())
  }
})

describe('limits', () => {
  const chain = (length: number): Cell => {
    let cell = leaf(0)
    for (let i = 0; i < length; i++) cell = beginCell().ref(cell).endCell()
    return cell
  }

  test('a depth of 1024 is the last', () => {
    expect(parseBocRoot(cellToBoc(chain(1024))).depth()).toBe(1024)
    expect(failureOf(() => cellToBoc(chain(1025)))).toBe('limit')
  })

  test('a graph with more paths than can be walked is written at once', () => {
    let cell = leaf(0)
    for (let i = 0; i < 1000; i++) cell = beginCell().ref(cell).ref(cell).ref(cell).ref(cell).endCell()
    expect(parseBocRoot(cellToBoc(cell)).hash()).toEqual(cell.hash())
  })
})
