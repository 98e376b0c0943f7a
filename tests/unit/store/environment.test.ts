import { afterEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isTonlithError } from '../../../src/common/errors.ts'
import { type Environment, type EnvironmentOptions, openEnvironment } from '../../../src/store/environment.ts'

const folders: string[] = []
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tonlith-environment-'))
  folders.push(folder)
  return join(folder, 'store.d')
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const REMEDIES = {
  otherNetwork: 'use another --data',
  older: 'run tonlith x upgrade',
  newer: 'use a newer tonlith',
  damaged: 'restore it',
}
const KEY = Buffer.from('key')

type Options = Partial<EnvironmentOptions<'rows' | 'more'>>

const open = (path: string, options: Options = {}): Promise<Environment<'rows' | 'more'>> =>
  openEnvironment({
    path,
    stamp: { store: 'test', version: 2, network: 'mainnet' },
    remedies: REMEDIES,
    tables: ['rows', 'more'],
    ...options,
  })

const messageOf = async (opening: Promise<unknown>): Promise<string> => {
  try {
    await opening
  } catch (error) {
    if (!isTonlithError(error)) throw error
    expect(error.message).not.toContain('\n')
    return `${error.kind}: ${error.message}`
  }
  throw new Error('opened')
}

test('keeps rows over a restart, in the order of their bytes', async () => {
  const path = newFolder()
  const first = await open(path)
  first.transaction(() => {
    for (const byte of [255, 0, 128]) first.tables.rows.putSync(Buffer.from([byte]), Buffer.from([byte]))
  })
  await first.flushed()
  await first.close()
  const second = await open(path)
  const found = [...second.tables.rows.getRange()].map(({ key, value }) => [key[0], value[0]])
  expect(found).toEqual([
    [0, 0],
    [128, 128],
    [255, 255],
  ])
  expect(second.tables.more.getCount()).toBe(0)
  await second.close()
})

test('undoes a transaction that throws', async () => {
  const environment = await open(newFolder())
  const { rows } = environment.tables
  const fail = (): void => {
    environment.transaction(() => {
      rows.putSync(KEY, Buffer.from('written'))
      throw new Error('thought better of it')
    })
  }
  expect(fail).toThrow('thought better of it')
  expect(rows.get(KEY)).toBeUndefined()
  await environment.close()
})

test('shows what another process writes', async () => {
  const path = newFolder()
  const environment = await open(path)
  const source = `
    const { openEnvironment } = await import(${JSON.stringify(join(import.meta.dir, '../../../src/store/environment.ts'))})
    const environment = await openEnvironment({ path: ${JSON.stringify(path)}, tables: ['rows', 'more'],
      stamp: { store: 'test', version: 2, network: 'mainnet' }, remedies: {} })
    environment.transaction(() => environment.tables.rows.putSync(Buffer.from('key'), Buffer.from('from there')))
    await environment.close()`
  expect(environment.tables.rows.get(KEY)).toBeUndefined()
  const other = Bun.spawn([process.execPath, '-e', source], { stderr: 'inherit' })
  expect(await other.exited).toBe(0)
  environment.renew()
  expect(environment.tables.rows.get(KEY)?.toString()).toBe('from there')
  await environment.close()
})

test('refuses another network, format or store, and says what to type', async () => {
  const path = newFolder()
  await (await open(path)).close()
  const stamped = (stamp: Partial<EnvironmentOptions<never>['stamp']>) =>
    messageOf(open(path, { stamp: { store: 'test', version: 2, network: 'mainnet', ...stamp } }))
  expect(await stamped({ network: 'testnet' })).toBe(
    `invalid: ${path} is of the network mainnet, not testnet; use another --data`,
  )
  expect(await stamped({ version: 3 })).toBe(
    `invalid: ${path} has an older format (version 2, this program's is 3); run tonlith x upgrade`,
  )
  expect(await stamped({ version: 1 })).toBe(
    `unsupported: ${path} has a newer format (version 2, this program's is 1); use a newer tonlith`,
  )
  expect(await stamped({ store: 'other' })).toBe(`invalid: ${path} holds the test store, not the other store`)
  await (await open(path)).close()
})

test('makes nothing when it only reads', async () => {
  const path = newFolder()
  expect(await messageOf(open(path, { readOnly: true }))).toBe(`invalid: there is no test store in ${path} yet`)
  expect(existsSync(path)).toBeFalse()
  const writer = await open(path)
  writer.transaction(() => writer.tables.rows.putSync(KEY, Buffer.from('x')))
  await writer.close()
  const reader = await open(path, { readOnly: true })
  expect(reader.tables.rows.get(KEY)?.toString()).toBe('x')
  expect(() => reader.transaction(() => reader.tables.rows.putSync(KEY, Buffer.from('y')))).toThrow()
  await reader.close()
})

test('refuses a file that is not whole, or of something else', async () => {
  const path = newFolder()
  const environment = await open(path)
  environment.transaction(() => environment.tables.rows.putSync(KEY, Buffer.alloc(100_000)))
  await environment.close()
  const file = join(path, 'data.mdb')
  const size = readFileSync(file).length
  truncateSync(file, 20_000)
  expect(await messageOf(open(path))).toStartWith(`malformed: ${file} is damaged: it has 20000 of `)
  writeFileSync(file, 'x'.repeat(size))
  expect(await messageOf(open(path))).toBe(`malformed: ${file} is damaged: it is no file of LMDB; restore it`)
})

test('tells in one line that the folder cannot be made', async () => {
  const path = newFolder()
  writeFileSync(path, '')
  expect(await messageOf(open(join(path, 'inside')))).toBe(`invalid: there is no such folder: ${join(path, 'inside')}`)
})

/** A store of more pages than one step of the look at them takes. */
const largeStore = async (): Promise<string> => {
  const path = newFolder()
  const environment = await open(path)
  environment.transaction(() => {
    for (let i = 0; i < 3_000; i++) environment.tables.rows.putSync(Buffer.from(`key ${i}`), Buffer.alloc(1_500, i))
  })
  await environment.close()
  return path
}

/** Opens while the turns of the loop are counted. */
const countedTurns = async (opening: Promise<unknown>): Promise<number> => {
  let turns = 0
  let isOpening = true
  const count = (): void => {
    turns++
    if (isOpening) setImmediate(count)
  }
  setImmediate(count)
  await opening.catch(() => {})
  isOpening = false
  return turns
}

test('others have their turn while the pages are looked at', async () => {
  const path = await largeStore()
  const opening = open(path, { readOnly: true })
  expect(await countedTurns(opening)).toBeGreaterThan(1)
  const environment = await opening
  expect(environment.tables.rows.getCount()).toBe(3_000)
  await environment.close()
})

test('the opening can be given up while the pages are looked at', async () => {
  const path = await largeStore()
  const controller = new AbortController()
  const opening = open(path, { readOnly: true, signal: controller.signal })
  controller.abort()
  expect(await messageOf(opening)).toBe(`unavailable: the opening of ${path} was given up`)
  const environment = await open(path)
  expect(environment.tables.rows.getCount()).toBe(3_000)
  await environment.close()
})

test('a page that is none is found in whichever step comes to it', async () => {
  const path = await largeStore()
  const file = join(path, 'data.mdb')
  const bytes = readFileSync(file)
  for (const page of [600, 900, 1_200]) {
    const damaged = Buffer.from(bytes)
    damaged.fill(0xff, page * 4096, page * 4096 + 4096)
    writeFileSync(file, damaged)
    expect(await messageOf(open(path, { readOnly: true }))).toStartWith(
      `malformed: ${file} is damaged: page ${page} of `,
    )
  }
})
