import { expect, test } from 'bun:test'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSharedTable, seedSharedTable, sharedTableBytes } from '../../../src/common/shared-table.ts'
import { emptyTable } from '../../support/shared-memory.ts'

const numberOf = (table: ReturnType<typeof emptyTable>, name: string): bigint => {
  let found = -1n
  table.update(name, (before) => {
    found = before
    return before
  })
  return found
}

test('each name has a number of its own, 0 at first', () => {
  const table = emptyTable()
  for (let i = 0n; i < 40n; i++)
    table.update(`name ${i}`, (before) => {
      expect(before).toBe(0n)
      return i + 1n
    })
  for (let i = 0n; i < 40n; i++) expect(numberOf(table, `name ${i}`)).toBe(i + 1n)
  expect(numberOf(table, '')).toBe(0n)
})

test('where no place is left the least number gives way', () => {
  const table = emptyTable(1)
  for (let i = 1n; i <= 8n; i++) table.update(`name ${i}`, () => 10n + i)
  table.update('name 1', () => 100n)
  table.update('one more', (before) => before + 50n)
  const left = Array.from({ length: 8 }, (_, i) => numberOf(table, `name ${i + 1}`))
  expect(numberOf(table, 'one more')).toBe(50n)
  expect(left[0]).toBe(100n)
  expect(left.filter((number) => number === 0n).length).toBeGreaterThan(0)
})

const ROUNDS = 20_000
const PROCESSES = 3

/** Adds in memory that it shares with others, when it is told to. */
const ADDER = `
  import { openSharedTable } from ${JSON.stringify(new URL('../../../src/common/shared-table.ts', import.meta.url).pathname)}
  const { buffer, byteOffset } = Bun.mmap('/proc/self/fd/3', { shared: true })
  const table = openSharedTable(new BigInt64Array(buffer, byteOffset))
  for (let i = 0; i < ${ROUNDS}; i++) table.update(i % 2 ? 'odd' : 'even', (before) => before + 1n)
`

test.if(process.platform === 'linux')('processes that change one number at once lose no change', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonlith-table-'))
  const fd = openSync(join(folder, 'table'), 'wx+')
  try {
    writeSync(fd, Buffer.alloc(sharedTableBytes(16)))
    const { buffer, byteOffset } = Bun.mmap(join(folder, 'table'), { shared: true })
    const memory = new BigInt64Array(buffer, byteOffset)
    seedSharedTable(memory, 99n)
    const table = openSharedTable(memory)
    for (const name of ['odd', 'even']) table.update(name, () => 1n)
    const adders = Array.from({ length: PROCESSES }, () =>
      Bun.spawn([process.execPath, '-e', ADDER], { stdio: ['ignore', 'ignore', 'inherit', fd] }),
    )
    expect(await Promise.all(adders.map(({ exited }) => exited))).toEqual(adders.map(() => 0))
    const expected = 1n + BigInt((PROCESSES * ROUNDS) / 2)
    expect([numberOf(table, 'odd'), numberOf(table, 'even')]).toEqual([expected, expected])
  } finally {
    closeSync(fd)
    rmSync(folder, { recursive: true })
  }
})
