import { describe, expect, test } from 'bun:test'
import { callerOf, clientAddress } from '../../../../src/api/middleware/client-address.ts'
import { NO_PROXIES, proxiesOf } from '../../../../src/common/proxies.ts'

const PEER = '10.0.0.9'
const INSIDE = proxiesOf(['10.0.0.0/8', '2001:db8::/32'])!

describe('behind proxies the client is', () => {
  const by = (proxies: typeof NO_PROXIES, headers: Record<string, string>, peer = PEER) =>
    clientAddress(new Headers(headers), peer, proxies)
  const forwarded = (value: string) => ({ 'x-forwarded-for': value })

  test('the peer, where none is trusted or the peer is none', () => {
    expect(by(NO_PROXIES, forwarded('1.1.1.1'))).toBe(PEER)
    expect(by(INSIDE, forwarded('1.1.1.1'), '9.9.9.9')).toBe('9.9.9.9')
    expect(by(INSIDE, {})).toBe(PEER)
  })

  test('the rightmost address that no trusted proxy has, whatever a client wrote before it', () => {
    expect(by(INSIDE, forwarded('6.6.6.6, 1.1.1.1, 10.0.0.2'))).toBe('1.1.1.1')
    expect(by(INSIDE, forwarded('10.1.1.1,10.0.0.2'))).toBe('10.1.1.1')
    expect(by(INSIDE, forwarded('2001:db9::1'), '2001:db8::5')).toBe('2001:db9::1')
  })

  test('as many hops away as there are proxies', () => {
    expect(by({ hops: 1 }, forwarded('6.6.6.6, 1.1.1.1'))).toBe('1.1.1.1')
    expect(by({ hops: 2 }, forwarded('6.6.6.6, 1.1.1.1, 5.5.5.5'))).toBe('1.1.1.1')
    expect(by({ hops: 3 }, forwarded('1.1.1.1'))).toBe('1.1.1.1')
  })

  test('read from addresses in every form that proxies write', () => {
    for (const text of ['1.1.1.1:80', ' 1.1.1.1 ']) expect(by({ hops: 1 }, forwarded(text))).toBe('1.1.1.1')
    expect(by({ hops: 1 }, forwarded('[2001:db9::1]:80'))).toBe('2001:db9::1')
    expect(by({ hops: 1 }, { forwarded: 'for=6.6.6.6, proto=https;For="[2001:db9::1]:4711";by=10.0.0.1' })).toBe(
      '2001:db9::1',
    )
  })

  test('the last proxy that can be believed, when what it wrote is no address', () => {
    for (const text of ['unknown', '_hidden', '', '1.1.1.1.1', '1.1.1.1, nonsense'])
      expect(by({ hops: 2 }, forwarded(text))).toBe(PEER)
    expect(by({ hops: 1 }, { forwarded: 'proto=https' })).toBe(PEER)
  })

  test('the peer, when a client forged the header that the proxy does not set', () => {
    expect(by({ hops: 1 }, { ...forwarded('1.1.1.1'), forwarded: 'for=6.6.6.6' })).toBe(PEER)
    expect(by({ hops: 1 }, { ...forwarded('1.1.1.1'), forwarded: 'for=1.1.1.1' })).toBe('1.1.1.1')
  })
})

describe('a keyless request is counted for', () => {
  const same: [string, string][] = [
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:ffff::1'],
    ['2001:db8::1', '2001:db8:0:0:9::'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::1', '::2'],
    ['::FFFF:a00:1', '10.0.0.1'],
    ['2001:0DB8::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::2'],
  ]
  for (const [a, b] of same) test(`${a} and ${b} together`, () => expect(callerOf(a)).toBe(callerOf(b)))
  const different: [string, string][] = [
    ['10.0.0.1', '10.0.0.2'],
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.2'],
  ]
  for (const [a, b] of different) test(`${a} and ${b} apart`, () => expect(callerOf(a)).not.toBe(callerOf(b)))
})
