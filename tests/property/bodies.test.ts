import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { bodyJson, decodedPayload } from '../../src/contracts/body-json.ts'
import { SCHEME_TEXTS } from '../../src/contracts/schemes.ts'
import { parseScheme } from '../../src/contracts/tlb/syntax.ts'
import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { anyCell } from '../support/cell-arbitrary.ts'

const OPCODES = [
  ...new Set(SCHEME_TEXTS.flatMap(parseScheme).flatMap(({ tag, tagBits }) => (tagBits === 32 ? [tag] : []))),
]

/** The cell with an opcode in front, as far as it then has room. */
const under = (opcode: number, cell: Cell): Cell => {
  const builder = beginCell().uint(opcode, 32)
  for (let i = 0; i < cell.refCount; i++) builder.ref(cell.ref(i))
  for (let i = 0; i < Math.min(cell.bits, 990); i++)
    builder.bit(((cell.bytes[cell.start + (i >> 3)]! >> (7 - (i & 7))) & 1) === 1)
  return builder.endCell()
}

const MAX_TEXT = 1 << 20

const check = (cell: Cell): void => {
  const told = bodyJson(cell)
  if (told === null) return
  expect(JSON.stringify(told).length).toBeLessThan(MAX_TEXT)
  expect(decodedPayload(cell)?.['@type']).toBe(told['@type']!)
}

test('any cell is told or unknown', () => {
  fc.assert(fc.property(anyCell, check), { numRuns: 500 })
})

test('any cell under a known opcode is told or unknown', () => {
  fc.assert(
    fc.property(fc.constantFrom(...OPCODES), anyCell, (opcode, cell) => check(under(opcode, cell))),
    { numRuns: 3000 },
  )
})
