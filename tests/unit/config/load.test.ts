import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSettings } from '../../../src/config/load.ts'

const folder = mkdtempSync(join(tmpdir(), 'tonlith-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const load = (flags: Record<string, string>) =>
  loadSettings('serve', { flags: new Map(Object.entries(flags)), env: {}, folder })

describe('the file of settings', () => {
  test('need not be there', async () => {
    const { settings } = await load({ data: 'nowhere' })
    expect(settings.listen).toEqual({ host: '127.0.0.1', port: 8081 })
    expect(settings.data).toBe(join(folder, 'nowhere'))
  })

  test('is found in the data folder', async () => {
    file('tonlith.toml', 'log_level = "warn"\nkeyless_rps = 7\n')
    const { settings } = await load({ data: '.' })
    expect([settings.log_level, settings.keyless_rps]).toEqual(['warn', 7])
  })

  test('is the one that is named', async () => {
    const { settings } = await load({ data: '.', config: file('other.toml', 'log_level = "error"') })
    expect([settings.log_level, settings.keyless_rps]).toEqual(['error', 1])
  })

  test('must be there when it is named', async () => {
    await expect(load({ config: 'missing.toml' })).rejects.toThrow(/cannot be read: .*missing\.toml \(ENOENT\)/)
  })

  test('may say settings of one part in a table', async () => {
    const text = 'webhooks_allow_hosts = "a.internal"\n[webhooks]\nretry_delays = "1m,1h"\n[plans.free]\nrps = 5\n'
    const { settings } = await load({ config: file('tables.toml', text) })
    expect(settings.webhooks_retry_delays).toEqual([60_000, 3_600_000])
    expect(settings.webhooks_allow_hosts).toEqual(['a.internal'])
    const twice = file('twice.toml', 'webhooks_log_retain = "1d"\n[webhooks]\nlog_retain = "2d"\n')
    await expect(load({ config: twice })).rejects.toThrow('webhooks_log_retain is set twice')
    const unknown = file('unknown.toml', '[webhooks]\nretry_delay = "1s"\n[shop]\na = 1\n')
    await expect(load({ config: unknown })).rejects.toThrow('did you mean webhooks_retry_delays?')
  })

  test('must be TOML: the line of the mistake is told', async () => {
    await expect(load({ config: file('broken.toml', 'log = "json"\nlisten =\n') })).rejects.toThrow(
      /broken\.toml, line 2/,
    )
  })
})
