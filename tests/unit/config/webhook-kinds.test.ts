import { expect, test } from 'bun:test'
import { hosts, retryDelays } from '../../../src/config/webhook-kinds.ts'

test('delays are listed with their units', () => {
  expect(retryDelays.parse('1s,5s,15s', '')).toEqual([1_000, 5_000, 15_000])
  expect(retryDelays.parse('250ms, 1m, 6h', '')).toEqual([250, 60_000, 21_600_000])
  for (const text of ['', '5', '1s,', '0s', '1s;5s', '49h', '99ms', '1d', '-1s', Array(21).fill('1s').join(',')])
    expect(() => retryDelays.parse(text, '')).toThrow('1 to 20 delays')
})

test('hosts are names and addresses, in the form that URLs have them in', () => {
  expect(hosts.parse('none', '')).toEqual([])
  expect(hosts.parse('Shop.Internal, 10.0.0.5,[::1],fd00:0::5,a.b.', '')).toEqual([
    'shop.internal',
    '10.0.0.5',
    '::1',
    'fd00::5',
    'a.b',
  ])
  for (const text of ['', 'a,', 'http://a', 'a/b', 'a:80', 'a b', 'x@a', '*'])
    expect(() => hosts.parse(text, '')).toThrow('none, or names of hosts')
})
