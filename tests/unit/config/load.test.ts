import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadAsRead, loadSettings } from '../../../src/config/load.ts'
import { UsageError } from '../../../src/config/usage-error.ts'

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

  test('is never quoted by what is wrong with it', async () => {
    const config = file('secret.toml', 'api_key = "hush-hush\nadmin_token = "hush-hush"\n')
    const error: unknown = await load({ config }).catch((thrown: unknown) => thrown)
    expect(Bun.inspect(error).replace(/^.*\|.*$/gm, '')).not.toContain('hush-hush')
    expect((error as Error).cause).toBeUndefined()
  })

  test('is read where it is a regular file only', async () => {
    mkdirSync(join(folder, 'a-directory'))
    symlinkSync('nowhere', join(folder, 'dangling'))
    Bun.spawnSync(['mkfifo', join(folder, 'a-pipe')])
    const links: [string, string][] = [
      ['a-directory', 'a directory'],
      ['a-pipe', 'a pipe'],
      ['dangling', 'a link to nothing'],
      ['/dev/zero', 'a device'],
    ]
    for (const [target, why] of links) {
      const data = join(folder, `data of ${why}`)
      mkdirSync(data)
      symlinkSync(resolve(folder, target), join(data, 'tonlith.toml'))
      await expect(load({ data })).rejects.toThrow(`cannot be read: ${join(data, 'tonlith.toml')} (${why})`)
      await expect(load({ config: target })).rejects.toThrow(`(${why})`)
      const sources = { flags: new Map([['data', data]]), env: {}, folder }
      expect((await loadAsRead('serve', sources)).faults[0]).toContain(`(${why})`)
    }
  })
})

describe('verbs that need few settings', () => {
  const asRead = (text: string, env: Record<string, string> = {}, flags: Record<string, string> = {}) =>
    loadAsRead('serve', {
      flags: new Map(Object.entries({ data: 'kept', config: file('as-read.toml', text), ...flags })),
      env,
      folder,
    })

  test('are told what is wrong with the others, and stopped by those that they read', async () => {
    const { settings, faults } = await asRead(
      'admin_token = "short"\nlisten = 80\nkeyless_rps = 7\nplans = { free = 1 }\n',
    )
    expect([settings.data, settings.keyless_rps, settings.network]).toEqual([join(folder, 'kept'), 7, 'mainnet'])
    expect(faults).toHaveLength(3)
    expect(faults.join()).toMatch(/listen must be .*admin_token must be .*plans must be /)
    expect(faults.join()).not.toContain('short')
    expect(() => settings.plans).toThrow('plans must be')
    expect(() => settings.admin_token).toThrow('admin_token must be')
  })

  test.each(['plan = 1\n', 'log =\n', 'data = "x"\n'])(
    'are stopped by a file of %p where it might say what they read',
    async (text) => {
      const { settings, faults } = await asRead(text, { TONLITH_NETWORK: 'testnet' }, { trust: 'none' })
      expect(faults).toHaveLength(1)
      expect([settings.data, settings.network, settings.trust]).toEqual([join(folder, 'kept'), 'testnet', 'none'])
      expect(() => settings.plans).toThrow(faults[0]!)
    },
  )

  test('are stopped by what names no setting beside it, and by a wrong flag', async () => {
    await expect(asRead('', { TONLITH_DATTA: 'x' })).rejects.toThrow('did you mean TONLITH_DATA?')
    await expect(asRead('', {}, { trust: 'blind' })).rejects.toThrow(UsageError)
  })
})
