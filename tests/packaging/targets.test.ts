import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { packageManager } from '../../package.json' with { type: 'json' }
import { neededPackages } from '../../packaging/lockfile.ts'
import { packageOf, TARGETS } from '../../packaging/targets.ts'

const lockOf = (folder: string) => Bun.file(join(import.meta.dir, '../..', folder, 'bun.lock')).text()

describe('the parts of a release', () => {
  test('are those of its platforms, each pinned', async () => {
    const pinned = neededPackages(await lockOf('packaging/parts')).map(({ key }) => key)
    const wanted = new Set(TARGETS.flatMap(({ runtime, addon }) => [packageOf(runtime), packageOf(addon)]))
    expect(pinned).toEqual([...wanted].sort())
  })

  test('are the Bun that builds, and the LMDB that the program needs', async () => {
    const program = new Map(neededPackages(await lockOf('.')).map((one) => [one.key, one.integrity]))
    for (const { key, version, integrity } of neededPackages(await lockOf('packaging/parts'))) {
      if (key.startsWith('@oven/')) expect(`bun@${version}`).toBe(packageManager)
      else expect(integrity).toBe(program.get(key)!)
    }
  })
})
