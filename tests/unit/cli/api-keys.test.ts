import { describe, expect, test } from 'bun:test'
import { createKeyLookup, parseApiKeys } from '../../../src/cli/api-keys.ts'
import { TonlithError } from '../../../src/common/errors.ts'

const key = { name: 'shop', key: 'abcdefgh', network: 'mainnet', rps: 25 }

test('TOML and JSON say the same', () => {
  const toml = '[[keys]]\nname = "shop"\nkey = "abcdefgh"\nnetwork = "mainnet"\nrps = 25\n'
  expect(parseApiKeys(toml, 'keys.toml')).toEqual([{ name: 'shop', secret: 'abcdefgh', network: 'mainnet', rps: 25 }])
  expect(parseApiKeys(JSON.stringify({ keys: [key] }), 'keys.json')).toEqual(parseApiKeys(toml, 'keys.toml'))
})

describe('refuses, naming the file and never a key', () => {
  test.each([
    ['no list', {}, 'must hold a list "keys"'],
    ['more than the list', { keys: [], plans: [] }, 'must hold a list "keys" and nothing else'],
    ['an entry that is no table', { keys: ['abcdefgh'] }, 'key 1 (k.json)'],
    ['an unknown field', { keys: [{ ...key, rate: 1 }] }, 'no such field: rate: key 1'],
    ['a missing name', { keys: [{ ...key, name: undefined }] }, 'name must be a text: key 1'],
    [
      'a short key',
      { keys: [key, { ...key, key: 'short' }] },
      'key must be 8 to 128 letters, digits, "_" or "-": key 2',
    ],
    ['no network', { keys: [{ ...key, network: undefined }] }, 'network must be one of mainnet, testnet, dev'],
    ['another network', { keys: [{ ...key, network: 'moon' }] }, 'network must be one of'],
    ['a negative rate', { keys: [{ ...key, rps: -1 }] }, 'rps must be a whole number from 0'],
    ['the same key twice', { keys: [key, { ...key, name: 'other' }] }, 'the same key twice (k.json)'],
  ])('%s', (_, document, message) => {
    const parse = () => parseApiKeys(JSON.stringify(document), 'k.json')
    expect(parse).toThrow(TonlithError)
    expect(parse).toThrow(message)
    expect(parse).not.toThrow('abcdefgh')
  })

  test.each(['k.json', 'k.toml'])('broken text in %s', (path) => {
    expect(() => parseApiKeys('abcdefgh ] {', path)).toThrow(/is no (JSON|TOML) \(k\./)
    expect(() => parseApiKeys('abcdefgh ] {', path)).not.toThrow('abcdefgh')
  })
})

test('a key is found by its secret, without the secret in what is found', () => {
  const lookup = createKeyLookup(parseApiKeys(JSON.stringify({ keys: [key] }), 'k.json'))
  expect(lookup('abcdefgh')).toEqual({ name: 'shop', network: 'mainnet', rps: 25 })
  expect(lookup('abcdefgH')).toBeUndefined()
})
