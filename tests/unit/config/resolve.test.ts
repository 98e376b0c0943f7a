import { describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import { resolveSettings, type Sources } from '../../../src/config/resolve.ts'
import { UsageError } from '../../../src/config/usage-error.ts'

const resolve = (
  verb: 'serve' | 'dev',
  sources: Partial<Omit<Sources, 'flags'>> & { flags?: Record<string, string> },
) =>
  resolveSettings(verb, {
    env: {},
    file: undefined,
    folder: '/here',
    ...sources,
    flags: new Map(Object.entries(sources.flags ?? {})),
  })

const inFile = (values: Record<string, unknown>) => ({ path: '/etc/tonlith/tonlith.toml', values })

describe('precedence', () => {
  const env = { TONLITH_KEYLESS_RPS: '2' }
  const file = inFile({ keyless_rps: 3 })
  test.each([
    ['flag', { flags: { keyless_rps: '1' }, env, file }, 1, 'flag --keyless-rps'],
    ['environment', { env, file }, 2, 'env TONLITH_KEYLESS_RPS'],
    ['file', { file }, 3, 'file /etc/tonlith/tonlith.toml'],
    ['default', {}, 1, 'default'],
    ['an empty text in the environment says nothing', { env: { TONLITH_KEYLESS_RPS: '' } }, 1, 'default'],
  ])('%s', (_, sources, value, origin) => {
    const { settings, effective } = resolve('serve', sources)
    expect(settings.keyless_rps).toBe(value)
    expect(effective.find(({ setting }) => setting.key === 'keyless_rps')?.origin).toBe(origin)
  })

  test('dev has no limit without a key by default', () => {
    expect(resolve('dev', {}).settings.keyless_rps).toBe(0)
  })
})

test('relative paths start from the working directory, in the file from its own folder', () => {
  expect(resolve('serve', { flags: { global_config: 'keys.json' } }).settings.global_config).toBe('/here/keys.json')
  expect(resolve('serve', { env: { TONLITH_GLOBAL_CONFIG: 'keys.json' } }).settings.global_config).toBe(
    '/here/keys.json',
  )
  expect(resolve('serve', { file: inFile({ global_config: 'keys.json' }) }).settings.global_config).toBe(
    '/etc/tonlith/keys.json',
  )
})

test('plans may be a table in the file, or one text everywhere', () => {
  const table = inFile({ plans: { free: { rps: 5n }, own: { rps: 50, global_config: 'own.json' } } })
  const plans = [
    { name: 'free', rps: 5 },
    { name: 'own', rps: 50, globalConfig: '/etc/tonlith/own.json' },
  ]
  const { settings, effective } = resolve('serve', { file: table })
  expect(settings.plans).toEqual(plans)
  const text = effective.find(({ setting }) => setting.key === 'plans')?.text
  expect(text).toBe('free=5,own=50@own.json')
  expect(resolve('serve', { file: inFile({ plans: text }) }).settings.plans).toEqual(plans)
  for (const wrong of [{ free: 5 }, { free: { rps: '5' } }, { free: { rps: 5, more: 1 } }, { 'Fr e': { rps: 5 } }, {}])
    expect(() => resolve('serve', { file: inFile({ plans: wrong }) })).toThrow(/^plans must be /)
})

test('settings that the verb does not read may stand in the file and the environment', () => {
  const { settings, effective } = resolve('serve', { file: inFile({ head: 3n }), env: { TONLITH_REPLAY: '500' } })
  expect([settings.head, settings.replay]).toEqual([undefined, undefined])
  expect(effective.map(({ setting }) => setting.key)).not.toContain('head')
})

describe('refuses', () => {
  const caught: [string, Parameters<typeof resolve>[1], string | RegExp][] = [
    [
      'a name in the environment',
      { env: { TONLITH_LISEN: 'x' } },
      'TONLITH_LISEN in the environment is no setting; did you mean TONLITH_LISTEN?',
    ],
    ['a name that is near to none', { env: { TONLITH_NOPE: '1' } }, /^TONLITH_NOPE in the environment is no setting$/],
    [
      'a key of the file',
      { file: inFile({ 'keyless-rps': 1 }) },
      'keyless-rps is no setting; did you mean keyless_rps?',
    ],
    ['a table in the file', { file: inFile({ log: { level: 'info' } }) }, 'log must be a single value'],
    ['data in the file', { file: inFile({ data: 'x' }) }, 'data cannot be set in the file'],
    [
      'a bad value in the environment',
      { env: { TONLITH_TRUST: 'blind' } },
      'trust must be one of full, proofs, none, not "blind" (env TONLITH_TRUST)',
    ],
    ['a bad value in the file', { file: inFile({ listen: 80 }) }, 'listen must be HOST:PORT'],
  ]
  test.each(caught)('%s', (_, sources, message) => {
    expect(() => resolve('serve', sources)).toThrow(TonlithError)
    expect(() => resolve('serve', sources)).toThrow(message)
  })

  test('a bad value in a flag as a mistake of use', () => {
    expect(() => resolve('serve', { flags: { trust: 'blind' } })).toThrow(UsageError)
  })

  test('a bad secret without telling it', () => {
    const broken = () => resolve('serve', { env: { TONLITH_API_KEY: 'hush hush hush' } })
    expect(broken).toThrow(TonlithError)
    expect(broken).not.toThrow('hush')
  })
})

test('names that the tests and tools of the project read are left alone', () => {
  expect(() => resolve('serve', { env: { TONLITH_CHAIN_DATA: 'x', OTHER: 'y' } })).not.toThrow()
})
