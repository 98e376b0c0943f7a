import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { transactionKey } from '../../../src/model/trace-changes.ts'
import { type CellPlace, decodeTransaction, encodeTransaction } from '../../../src/store/codecs.ts'
import { txKey } from '../../../src/store/keys.ts'
import { keysIn } from '../../../src/store/scan.ts'
import { packCells, placesIn, readCell, removeCells, writeCells } from '../../../src/store/transaction-cells.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { type TemporaryIndex, temporaryIndex } from '../../support/temporary-index.ts'

let temporary: TemporaryIndex
beforeAll(async () => {
  temporary = await temporaryIndex()
})
afterAll(() => temporary.remove())

/** Hash of no cell. */
const UNKNOWN = Buffer.alloc(32, 5)

/** The row of a transaction whose cell stands there. */
const encoded = (place: CellPlace, { cell }: { cell: Cell }): Buffer =>
  encodeTransaction({ account: 1, lt: 2n, now: 3, position: 4, hash: cell.hash(), ...place })

/** A chain of cells, `length` long. */
const chainOf = (seed: number, length: number): Cell => {
  let cell = beginCell().uint(seed, 32).endCell()
  for (let i = 1; i < length; i++) cell = beginCell().uint(seed, 32).uint(i, 32).bytes(cell.hash()).ref(cell).endCell()
  return cell
}

test('cells of any size come back, with gaps between them and in any number of additions', () => {
  const { environment, tables } = temporary.index
  const written = (mc_seqno: number, transactions: readonly { index: number; cell: Cell }[]): CellPlace[] => {
    const groups = packCells(transactions)
    writeCells(tables, mc_seqno, groups)
    return placesIn(groups, transactions)
  }
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 200, max: 400 })), {
    maxLength: 60,
  })
  const gaps = fc.infiniteStream(fc.constantFrom(1, 1, 1, 2, 5, 70_000))
  fc.assert(
    fc.property(sizes, gaps, fc.integer({ min: 1, max: 3 }), fc.nat(1_000_000), (lengths, gap, additions, seed) => {
      let index = -1
      const all = lengths.map((length, i) => {
        index += gap.next().value
        return { index, cell: chainOf(seed + i, length) }
      })
      const parts = Array.from({ length: additions }, (_, n) =>
        all.filter((_one, i) => (i * 7 + seed) % additions === n),
      )
      const places = environment.transaction(() => {
        removeCells(tables, 7)
        written(8, [{ index: 0, cell: chainOf(1, 2) }])
        return parts.map((part) => written(7, part).map((place, i) => encoded(place, part[i]!)))
      })
      environment.renew()
      for (const [n, part] of parts.entries()) {
        for (const [i, one] of part.entries()) {
          const row = decodeTransaction(places[n]![i]!)
          expect(readCell(tables, transactionKey(7, one.index), row)?.hash()).toEqual(one.cell.hash())
        }
      }
    }),
    { numRuns: 30 },
  )
  environment.transaction(() => removeCells(tables, 7))
  environment.renew()
  expect([...keysIn(tables.tx_cells, {}, 'asc')].length).toBe(1)
  expect(readCell(tables, transactionKey(7, 0), { place: 0, distance: 0, hash: UNKNOWN })).toBeUndefined()
})

test('a damaged group of cells is told as damaged', async () => {
  const { environment, tables } = temporary.index
  const key = transactionKey(9, 0)
  for (const packed of [Buffer.from('no bag'), Buffer.alloc(0), Bun.zstdCompressSync(Buffer.from([0, 0, 0]))]) {
    environment.transaction(() => tables.tx_cells.putSync(txKey(key), Buffer.from(packed)))
    expect(
      await rejectionOf(Promise.try(() => readCell(tables, key, { place: 0, distance: 0, hash: UNKNOWN }))),
    ).toMatchObject({
      kind: 'malformed',
    })
  }
})
