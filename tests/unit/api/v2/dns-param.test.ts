import { describe, expect, test } from 'bun:test'
import { dnsCategoryParam, domainName } from '../../../../src/api/v2/dns-param.ts'
import { dnsCategory } from '../../../../src/contracts/dns-name.ts'
import { failureOf } from '../../../support/failure.ts'

describe('a domain name', () => {
  const param = domainName('')
  const read = (input: string) => param.read(input, 'domain')

  test('is the same in every spelling', () => {
    const name = { text: 'sub.alice.ton', encoded: Buffer.from('ton\0alice\0sub\0') }
    for (const spelling of ['sub.alice.ton', 'Sub.ALICE.ton.']) expect(read(spelling)).toEqual(name)
    expect(param.key(read('A.ton'))).toBe(param.key(read('a.ton.')))
    expect(param.key(read('a.ton'))).not.toBe(param.key(read('b.ton')))
  })

  test('may be left out', () => {
    expect(param.read(undefined, 'domain')).toBeUndefined()
    expect(param.read(null, 'domain')).toBeUndefined()
    expect(param.key(undefined)).toBe('')
  })

  test('is refused when it is none', () => {
    for (const input of ['a..ton', 'a b', 'x'.repeat(127)]) expect(failureOf(() => read(input))).toBe('invalid')
    expect(() => param.read(5, 'name')).toThrow('failed to parse name')
  })
})

describe('a category', () => {
  const read = (input: string | number) => dnsCategoryParam.read(input, 'category')
  const wallet = dnsCategory('wallet')

  test('is a name or its hash', () => {
    for (const form of ['wallet', wallet.toString('hex'), wallet.toString('base64'), wallet.toString('base64url')])
      expect(read(form)).toEqual(wallet)
    expect(dnsCategoryParam.key(read('wallet'))).toBe(wallet.toString('hex'))
  })

  test('is all of them when it is left out or zero', () => {
    for (const none of ['', '0', 0, '0'.repeat(64)]) expect(read(none)).toBeUndefined()
    expect(dnsCategoryParam.read(undefined, 'category')).toBeUndefined()
    expect(dnsCategoryParam.key(undefined)).toBe('')
  })

  test('is text', () => {
    expect(() => read(7)).toThrow('failed to parse category')
    expect(() => read('\ud800')).toThrow('failed to parse category')
  })
})
