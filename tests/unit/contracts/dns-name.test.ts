import { describe, expect, test } from 'bun:test'
import { decodeDomain, dnsCategory, domainLabels, encodeDomain, normalDomain } from '../../../src/contracts/dns-name.ts'
import { failureOf } from '../../support/failure.ts'

test('categories are the hashes of their names', () => {
  const known = {
    wallet: 'e8d44050873dba865aa7c170ab4cce64d90839a34dcfd6cf71d14e0205443b1b',
    site: 'fbae041b02c41ed0fd8a4efb039bc780dd6af4a1f0c420f42561ae705dda43fe',
    storage: '49a25f9feefaffecad0fcd30c50dc9331cff8b55ece53def6285c09e17e6f5d7',
    dns_next_resolver: '19f02441ee588fdb26ee24b2568dd035c3c9206e11ab979be62e55558a1d17ff',
  }
  for (const [name, hash] of Object.entries(known)) expect(dnsCategory(name).toString('hex')).toBe(hash)
})

test('names are compared in lower case and without the last dot', () => {
  expect(['Alice.TON.', 'a.t.me', 'ÜБЕР.ton', '', '.'].map(normalDomain)).toEqual([
    'alice.ton',
    'a.t.me',
    'ÜБЕР.ton',
    '',
    '.',
  ])
})

describe('the DNS form', () => {
  test('has the labels from the last to the first', () => {
    expect(encodeDomain('sub.alice.ton').toString('latin1')).toBe('ton\0alice\0sub\0')
    expect(encodeDomain('x').toString('latin1')).toBe('x\0')
    expect(encodeDomain('дом').toString('utf8')).toBe('дом\0')
  })

  test('of the resolver itself is one zero byte', () => {
    for (const self of ['', '.']) expect(encodeDomain(self)).toEqual(Buffer.alloc(1))
  })

  test('does not exist for what is no name', () => {
    for (const name of [
      '..',
      '.ton',
      'a..ton',
      'a b',
      'a\0b',
      'a\x7f',
      'a\n',
      '\ud800',
      'x'.repeat(127),
      'ж'.repeat(64),
    ])
      expect([name, failureOf(() => encodeDomain(name))]).toEqual([name, 'invalid'])
    expect(encodeDomain('x'.repeat(126))).toHaveLength(127)
  })

  test('is read back', () => {
    expect(domainLabels(encodeDomain('sub.alice.ton'))).toEqual(['ton', 'alice', 'sub'])
    expect(domainLabels(Buffer.from([0xff]))).toBeUndefined()
    expect(decodeDomain(Buffer.from('alice'))).toBe('alice.')
    expect(decodeDomain(Buffer.from('\0ton\0alice\0'))).toBe('alice.ton.')
    expect(decodeDomain(Buffer.from([0xff]))).toBe('')
  })
})
