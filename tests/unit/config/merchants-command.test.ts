import { describe, expect, test } from 'bun:test'
import { parseMerchantsCommand } from '../../../src/config/merchants-command.ts'
import { UsageError } from '../../../src/config/usage-error.ts'

describe('understands', () => {
  test.each([
    [['list', '--data', 'x'], { action: 'list' }, { data: 'x' }],
    [['add', 'shop'], { action: 'add', name: 'shop', fields: {} }, {}],
    [
      ['add', 'Ann & Co', '--network', 'dev', '--wallet', 'EQ', '--webhook=http://x', '--config', 'c.toml'],
      { action: 'add', name: 'Ann & Co', network: 'dev', fields: { wallet: 'EQ', webhook: 'http://x' } },
      { config: 'c.toml' },
    ],
    [['set', 'shop', '--webhook='], { action: 'set', name: 'shop', fields: { webhook: '' } }, {}],
    [['set', 'shop', '--name', 'till'], { action: 'set', name: 'shop', fields: { name: 'till' } }, {}],
    [['rotate', 'shop', '--network', 'dev'], { action: 'rotate', name: 'shop', network: 'dev' }, {}],
    [['add-key', 'shop', 'second'], { action: 'add-key', name: 'shop', key: 'second' }, {}],
    [['revoke', 'shop'], { action: 'revoke', name: 'shop' }, {}],
    [['revoke', 'shop', '--key', 'first'], { action: 'revoke', name: 'shop', key: 'first' }, {}],
  ])('%p', (args, action, flags) => {
    expect(parseMerchantsCommand(args)).toEqual({ action, flags: new Map(Object.entries(flags)) } as never)
  })
})

describe('refuses', () => {
  test.each([
    [[], 'tonlith merchants needs a word more: add, list, set, rotate, add-key, revoke'],
    [['remove', 'shop'], 'tonlith merchants does not know remove'],
    [['add'], 'tonlith merchants add needs NAME'],
    [['add-key', 'shop'], 'tonlith merchants add-key needs NAME and KEY'],
    [['add', 'a', 'b'], 'tonlith merchants add does not take the word b'],
    [['list', '--wallet', 'a'], 'tonlith merchants list has no flag --wallet'],
    [['add', 'a\nb'], 'the name of a merchant must be 1 to 64 printable characters'],
    [['set', 'a', '--name', ''], '--name must be 1 to 64 printable characters'],
    [['set', 'a'], 'tonlith merchants set needs what to change'],
    [['set', 'a', '--network', 'dev'], 'tonlith merchants set needs what to change'],
  ])('%p', (args, message) => {
    expect(() => parseMerchantsCommand(args)).toThrow(UsageError)
    expect(() => parseMerchantsCommand(args)).toThrow(message)
  })
})
