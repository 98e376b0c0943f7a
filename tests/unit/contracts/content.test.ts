import { describe, expect, test } from 'bun:test'
import { beginCell as beginTonCore, Dictionary } from '@ton/core'
import { readTokenContent } from '../../../src/contracts/content.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { failureOf } from '../../support/failure.ts'
import { chunkedCell, offchainContent, onchainContent, snakeCell } from '../../support/token-content.ts'
import { fromTonCore } from '../../support/ton-core.ts'

const text = (value: string) => snakeCell(0, Buffer.from(value))
const attributes = (cell: Cell) => {
  const content = readTokenContent(cell)
  return content._ === 'onchain' ? content.attributes : content.uri
}

describe('off-chain content', () => {
  test('is a URI in one cell or in many, kept to the letter', () => {
    expect(readTokenContent(offchainContent('ipfs://bafy/1.json'))).toEqual({
      _: 'offchain',
      uri: 'ipfs://bafy/1.json',
    })
    const long = `https://example.com/${'ж'.repeat(2000)}.json`
    expect(attributes(offchainContent(long))).toBe(long)
    expect(attributes(offchainContent(long, 7))).toBe(long)
    expect(attributes(offchainContent(''))).toBe('')
  })

  test('must be UTF-8 in whole bytes', () => {
    expect(failureOf(() => readTokenContent(offchainContent(Buffer.from([0x68, 0xff]))))).toBe('malformed')
    expect(failureOf(() => readTokenContent(beginCell().uint(1, 8).uint(0, 3).endCell()))).toBe('malformed')
  })
})

describe('on-chain content', () => {
  test('has the known attributes in alphabetical order, others left out', () => {
    const content = onchainContent({
      symbol: text('SMB'),
      unknown: text('x'),
      decimals: text('9'),
      name: text('Имя 🪙'),
    })
    expect(JSON.stringify(attributes(content))).toBe('{"decimals":"9","name":"Имя 🪙","symbol":"SMB"}')
  })

  test('may have a uri among them (semi-chain)', () => {
    expect(attributes(onchainContent({ uri: text('https://example.com'), decimals: text('6') }))).toEqual({
      decimals: '6',
      uri: 'https://example.com',
    })
  })

  test('may be empty', () => {
    expect(attributes(onchainContent({}))).toEqual({})
  })

  test('holds image_data as base64, whatever the bytes', () => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, i) => i & 255))
    for (const cell of [snakeCell(0, bytes), chunkedCell(bytes)])
      expect(attributes(onchainContent({ image_data: cell }))).toEqual({ image_data: bytes.toString('base64') })
  })

  test('holds long values whole, as a snake or in chunks', () => {
    const long = 'дом '.repeat(14_000)
    const content = onchainContent({ description: text(long), name: chunkedCell(Buffer.from(long)) })
    expect(attributes(content)).toEqual({ description: long, name: long })
  })

  test('may hold values in line, with a snake behind them', () => {
    const values = Dictionary.empty(Dictionary.Keys.Buffer(32), {
      serialize: (value: string, builder) => void builder.storeSlice(snakeCell(0, Buffer.from(value), 20).beginParse()),
      parse: () => '',
    })
    const name = Buffer.from('82a3537ff0dbce7eec35d69edc3a189ee6f17d82f353a553f9aa96cb0be3ce89', 'hex')
    const value = 'in line and with a tail that is longer'
    values.set(name, value)
    const content = fromTonCore(beginTonCore().storeUint(0, 8).storeDict(values).endCell())
    expect(attributes(content)).toEqual({ name: value })
  })

  test('is without values that are no text, have no encoding, or are no whole bytes', () => {
    const content = onchainContent({
      name: snakeCell(0, Buffer.from([0xc3])),
      symbol: snakeCell(2, Buffer.from('x')),
      uri: beginTonCore().endCell(),
      description: beginTonCore().storeUint(0, 9).endCell(),
      decimals: text('3'),
    })
    expect(attributes(content)).toEqual({ decimals: '3' })
  })

  test('is without a value whose chunks stand for too much', () => {
    let node = beginCell()
      .uint(0, 2)
      .ref(beginCell().bytes(Buffer.alloc(120, 0x61)).endCell())
      .endCell()
    for (let i = 0; i < 32; i++) node = beginCell().uint(0, 2).ref(node).ref(node).endCell()
    const bomb = beginCell().uint(1, 8).bit(true).ref(node).endCell()
    const started = performance.now()
    const key = Buffer.from('82a3537ff0dbce7eec35d69edc3a189ee6f17d82f353a553f9aa96cb0be3ce89', 'hex')
    const dict = beginCell().uint(0b10, 2).uint(256, 9).bytes(key).ref(bomb).endCell()
    expect(attributes(beginCell().uint(0, 8).bit(true).ref(dict).endCell())).toEqual({})
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

test('anything else is no content', () => {
  expect(failureOf(() => readTokenContent(beginCell().endCell()))).toBe('malformed')
  expect(failureOf(() => readTokenContent(beginCell().uint(2, 8).endCell()))).toBe('malformed')
  expect(failureOf(() => readTokenContent(beginCell().uint(0, 8).endCell()))).toBe('malformed')
})
