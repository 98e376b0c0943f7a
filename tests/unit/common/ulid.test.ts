import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { bytesOfUlid, makeUlid, tryParseUlid, ulidOfBytes, ulidTime } from '../../../src/common/ulid.ts'

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 })

test('texts and bytes are two forms of one value, in the same order', () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const text = ulidOfBytes(a)
      expect(bytesOfUlid(text)).toEqual(Buffer.from(a))
      expect(tryParseUlid(text)).toBe(text)
      expect(Math.sign(Buffer.compare(a, b))).toBe(text < ulidOfBytes(b) ? -1 : text > ulidOfBytes(b) ? 1 : 0)
    }),
  )
})

test('a ULID tells when it was made', () => {
  const ulid = makeUlid(1_469_918_176_385, Buffer.alloc(10, 0xff))
  expect(ulid).toBe('01ARYZ6S41ZZZZZZZZZZZZZZZZ')
  expect(ulidTime(ulid)).toBe(1_469_918_176_385)
})

test('a ULID is read in either case, and as people misread it', () => {
  expect(tryParseUlid('01aryz6s41tsv4rrffq69g5fav')).toBe('01ARYZ6S41TSV4RRFFQ69G5FAV')
  expect(tryParseUlid('oiARYZ6S4LTSV4RRFFQ69G5FAV')).toBe('01ARYZ6S41TSV4RRFFQ69G5FAV')
  for (const text of ['', '01ARYZ6S41TSV4RRFFQ69G5FA', '81ARYZ6S41TSV4RRFFQ69G5FAV', '01ARYZ6S41TSV4RRFFQ69G5FAU'])
    expect(tryParseUlid(text)).toBeUndefined()
})
