import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { chooseEncoding, type Encoding } from '../../../src/api/accept-encoding.ts'

describe('the encoding of an answer', () => {
  const table: [string | null, Encoding | undefined][] = [
    [null, undefined],
    ['', undefined],
    ['identity', undefined],
    ['br', undefined],
    ['gzip', 'gzip'],
    ['GZIP ; Q=1.0', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['zstd;q=0.5, gzip;q=0.8', 'gzip'],
    ['*', 'zstd'],
    ['*;q=0.5, zstd;q=0', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0, *;q=0', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity;q=0, gzip;q=0.001', 'gzip'],
    ['gzip;q=2', undefined],
    ['gzip;q=x', undefined],
    [',,;q=1,gzip', 'gzip'],
  ]

  test.each(table)('for %p is %p', (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding)
    expect(chooseEncoding(header)).toBe(encoding)
  })

  test('is one that was named, whatever the header', () => {
    const word = fc.constantFrom('gzip', 'zstd', 'identity', '*', ';q=', '0', '0.5', '1', ',', ' ', 'é', '=')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => words.join('')),
        ),
        (header) => {
          const chosen = chooseEncoding(header)
          if (chosen !== undefined) expect(header.toLowerCase().includes(chosen) || header.includes('*')).toBe(true)
        },
      ),
    )
  })
})
