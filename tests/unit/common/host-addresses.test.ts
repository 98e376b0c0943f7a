import { expect, test } from 'bun:test'
import { hostAddresses, resolveName } from '../../../src/common/host-addresses.ts'

const never = new AbortController().signal

test('a name of the file of hosts has its addresses', async () => {
  expect(await resolveName('localhost')).toContain('127.0.0.1')
  expect(await hostAddresses(new URL('http://localhost:1'), resolveName, never)).toContain('127.0.0.1')
})

test('an address stands for itself, and no name server is asked', async () => {
  const nobody = () => Promise.reject(new Error('it was asked'))
  expect(await hostAddresses(new URL('http://0x7f.1'), nobody, never)).toEqual(['127.0.0.1'])
  expect(await hostAddresses(new URL('http://[::1]:80'), nobody, never)).toEqual(['::1'])
})

test('a name without addresses is told from one that nobody answers for', async () => {
  const url = new URL('http://shop.example')
  expect(await hostAddresses(url, async () => [], never)).toBe('name')
  expect(await hostAddresses(url, () => Promise.reject(new Error('ENOTFOUND')), never)).toBe('name')
  expect(await hostAddresses(url, () => new Promise(() => {}), AbortSignal.timeout(1))).toBe('timeout')
  expect(await hostAddresses(url, async () => ['203.0.114.7'], AbortSignal.abort())).toBe('timeout')
})
