import { expect, test } from 'bun:test'
import { createCodeBook } from '../../../src/indexer/code-book.ts'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'

/** A bag that has much beside a code, as blocks have. */
const block = (code: Cell): Cell => {
  let rest = beginCell().endCell()
  for (let i = 0; i < 300; i++) rest = beginCell().bytes(Buffer.alloc(100, i)).ref(rest).endCell()
  return parseBocRoot(cellToBoc(beginCell().ref(code).ref(rest).endCell()))
}

test('a code that is kept keeps nothing of the block that it came with', async () => {
  const book = createCodeBook(async () => [])
  const code = beginCell().uint(0xff00, 16).ref(beginCell().uint(7, 8).endCell()).endCell()
  const whole = block(code).ref(0)
  expect(whole.bytes.length).toBeGreaterThan(30_000)
  const known = (await book.of(code.hash(), () => whole))!
  expect(known.cell.hash()).toEqual(code.hash())
  expect(known.cell.bytes.length).toBeLessThan(100)
  expect(await book.of(code.hash(), () => undefined)).toBe(known)
})
