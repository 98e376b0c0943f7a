import { expect, test } from 'bun:test'
import { hash, hashes, texts } from '../../../../src/api/v3/param.ts'
import { parametersOf, sentParameters, wishesOf } from '../../../../src/api/v3/query-parameters.ts'

const params = { msg_hash: hashes({ aliases: ['hash'] }), body_hash: hash(), address: texts() }
const sourceOf = (query: string) => parametersOf(sentParameters(`http://localhost/x?${query}`), params)
const read = (query: string, name: keyof typeof params) => sourceOf(query)(name, params[name])

test('names count in any case, with the brackets of lists, and under their aliases', () => {
  expect(read('Address=a&ADDRESS[]=b&address=', 'address')).toEqual(['a', 'b'])
  expect(read('hash=a&msg_hash=b', 'msg_hash')).toEqual(['b', 'a'])
  expect(read('hash=a', 'body_hash')).toEqual([])
})

test('a name that nobody knows is refused, with the nearest one', () => {
  expect(() => sourceOf('body_hsh=1')).toThrow('unknown parameter "body_hsh", did you mean "body_hash"?')
  expect(() => sourceOf('whatever=1')).toThrow(/^unknown parameter "whatever"$/)
  expect(() => sourceOf('_=1&api_key=k&x_timeout=5&min_mc_seqno=1&&=')).not.toThrow()
})

test('wishes come from headers first', () => {
  const wishes = (query: string, headers: Record<string, string> = {}) =>
    wishesOf(new Headers(headers), sentParameters(`http://localhost/x?${query}`))
  const nothing = { actionsVersion: undefined, timeoutMs: undefined, minSeqno: undefined }
  expect(wishes('')).toEqual({ addressBook: true, metadata: true, ...nothing })
  expect(wishes('', { 'X-Actions-Version': 'v2' })).toMatchObject({ actionsVersion: 'v2' })
  expect(wishes('x_no_address_book=1&x_timeout=250&min_mc_seqno=7')).toEqual({
    ...nothing,
    addressBook: false,
    metadata: true,
    timeoutMs: 250,
    minSeqno: 7,
  })
  expect(wishes('x_no_address_book=1&x_timeout=soon', { 'X-No-Address-Book': 'false' })).toEqual({
    addressBook: true,
    metadata: true,
    ...nothing,
  })
  expect(() => wishes('min_mc_seqno=-1')).toThrow(/"min_mc_seqno": "-1" is not a seqno/)
})
