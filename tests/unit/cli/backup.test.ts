import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup } from '../../../src/cli/backup.ts'
import { openKeyStore } from '../../../src/store/api-keys.ts'

const folder = mkdtempSync(join(tmpdir(), 'tonlith-backup-'))
afterAll(() => rmSync(folder, { recursive: true }))

const DATA = join(folder, 'data')
const SETTINGS = join(DATA, 'tonlith.toml')

const places: [string, () => void][] = [
  ['a directory', () => mkdirSync(SETTINGS)],
  ['a pipe', () => Bun.spawnSync(['mkfifo', SETTINGS])],
  ['a device', () => symlinkSync('/dev/zero', SETTINGS)],
  ['a link to nothing', () => symlinkSync('nowhere', SETTINGS)],
  ['ELOOP', () => symlinkSync('tonlith.toml', SETTINGS)],
]

test('a file that is none is told when the rest is copied', async () => {
  await (await openKeyStore(DATA)).close()
  writeFileSync(join(DATA, 'trusted-key-blocks.json'), '{}')
  for (const [why, place] of places) {
    rmSync(SETTINGS, { recursive: true, force: true })
    place()
    const to = join(folder, `copy beside ${why}`)
    const lines: string[] = []
    const made = backup(DATA, to, false, (line) => lines.push(line))
    await expect(made).rejects.toThrow(`copied without tonlith.toml (${why})`)
    expect(readdirSync(to).sort()).toEqual(['operator', 'trusted-key-blocks.json'])
    expect(lines.at(-1)).toBe(`copied to ${to}`)
  }
  rmSync(SETTINGS)
  writeFileSync(SETTINGS, 'not = "toml')
  await backup(DATA, join(folder, 'copy'), false, () => {})
  expect(readdirSync(join(folder, 'copy'))).toContain('tonlith.toml')
})
