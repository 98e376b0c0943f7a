import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { closeSync, openSync, readSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../src/common/seeded-random.ts'
import type { Endpoint } from '../../src/liteserver/connection.ts'
import { startArchive } from '../support/archive-client.ts'
import { copyExecutable, type Lonely, runExecutable } from '../support/executable.ts'
import { startServed } from '../support/served-gateway.ts'
import { copyData, countsOf, makeWholeIndex } from '../support/whole-index.ts'

/**
 * The file of an index is damaged in random places: the compiled program says so in one line, and goes on serving what
 * it reads live. INDEX_DAMAGE_SEEDS=FIRST-LAST runs other seeds.
 */

const HEAD = 60
const PAGE = 4096
const [first = 1, last = 16] = (process.env.INDEX_DAMAGE_SEEDS ?? '1-16').split('-').map(Number)
const seeds = Array.from({ length: last - first + 1 }, (_, i) => first + i)

let alone: Lonely
let whole: string
let servers: Endpoint[]
let stop: () => Promise<void>
beforeAll(async () => {
  alone = await copyExecutable()
  await makeWholeIndex(alone, 'whole', HEAD)
  whole = await countsOf(alone, 'whole')
  const archive = await startArchive({ head: HEAD })
  servers = [{ ...archive.address, key: archive.publicKey }]
  stop = archive.stop
})
afterAll(async () => {
  await stop()
  alone.remove()
})

const KINDS = ['zeros', 'noise', 'some bytes', 'another page', 'cut short', 'a meta page'] as const

/** Damages the index in a data folder. Gives how. */
const damage = (data: string, seed: number): (typeof KINDS)[number] => {
  const random = seededRandom(seed)
  const below = (bound: number): number => Math.floor(random() * bound)
  const path = join(alone.folder, data, 'index', 'data.mdb')
  const kind = KINDS[seed % KINDS.length]!
  const pages = statSync(path).size / PAGE
  if (kind === 'cut short') truncateSync(path, below(pages * PAGE))
  const file = openSync(path, 'r+')
  const read = (page: number): Buffer => {
    const bytes = Buffer.alloc(PAGE)
    readSync(file, bytes, 0, PAGE, page * PAGE)
    return bytes
  }
  const noise = (bytes: Buffer, count: number, from = 0): Buffer => {
    for (let i = 0; i < count; i++) bytes[from + below(PAGE - from)] = below(256)
    return bytes
  }
  const count = kind === 'cut short' ? 0 : kind === 'a meta page' ? 1 : 1 + below(40)
  for (let i = 0; i < count; i++) {
    const page = kind === 'a meta page' ? below(2) : 2 + below(pages - 2)
    const bytes = {
      zeros: () => Buffer.alloc(PAGE),
      noise: () => noise(Buffer.alloc(PAGE), 4 * PAGE),
      'some bytes': () => noise(read(page), 20),
      'another page': () => read(2 + below(pages - 2)),
      'a meta page': () => {
        const meta = read(page)
        for (let n = 0; n < 10; n++) meta[24 + below(136)] = below(256)
        return meta
      },
      'cut short': () => Buffer.alloc(0),
    }[kind]()
    writeSync(file, bytes, 0, bytes.length, page * PAGE)
  }
  closeSync(file)
  return kind
}

const LISTS = ['transactions', 'messages', 'blocks', 'traces', 'topAccountsByBalance']

describe('a damaged index', () => {
  for (const seed of seeds) {
    test(`seed ${seed}: ${KINDS[seed % KINDS.length]}`, async () => {
      const data = `damaged-${seed}`
      copyData(alone, 'whole', data)
      damage(data, seed)
      for (const action of [['info'], ['export', `${data}.rows`], ['compact']]) {
        const { code, stdout, stderr } = await runExecutable(alone, ['index', ...action, '--data', data])
        if (code === 0) continue
        expect([code, stderr]).toEqual([1, expect.stringMatching(/^tonlith: [^\n]+\n$/)])
        if (action[0] === 'info')
          expect(stdout + stderr).toMatch(/ is damaged: .*; restore a backup, or remove .*: rm -r \S+\n$/)
      }
      rmSync(join(alone.folder, data), { recursive: true, force: true })
    })
  }

  test('keeps nobody from live reads', async () => {
    for (const seed of [0, 1, 3, 4].map((kind) => kind + 6 * 100)) {
      const data = `served-${seed}`
      copyData(alone, 'whole', data)
      damage(data, seed)
      const gateway = await startServed(alone, data, servers, '--trust', 'proofs', '--v3-keyless-rps', '0')
      const get = (path: string): Promise<Response> => fetch(`${gateway.url}${path}`)
      const ready = async () => (await (await get('/ready')).json()) as { ready: boolean; reason?: string }
      for (let tries = 0; !(await ready()).reason?.includes('damaged') && tries < 200; tries++) await Bun.sleep(50)
      const { reason } = await ready()
      expect(reason).toMatch(/is damaged: .*; restore a backup, or remove the folder to index anew: rm -r /)
      expect(reason).not.toContain(alone.folder)
      for (const list of LISTS) {
        const response = await get(`/api/v3/${list}?limit=1000`)
        expect([list, response.status]).toEqual([list, 503])
        expect(((await response.json()) as { error: string }).error).toMatch(/index/)
      }
      expect((await get('/api/v2/getMasterchainInfo')).status).toBe(200)
      expect(await gateway.end()).toBe(0)
    }
  })

  test('is whole again when a backup is put in its place', async () => {
    copyData(alone, 'whole', 'restored')
    damage('restored', 0)
    expect(await countsOf(alone, 'restored')).toContain('is damaged')
    rmSync(join(alone.folder, 'restored', 'index'), { recursive: true })
    copyData(alone, 'whole/index', 'restored/index')
    expect(await countsOf(alone, 'restored')).toBe(whole)
  })
})
