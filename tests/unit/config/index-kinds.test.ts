import { describe, expect, test } from 'bun:test'
import { indexFrom, retain } from '../../../src/config/kinds.ts'

describe('settings of the index', () => {
  test('where it begins', () => {
    expect(['head', 'genesis', '1', '35000000'].map((text) => indexFrom.parse(text, '/'))).toEqual([
      'head',
      'genesis',
      1,
      35_000_000,
    ])
    for (const text of ['', '0', '-1', '1.5', 'tail', '2147483648', 'Head'])
      expect(() => indexFrom.parse(text, '/')).toThrow('head, genesis, or the seqno')
  })

  test('how much it keeps', () => {
    expect(['forever', '30d', '12h', '100GB', '500MB', '2TB'].map((text) => retain.parse(text, '/'))).toEqual([
      'forever',
      { seconds: 2_592_000 },
      { seconds: 43_200 },
      { bytes: 1e11 },
      { bytes: 5e8 },
      { bytes: 2e12 },
    ])
    for (const text of ['', '0d', '30', 'GB', '1.5GB', '30 d', '1kB', '10m', '-1d', '1234567d'])
      expect(() => retain.parse(text, '/')).toThrow('forever, an age such as 30d, or a size such as 100GB')
  })
})
