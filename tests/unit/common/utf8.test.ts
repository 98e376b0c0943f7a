import { expect, test } from 'bun:test'
import { decodeUtf8 } from '../../../src/common/utf8.ts'

test('bytes are a text or none', () => {
  expect(decodeUtf8(Buffer.from('дом 🪙'))).toBe('дом 🪙')
  expect(decodeUtf8(Buffer.alloc(0))).toBe('')
  expect(decodeUtf8(Buffer.from([0xef, 0xbb, 0xbf, 0x41]))).toBe('\ufeffA')
  for (const bytes of [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80]])
    expect(decodeUtf8(Buffer.from(bytes))).toBeUndefined()
})
