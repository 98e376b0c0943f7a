import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ByteWriter } from '../../../src/common/byte-writer.ts'

const bytes = fc.uint8Array({ maxLength: 200 })

test('what is written is what the parts are as strings', () => {
  const writer = new ByteWriter()
  fc.assert(
    fc.property(fc.array(fc.tuple(bytes, fc.string({ unit: 'binary' })), { maxLength: 20 }), (parts) => {
      const text = writer.collect((out) => {
        for (const [each, some] of parts)
          out.ascii('[').base64(each).ascii('|').base64Url(each).hexUpper(each).text(JSON.stringify(some))
      })
      const wanted = parts.map(([each, some]) => {
        const url = Buffer.from(each).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
        const hex = Buffer.from(each).toString('hex').toUpperCase()
        return `[${Buffer.from(each).toString('base64')}|${url}${hex}${JSON.stringify(some)}`
      })
      expect(text).toBe(wanted.join(''))
    }),
  )
})

test('a text may be longer than any before it, and the next one starts anew', () => {
  const writer = new ByteWriter()
  const long = Buffer.alloc(3 << 20, 7)
  expect(writer.collect((out) => out.text('né').base64(long))).toBe(`né${long.toString('base64')}`)
  expect(writer.collect((out) => out.ascii('short'))).toBe('short')
})

test('a writer that failed half-way is of use again', () => {
  const writer = new ByteWriter()
  const fail = () =>
    writer.collect((out) => {
      out.text('é')
      throw new Error('half-way')
    })
  expect(fail).toThrow('half-way')
  expect(writer.collect((out) => out.ascii('whole'))).toBe('whole')
})
