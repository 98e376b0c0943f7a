import { expect, test } from 'bun:test'
import { foreignReason } from '../../../../src/api/dashboard/same-site.ts'

const isTaken = (headers: Record<string, string>, host = 'shop.example:8081'): boolean =>
  foreignReason(new Headers(headers), host) === null

test('a form of our own pages is taken', () => {
  expect(isTaken({ origin: 'http://shop.example:8081' })).toBe(true)
  expect(isTaken({ origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' }, 'shop.example')).toBe(true)
})

test('all else is refused', () => {
  const refused: Record<string, string>[] = [
    {},
    { origin: 'null' },
    { origin: 'http://evil.example' },
    { origin: 'http://shop.example' },
    { origin: 'http://shop.example:8081.evil.example' },
    { origin: 'http://shop.example:8081', 'sec-fetch-site': 'same-site' },
    { origin: 'http://shop.example:8081', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-origin' },
    { origin: '' },
  ]
  for (const headers of refused) expect([headers, isTaken(headers)]).toEqual([headers, false])
})
