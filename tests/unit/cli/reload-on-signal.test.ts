import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReload } from '../../../src/cli/reload-on-signal.ts'
import { TonlithError } from '../../../src/common/errors.ts'
import { createLogger } from '../../../src/common/logger.ts'
import { loadSettings } from '../../../src/config/load.ts'
import { type Resolved, resolveSettings } from '../../../src/config/resolve.ts'

const file = (values: Record<string, unknown>): Resolved =>
  resolveSettings('serve', { flags: new Map(), env: {}, file: { path: '/x/tonlith.toml', values }, folder: '/x' })

test('each signal is a line in the log', async () => {
  const current = file({ keyless_rps: 5 })
  const lines: Record<string, unknown>[] = []
  const logger = createLogger('info', 'json', (line) => lines.push(JSON.parse(line)))
  let next = (): Resolved => current
  let reloads = 0
  const reload = createReload(
    current,
    async () => next(),
    logger,
    () => {
      reloads++
    },
  )
  const told = async (): Promise<unknown> => {
    lines.length = 0
    await reload()
    return lines.map(({ time: _, ...rest }) => rest)
  }

  expect(await told()).toEqual([{ level: 'info', msg: 'settings were read again; nothing changed' }])
  next = () => file({ keyless_rps: 6, log: 'json' })
  expect(await told()).toEqual([
    { level: 'warn', settings: ['log'], msg: 'settings that changed count from the next start on' },
    { level: 'info', keyless_rps: '5 -> 6', msg: 'settings changed' },
  ])
  expect(current.settings.keyless_rps).toBe(6)
  next = () => {
    throw new TonlithError('invalid', 'keyless_rps must be a whole number')
  }
  expect(await told()).toEqual([
    { level: 'error', msg: 'the settings cannot be read again: keyless_rps must be a whole number; nothing changed' },
  ])
  expect(reloads).toBe(2)
  expect(current.settings.keyless_rps).toBe(6)
})

test('a file that cannot be used is told in one line, which quotes nothing of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonlith-reload-'))
  const path = join(folder, 'tonlith.toml')
  const load = () => loadSettings('serve', { flags: new Map(), env: { TONLITH_DATA: folder }, folder })
  let written = ''
  const logger = createLogger('info', 'pretty', (line) => {
    written += line
  })
  const reload = createReload(file({}), load, logger, () => {})
  const secret = 'hush-hush-hush'
  const before = `api_key = "${secret}"\n`
  const texts = [
    `${before}admin_token = "${secret}\n${before}`,
    `${before}${secret}`,
    `${before}admin_token = ${secret}`,
    Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0, 1]), Buffer.from(before)]),
  ]
  for (const text of [...texts, undefined]) {
    rmSync(path, { force: true })
    if (text === undefined) mkdirSync(path)
    else writeFileSync(path, text)
    written = ''
    await reload()
    expect(written).toMatch(
      /^\S+ ERROR the settings cannot be read again: [^\n]*tonlith\.toml[^\n]*; nothing changed\n$/,
    )
    expect(written).not.toContain(secret)
  }
  expect(written).toContain('(a directory)')
  rmSync(folder, { recursive: true })
})
