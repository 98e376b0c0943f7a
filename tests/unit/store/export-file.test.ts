import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEnvironment } from '../../../src/store/environment.ts'
import { type ExportedRow, exportStore, readExport } from '../../../src/store/export-file.ts'
import { openRawStore } from '../../../src/store/raw-store.ts'

const STAMP = { store: 'other', version: 77, network: 'some network' }
const ROWS = 9_000

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonlith-export-'))
  const environment = await openEnvironment({
    path: join(folder, 'store'),
    stamp: STAMP,
    remedies: { otherNetwork: '', older: '', newer: '', damaged: '' },
    tables: ['one', 'two'],
  })
  environment.transaction(() => {
    for (let i = 0; i < ROWS; i++) {
      const key = Buffer.alloc(4)
      key.writeUInt32BE(i)
      environment.tables.one.putSync(key, Buffer.alloc(i % 400, i))
    }
    environment.tables.two.putSync(Buffer.from('key'), Buffer.alloc(0))
  })
  await environment.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const inFolder = (name: string): string => join(folder, name)

const exported = async (name: string): Promise<number> => {
  const raw = await openRawStore(inFolder('store'), 'restore it')
  try {
    return exportStore(raw, inFolder(name))
  } finally {
    await raw.close()
  }
}

const readAll = async (path: string) => {
  const rows: ExportedRow[] = []
  let stamp: unknown
  const count = await readExport(path, async (found) => {
    stamp = found
    return (some) => void rows.push(...some)
  })
  return { rows, stamp, count }
}

describe('a store as a file', () => {
  test('has every row of every table, whatever version and network it is of', async () => {
    expect(await exported('whole')).toBe(ROWS + 1)
    const { rows, stamp, count } = await readAll(inFolder('whole'))
    expect(stamp).toEqual(STAMP)
    expect([count, rows.length]).toEqual([ROWS + 1, ROWS + 1])
    expect(rows.filter(({ table }) => table === 'two')).toEqual([
      { table: 'two', key: Buffer.from('key'), value: Buffer.alloc(0) },
    ])
    for (const [i, { key, value }] of rows.filter(({ table }) => table === 'one').entries())
      if (key.readUInt32BE() !== i || !value.equals(Buffer.alloc(i % 400, i))) throw new Error(`row ${i} differs`)
  })

  test('is written to a new file only', async () => {
    writeFileSync(inFolder('taken'), 'x')
    expect(exported('taken')).rejects.toThrow('is there already')
    expect(readFileSync(inFolder('taken'), 'utf8')).toBe('x')
  })

  test('is refused when it is cut short, changed or none', async () => {
    await exported('good')
    const bytes = readFileSync(inFolder('good'))
    const changed = Buffer.from(bytes)
    changed[bytes.length - 40]! ^= 1
    const bad = {
      cut: bytes.subarray(0, -1),
      half: bytes.subarray(0, bytes.length >> 1),
      changed,
      none: Buffer.from('hello'),
    }
    for (const [name, content] of Object.entries(bad)) {
      writeFileSync(inFolder(name), content)
      expect(readAll(inFolder(name))).rejects.toThrow('is no whole export of an index')
    }
    expect(readAll(inFolder('nowhere'))).rejects.toThrow('there is no file')
  })

  test('a folder without a store says so', () => {
    expect(openRawStore(inFolder('nothing'), 'restore it')).rejects.toThrow('there is no store in')
  })
})
