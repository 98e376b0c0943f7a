import { describe, expect, test } from 'bun:test'
import { parseKeysCommand } from '../../../src/config/keys-command.ts'
import { UsageError } from '../../../src/config/usage-error.ts'

describe('understands', () => {
  test.each([
    [['list'], { action: 'list' }, {}],
    [['list', '--data', 'x'], { action: 'list' }, { data: 'x' }],
    [['add', 'shop'], { action: 'add', name: 'shop' }, {}],
    [
      ['add', '--plan=plus', 'shop', '--owner', 'Ann & Co', '--network', 'dev', '--config', 'c.toml'],
      { action: 'add', name: 'shop', plan: 'plus', owner: 'Ann & Co', network: 'dev' },
      { config: 'c.toml' },
    ],
    [['revoke', 'shop'], { action: 'revoke', name: 'shop' }, {}],
    [['set', 'shop', '--name', 'till'], { action: 'set', name: 'shop', changes: { name: 'till' } }, {}],
  ])('%p', (args, action, flags) => {
    expect(parseKeysCommand(args)).toEqual({ action, flags: new Map(Object.entries(flags)) } as never)
  })
})

describe('refuses', () => {
  test.each([
    [[], 'tonlith keys needs a word more: add, list, revoke, set'],
    [['remove', 'shop'], 'tonlith keys does not know remove: add, list, revoke, set'],
    [['toString'], 'tonlith keys does not know toString'],
    [['add'], 'tonlith keys add needs the name of a key: tonlith keys add NAME'],
    [['add', 'a', 'b'], 'tonlith keys add does not take the word b'],
    [['list', 'a'], 'tonlith keys list does not take the word a'],
    [['list', '--owner', 'a'], 'tonlith keys list has no flag --owner'],
    [['add', 'a', '--key', 'secret'], 'tonlith keys add has no flag --key'],
    [['add', 'a', '--owner'], '--owner needs a value'],
    [['add', 'a', '--owner', 'x', '--owner=y'], '--owner is given twice'],
    [['add', 'a\nb'], 'the name of a key must be 1 to 64 printable characters'],
    [['add', 'a', '--owner', 'x'.repeat(65)], '--owner must be 1 to 64 printable characters'],
    [['set', 'a'], 'tonlith keys set needs what to change'],
  ])('%p', (args, message) => {
    expect(() => parseKeysCommand(args)).toThrow(UsageError)
    expect(() => parseKeysCommand(args)).toThrow(message)
  })
})
