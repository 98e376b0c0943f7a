import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { transactionKey } from '../../../src/model/trace-changes.ts'
import { txKey } from '../../../src/store/keys.ts'
import { keysIn } from '../../../src/store/scan.ts'
import { readCell, removeCells, writeCells } from '../../../src/store/transaction-cells.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { type TemporaryIndex, temporaryIndex } from '../../support/temporary-index.ts'

let temporary: TemporaryIndex
beforeAll(async () => {
  temporary = await temporaryIndex()
})
afterAll(() => temporary.remove())

/** A chain of cells, `length` long. */
const chainOf = (seed: number, length: number): Cell => {
  let cell = beginCell().uint(seed, 32).endCell()
  for (let i = 1; i < length; i++) cell = beginCell().uint(seed, 32).uint(i, 32).bytes(cell.hash()).ref(cell).endCell()
  return cell
}

test('cells of any size come back, each by its place', () => {
  const { environment, tables } = temporary.index
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 200, max: 400 })), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(sizes, fc.nat(1_000_000), (lengths, seed) => {
      const cells = lengths.map((length, i) => chainOf(seed + i, length))
      const places = environment.transaction(() => {
        removeCells(tables, 7)
        writeCells(tables, 8, [chainOf(1, 2)])
        return writeCells(tables, 7, cells)
      })
      environment.renew()
      cells.forEach((cell, i) => {
        expect(readCell(tables, transactionKey(7, i), places[i]!)?.hash()).toEqual(cell.hash())
      })
    }),
    { numRuns: 30 },
  )
  environment.transaction(() => removeCells(tables, 7))
  environment.renew()
  expect([...keysIn(tables.tx_cells, {}, 'asc')].length).toBe(1)
  expect(readCell(tables, transactionKey(7, 0), 0)).toBeUndefined()
})

test('a damaged group of cells is told as damaged', async () => {
  const { environment, tables } = temporary.index
  const key = transactionKey(9, 0)
  for (const packed of [Buffer.from('no bag'), Buffer.alloc(0), Bun.zstdCompressSync(Buffer.from([0, 0, 0]))]) {
    environment.transaction(() => tables.tx_cells.putSync(txKey(key), Buffer.from(packed)))
    expect(await rejectionOf(Promise.try(() => readCell(tables, key, 0)))).toMatchObject({ kind: 'malformed' })
  }
})
