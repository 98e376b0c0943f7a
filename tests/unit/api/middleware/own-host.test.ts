import { expect, test } from 'bun:test'
import { isOwnHost } from '../../../../src/api/middleware/own-host.ts'

test.each([
  null,
  '',
  '127.0.0.1',
  '127.0.0.1:8081',
  '192.168.1.20:8081',
  '[::1]:8081',
  '[fe80::1]',
  'localhost',
  'LOCALHOST:8081',
  'localhost.:8081',
  'shop.localhost:3000',
  'tonlith:8081',
  'node.lan:8081',
  'Node.LAN',
])('%s is ours', (host) => {
  expect(isOwnHost(host, 'node.lan')).toBe(true)
})

test.each([
  'rebound.example',
  'rebound.example:8081',
  'rebound.example.:8081',
  '127.0.0.1.rebound.example',
  'localhost.rebound.example:80',
  'notlocalhost.com',
  'node.lan.rebound.example',
  '127.0.0.1:8081:80.example',
  '1.2.3.4.5',
])('%s may be anybody', (host) => {
  expect(isOwnHost(host, 'node.lan')).toBe(false)
})
