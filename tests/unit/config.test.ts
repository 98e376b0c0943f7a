import { describe, expect, test } from 'bun:test'
import { defaultOf, envOf, flagOf, SETTINGS, type Setting, settingsOf } from '../../src/config.ts'
import { settingsTable } from '../support/settings-table.ts'

const settings: readonly Setting[] = SETTINGS

describe('the table of settings', () => {
  test('has each key once, in snake case', () => {
    const keys = settings.map((setting) => setting.key)
    expect(new Set(keys).size).toBe(keys.length)
    for (const key of keys) expect(key).toMatch(/^[a-z][a-z0-9]*(_[a-z]+)*$/)
  })

  test('has defaults that are values', () => {
    for (const setting of settings) {
      for (const verb of setting.verbs) {
        const text = defaultOf(setting, verb)
        if (text !== undefined) expect(() => setting.kind.parse(text, '/')).not.toThrow()
      }
    }
  })

  test('has one line of help for each', () => {
    for (const { help } of settings) expect(help).toMatch(/^[^\n]{10,110}[^.\n]$/)
  })

  test('gives no flag and no default to a secret', () => {
    const secrets = settings.filter((setting) => setting.secret)
    expect(secrets.length).toBeGreaterThan(0)
    for (const secret of secrets) expect([flagOf(secret), secret.default]).toEqual([undefined, undefined])
  })

  test('names flags and environment after the key', () => {
    const setting = settings.find(({ key }) => key === 'global_config')!
    expect([flagOf(setting), envOf(setting)]).toEqual(['--global-config', 'TONLITH_GLOBAL_CONFIG'])
  })

  test('keeps the settings of dev from serve', () => {
    expect(settingsOf('serve').map(({ key }) => key)).not.toContain('replay')
    expect(settingsOf('dev').map(({ key }) => key)).toContain('replay')
  })
})

test('the README shows the table as it is', async () => {
  const readme = await Bun.file(`${import.meta.dir}/../../README.md`).text()
  expect(readme).toContain(settingsTable(settings))
})
