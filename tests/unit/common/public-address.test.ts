import { expect, test } from 'bun:test'
import { isPublicAddress } from '../../../src/common/public-address.ts'

const REFUSED = [
  ['unspecified', '0.0.0.0', '0.1.2.3', '::'],
  ['private', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1'],
  ['loopback', '127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
  ['link-local', '169.254.169.254', 'fe80::1', 'fe80::1%lo', 'febf::1', 'fec0::1'],
  ['shared', '100.64.0.1', '100.127.255.255'],
  [
    'what clouds tell their machines',
    '169.254.169.254',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    'fd00:ec2::254',
  ],
  ['multicast and broadcast', '224.0.0.1', '239.255.255.255', 'ff02::1', '255.255.255.255', '240.0.0.1'],
  ['for tests and documents', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1', '3fff::1'],
  ['IPv4 in other clothes', '::ffff:8.8.8.8', '::ffff:7f00:1', '::127.0.0.1', '64:ff9b::808:808', '64:ff9b:1::1'],
  ['tunnels', '2002:7f00:1::', '2001::1', '192.88.99.1', '192.0.0.170'],
  ['discard and others', '100::1', '5f00::1', '4000::1'],
  [
    'no address',
    '',
    'localhost',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '8.8.8',
    '8.8.8.8 ',
    '[2a00::1]',
    '1.2.3.4%0',
  ],
] as const

const ALLOWED = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '168.63.129.15',
  '168.63.129.17',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:4860:4860::8888',
]

for (const [what, ...addresses] of REFUSED)
  test(`${what}: may not be asked`, () => {
    expect(addresses.filter(isPublicAddress)).toEqual([])
  })

test('hosts of the internet may be asked', () => {
  expect(ALLOWED.filter((address) => !isPublicAddress(address))).toEqual([])
})
