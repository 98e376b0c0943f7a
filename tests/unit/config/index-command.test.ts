import { describe, expect, test } from 'bun:test'
import { parseIndexCommand } from '../../../src/config/index-command.ts'
import { UsageError } from '../../../src/config/usage-error.ts'

const NO_FLAGS = new Map()

describe('tonlith index', () => {
  test('its actions', () => {
    expect(parseIndexCommand(['info'])).toEqual({ action: { action: 'info' }, flags: NO_FLAGS })
    expect(parseIndexCommand(['compact']).action).toEqual({ action: 'compact' })
    expect(parseIndexCommand(['export', 'a.bin']).action).toEqual({ action: 'export', path: 'a.bin' })
    expect(parseIndexCommand(['import', 'a.bin']).action).toEqual({ action: 'import', path: 'a.bin' })
    expect(parseIndexCommand(['backup', '/b']).action).toEqual({ action: 'backup', path: '/b' })
    expect(parseIndexCommand(['verify', '--from', '5', '--to=9', '--archive', 'embedded']).action).toEqual({
      action: 'verify',
      from: 5,
      to: 9,
      archive: 'embedded',
    })
  })

  test('a comparison with the network', () => {
    const of = (...args: string[]) => parseIndexCommand(['verify', ...args]).action
    expect(of('--live', '20')).toEqual({ action: 'audit', sample: 20, seed: undefined, archive: undefined })
    expect(of('--live=3', '--seed', '0', '--archive', 'embedded')).toEqual({
      action: 'audit',
      sample: 3,
      seed: 0,
      archive: 'embedded',
    })
    expect(of('--live', 'all')).toMatchObject({ action: 'audit', sample: 'all' })
  })

  test('chosen accounts', () => {
    const of = (...args: string[]) => parseIndexCommand(['accounts', ...args]).action
    expect(of('list')).toEqual({ action: 'accounts', of: { action: 'list' } })
    expect(of('add', 'EQ', '0:1', '-1:1')).toEqual({
      action: 'accounts',
      of: { action: 'add', addresses: ['EQ', '0:1', '-1:1'], file: undefined },
    })
    expect(of('remove', '-11:1', '-1:1', '--file=more', 'EQ')).toEqual({
      action: 'accounts',
      of: { action: 'remove', addresses: ['-11:1', '-1:1', 'EQ'], file: 'more' },
    })
    expect([...parseIndexCommand(['accounts', 'list', '--data', 'd']).flags]).toEqual([['data', 'd']])
  })

  test('flags of settings stand beside', () => {
    const { flags } = parseIndexCommand(['info', '--data', 'd', '--global-config', 'g.json', '--network', 'testnet'])
    expect([...flags]).toEqual([
      ['data', 'd'],
      ['global_config', 'g.json'],
      ['network', 'testnet'],
    ])
  })

  const refused: [string[], string][] = [
    [[], 'needs a word more'],
    [['repair'], 'does not know repair'],
    [['export'], 'tonlith index export FILE'],
    [['export', 'a', 'b'], 'does not take the word b'],
    [['accounts'], 'tonlith index accounts needs a word more: list, add, remove'],
    [['accounts', 'drop', 'EQ'], 'tonlith index accounts does not know drop'],
    [['accounts', 'add'], 'tonlith index accounts add needs accounts: tonlith index accounts add ADDRESS...'],
    [['accounts', 'list', '-1:1'], 'does not take the word -1:1'],
    [['accounts', 'list', '--file', 'f'], 'has no flag --file'],
    [['accounts', 'add', '--file', '-1:1'], '--file needs a value'],
    [['accounts', 'add', 'EQ', '-x'], 'has no flag -x'],
    [['info', 'now'], 'does not take the word now'],
    [['info', '--from', '1'], 'has no flag --from'],
    [['verify', '--from'], '--from needs a value'],
    [['verify', '--from', '0'], '--from must be a whole number'],
    [['verify', '--from', 'x'], '--from must be a whole number'],
    [['verify', '--from', '7', '--to', '6'], '--from is beyond --to'],
    [['verify', '--to', '6', '--to', '7'], '--to is given twice'],
    [['verify', '--live', '0'], '--live must be a whole number from 1'],
    [['verify', '--live', 'some'], '--live must be all or a whole number'],
    [['verify', '--live', '5', '--from', '7'], '--from does not go with --live'],
    [['verify', '--live', '5', '--seed', '4294967296'], '--seed must be a whole number from 0 to 4294967295'],
    [['verify', '--live', 'all', '--seed', '1'], '--seed does not go with --live all'],
    [['verify', '--seed', '1'], '--seed goes with --live'],
  ]
  for (const [args, message] of refused)
    test(`refuses ${JSON.stringify(args)}`, () => {
      expect(() => parseIndexCommand(args)).toThrow(UsageError)
      expect(() => parseIndexCommand(args)).toThrow(message)
    })
})
