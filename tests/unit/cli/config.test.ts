import { expect, test } from 'bun:test'
import { parse } from 'smol-toml'
import { describeSettings } from '../../../src/cli/config.ts'
import { resolveSettings } from '../../../src/config/resolve.ts'

const { effective } = resolveSettings('serve', {
  flags: new Map([['log_level', 'warn']]),
  env: { TONLITH_API_KEY: 'hush_hush_hush' },
  file: { path: '/etc/tonlith.toml', values: { keyless_rps: 5 } },
  folder: '/',
})
const lines = describeSettings(effective)

test('tells each setting with its origin', () => {
  expect(lines).toContain('log_level = "warn"  # flag --log-level')
  expect(lines).toContain('keyless_rps = "5"  # file /etc/tonlith.toml')
  expect(lines).toContain('dialect = "spec"  # default')
  expect(lines).toContain('# global_config is not set')
  expect(lines).toContain('# api_key is set and secret  (env TONLITH_API_KEY)')
  expect(lines.join('\n')).not.toContain('hush')
})

test('is a file of settings that says the same', () => {
  const values = parse(lines.join('\n'))
  const again = resolveSettings('serve', { flags: new Map(), env: {}, file: { path: '/x.toml', values }, folder: '/' })
  expect(again.settings.log_level).toBe('warn')
  expect(again.settings.keyless_rps).toBe(5)
})
