import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { version } from '../../package.json' with { type: 'json' }
import { inventory } from '../../packaging/inventory.ts'
import { mayBeIn } from '../../packaging/licences.ts'
import { neededPackages } from '../../packaging/lockfile.ts'

const ROOT = join(import.meta.dir, '../..')

type Entry = {
  'bom-ref': string
  name: string
  version: string
  scope: string
  purl: string
  hashes?: { content: string }[]
  licenses?: { license: { id: string } }[]
  components?: Entry[]
}
type Bill = {
  metadata: { component: { 'bom-ref': string; version: string } }
  components: Entry[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

let lock: string
let bill: Bill
let licences: string
beforeAll(async () => {
  lock = await Bun.file(join(ROOT, 'bun.lock')).text()
  bill = await Bun.file(join(ROOT, 'dist/tonlith.cdx.json')).json()
  licences = await Bun.file(join(ROOT, 'dist/tonlith.licences.txt')).text()
})

describe('the bill of materials of the build', () => {
  test('has every package that bun.lock says is needed, with its hash, and Bun', () => {
    const listed = bill.components.map(({ name, version, hashes }) => [name, version, hashes?.[0]?.content])
    const needed = neededPackages(lock).map(({ name, version, integrity }) => [
      name,
      version,
      Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'),
    ])
    expect(needed.length).toBeGreaterThan(50)
    expect(listed).toEqual([...needed, ['bun', Bun.version, undefined]])
  })

  test('says what is in the executable, with a licence that is allowed', () => {
    const inside = bill.components.filter(({ scope }) => scope === 'required')
    const names = inside.map(({ name }) => name)
    for (const name of ['elysia', 'lmdb', '@ton/sandbox', 'pino', 'swagger-ui-dist', 'bun'])
      expect(names).toContain(name)
    expect(names.some((name) => name.startsWith('@lmdb/lmdb-'))).toBe(true)
    for (const name of ['typescript', 'puppeteer-core', '@ton/ton']) expect(names).not.toContain(name)
    for (const { licenses } of inside) expect(mayBeIn(licenses?.[0]?.license.id)).toBe(true)
  })

  test('tells works with licences of their own, and who needs whom', () => {
    const works = bill.components.flatMap(({ components = [] }) => components.map(({ name }) => name))
    expect(works).toContain('LMDB')
    const refs = new Set([bill.metadata.component['bom-ref'], ...bill.components.map((one) => one['bom-ref'])])
    expect(refs.size).toBe(bill.components.length + 1)
    for (const { ref, dependsOn } of bill.dependencies)
      for (const one of [ref, ...dependsOn]) expect(refs).toContain(one)
    expect(bill.metadata.component.version).toBe(version)
  })

  test('goes with the texts of the licences', () => {
    for (const { name, version, scope } of bill.components) {
      expect(licences.includes(`\n${name} ${version}: `)).toBe(scope === 'required')
    }
    expect(licences).toContain('GNU LIBRARY GENERAL PUBLIC LICENSE')
  })
})

describe('inventory', () => {
  test('refuses what is in the executable without a licence that is allowed, or is not in bun.lock', () => {
    expect(() => inventory(lock, new Set(['lmdb']), [])).toThrow('lmdb (none)')
    expect(() => inventory(lock, new Set(['typescript']), [ROOT])).toThrow('not among the dependencies')
  })
})
