import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataFile } from '../../../src/store/disk.ts'
import { type Environment, openEnvironment } from '../../../src/store/environment.ts'
import { u32Key } from '../../../src/store/keys.ts'

/** No setting says how large LMDB's map is: it grows with what is written, so that only the disk can be full. */

const SMALL = 1 << 20
const ROW = Buffer.alloc(64 << 10, 0x5a)
const ROWS = 512

const folder = mkdtempSync(join(tmpdir(), 'tonlith-map-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const open = (path: string): Promise<Environment<'rows'>> =>
  openEnvironment({
    path,
    stamp: { store: 'test', version: 2, network: 'mainnet' },
    remedies: { otherNetwork: '', older: '', newer: '', damaged: '' },
    tables: ['rows'],
    mapSize: SMALL,
  })

const write = ({ transaction, tables }: Environment<'rows'>, from: number, to: number): void =>
  transaction(() => {
    for (let n = from; n < to; n++) tables.rows.putSync(u32Key(n), ROW)
  })

test('one transaction may be many times as large as the map that it begins in', async () => {
  const store = await open(join(folder, 'one'))
  write(store, 0, ROWS)
  expect(store.tables.rows.getCount()).toBe(ROWS)
  expect(Buffer.from(store.tables.rows.get(u32Key(ROWS - 1))!)).toEqual(ROW)
  await store.close()
  expect(statSync(dataFile(join(folder, 'one'))).size).toBeGreaterThan(ROWS * ROW.length)
})

test('another process that has it open sees what was written beyond its own map', async () => {
  const path = join(folder, 'two')
  const store = await open(path)
  write(store, 0, 1)
  const reader = Bun.spawn(
    [process.execPath, join(import.meta.dir, '../../support/store-reader.ts'), path, String(SMALL)],
    { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' },
  )
  const lines = reader.stdout.pipeThrough(new TextDecoderStream()).getReader()
  const next = async (): Promise<string> => (await lines.read()).value?.trim() ?? 'it ended'
  const seen = (): Promise<string> => {
    reader.stdin.write('look\n')
    reader.stdin.flush()
    return next()
  }
  expect(await next()).toBe('open')
  expect(await seen()).toBe(`1 ${ROW.length}`)
  for (const count of [8, 64, ROWS]) {
    write(store, 0, count)
    expect(await seen()).toBe(`${count} ${count * ROW.length}`)
  }
  reader.kill()
  await store.close()
})
