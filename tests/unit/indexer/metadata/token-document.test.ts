import { describe, expect, test } from 'bun:test'
import { readTokenDocument } from '../../../../src/indexer/metadata/token-document.ts'

const read = (text: string) => readTokenDocument(Buffer.from(text))

describe('the document of a token', () => {
  test('is a JSON object, with or without a mark of its encoding', () => {
    for (const mark of ['', '\ufeff'])
      expect(read(`${mark}{"name":"N","image":{"a":[null]},"decimals":9}`)).toEqual([
        ['name', '"N"'],
        ['image', '{"a":[null]}'],
        ['decimals', '9'],
      ])
  })

  test('is none in what is no UTF-8, no JSON and no object', () => {
    expect(readTokenDocument(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBeUndefined()
    for (const text of ['', '<!doctype html><html></html>', '[{"name":"N"}]', 'null', '{"name":', '\u0000{}'])
      expect(read(text)).toBeUndefined()
  })

  test('is none in what nests deeply or has very many members', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(read(nested(31))).toHaveLength(1)
    expect(read(nested(32))).toBeUndefined()
    expect(read(nested(100_000))).toBeUndefined()
    const members = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":${i}`).join()}}`
    expect(read(members(256))).toHaveLength(256)
    expect(read(members(257))).toBeUndefined()
  })

  test('loses its largest members where it is too large to be kept', () => {
    const text = JSON.stringify({
      image: 'i'.repeat(1 << 20),
      name: 'N',
      description: 'd'.repeat(50_000),
      x: 'x'.repeat(30_000),
    })
    expect(read(text)?.map(([name]) => name)).toEqual(['name', 'x'])
  })
})
