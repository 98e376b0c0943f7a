import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { readSnake } from '../../../src/ton/snake.ts'

/** A chain of cells that hold the bits (a text of 0 and 1) in pieces of the given sizes. */
const chainOf = (bits: string, sizes: readonly number[]): Cell => {
  const pieces: string[] = []
  let at = 0
  for (const size of sizes) {
    pieces.push(bits.slice(at, at + size))
    at += size
  }
  while (at < bits.length) {
    pieces.push(bits.slice(at, at + 1000))
    at += 1000
  }
  let next: Cell | null = null
  for (const piece of pieces.reverse()) {
    const builder = beginCell()
    for (const bit of piece) builder.bit(bit === '1')
    if (next) builder.ref(next)
    next = builder.endCell()
  }
  return next ?? beginCell().endCell()
}

const bitsOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')

describe('readSnake', () => {
  test('gives the bytes whatever pieces the cells hold', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.array(fc.integer({ min: 0, max: 1023 })), (bytes, sizes) => {
        const read = readSnake(beginParse(chainOf(bitsOf(bytes), sizes)))
        expect(read?.toString('hex')).toBe(Buffer.from(bytes).toString('hex'))
      }),
    )
  })

  test('starts where the slice stands', () => {
    const slice = beginParse(chainOf(bitsOf(Buffer.from('0000000168656c6c6f', 'hex')), [37]))
    expect(slice.uint(32)).toBe(1)
    expect(readSnake(slice)?.toString()).toBe('hello')
  })

  test('refuses bits that are no whole bytes', () => {
    expect(readSnake(beginParse(chainOf('0101', [])))).toBeUndefined()
  })

  test('refuses an exotic cell in the chain', () => {
    const library = beginCell().uint(2, 8).uint(0, 256).endCell(true)
    expect(readSnake(beginParse(beginCell().uint(7, 8).ref(library).endCell()))).toBeUndefined()
  })
})
