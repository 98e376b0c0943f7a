import { expect, test } from 'bun:test'
import { trustedProxies } from '../../../src/config/trusted-proxies.ts'

const parse = (text: string) => trustedProxies.parse(text, '/')

test('counts proxies, or knows them by their networks', () => {
  expect(parse('off')).toEqual({ hops: 0 })
  expect(parse('2')).toEqual({ hops: 2 })
  const networks = parse('10.0.0.0/8, 192.168.1.1, 2001:db8::/32')
  if ('hops' in networks) throw new Error('no networks')
  for (const inside of ['10.255.0.1', '::ffff:10.1.1.1', '192.168.1.1', '2001:db8:ffff::1'])
    expect(networks.trusts(inside)).toBeTrue()
  for (const outside of ['11.0.0.1', '192.168.1.2', '2001:db9::1', '', 'unknown'])
    expect(networks.trusts(outside)).toBeFalse()
})

test('refuses all else', () => {
  for (const text of [
    '',
    'on',
    '17',
    '-1',
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'proxy.example',
    '::1%lo',
    ',',
  ])
    expect(() => parse(text)).toThrow('off, a number of proxies')
})
