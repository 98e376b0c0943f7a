import { describe, expect, test } from 'bun:test'
import { redirectTarget, targetOf } from '../../../../src/indexer/metadata/fetch-target.ts'

const GATEWAY = new URL('http://127.0.0.1:8080/ipfs')
const CID = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'

const seen = (uri: string) => {
  const target = targetOf(uri, GATEWAY)
  return target && [target.url.href, target.own]
}

describe('where a document is asked for', () => {
  test('web addresses: where they say', () => {
    expect(seen('https://example.com/a b.json?x=1#y')).toEqual(['https://example.com/a%20b.json?x=1#y', false])
    expect(seen('HTTP://Example.com')).toEqual(['http://example.com/', false])
  })

  test('numbers are read as the addresses that they are', () => {
    for (const host of ['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '127.0.0.1.', '①②⑦.0.0.1'])
      expect(seen(`http://${host}/`)).toEqual(['http://127.0.0.1/', false])
  })

  test('ipfs: at the gateway', () => {
    for (const uri of [`ipfs://${CID}/1.json`, `IPFS://${CID}/1.json?a=b`, `ipfs://ipfs/${CID}/1.json#x`])
      expect(seen(uri)).toEqual([`http://127.0.0.1:8080/ipfs/${CID}/1.json`, true])
    expect(seen(`ipfs://${CID}`)).toEqual([`http://127.0.0.1:8080/ipfs/${CID}`, true])
    expect(seen(`ipfs://${CID}/a/../b c`)).toEqual([`http://127.0.0.1:8080/ipfs/${CID}/b%20c`, true])
  })

  test('nothing leads out of a CID at the gateway', () => {
    for (const path of [
      '/../x',
      '/../../api/v0/id',
      '/%2e%2e/%2E./api',
      '/..%2f..%2fapi',
      '/..%5capi',
      '\\..\\..\\api',
      '/..\\..\\api',
    ])
      expect(seen(`ipfs://${CID}${path}`)).toBeUndefined()
    for (const cid of ['..', '.', '', 'a%2fb', '@host', `a:80`, 'x'.repeat(129)])
      expect(seen(`ipfs://${cid}/x`)).toBeUndefined()
  })

  test('nothing for other schemes, credentials, and what is no URI', () => {
    for (const uri of [
      'ftp://example.com/a',
      'file:///etc/passwd',
      'ipns://example.com/a',
      'tonstorage://aa/b',
      'javascript:alert(1)',
      'blob:https://example.com/a',
      'https://user@example.com/',
      'https://user:password@example.com/',
      'https://:password@example.com/',
      'example.com/a.json',
      '//example.com/a',
      'http://',
      'http://[::1',
      '',
      `https://example.com/${'a'.repeat(2048)}`,
    ])
      expect(seen(uri)).toBeUndefined()
  })
})

describe('where a redirect leads', () => {
  const own = targetOf(`ipfs://${CID}`, GATEWAY)!
  const other = targetOf('https://example.com/a/b', GATEWAY)!
  const to = (from: typeof own, location: string) => {
    const target = redirectTarget(from, location, GATEWAY)
    return target && [target.url.href, target.own]
  }

  test('from there, as any link', () => {
    expect(to(other, 'c')).toEqual(['https://example.com/a/c', false])
    expect(to(other, '//example.org')).toEqual(['https://example.org/', false])
    for (const location of ['file:///etc/passwd', 'ipfs://x', 'data:,{}', 'https://a@b/', 'http://[', 'x'.repeat(3000)])
      expect(to(other, location)).toBeUndefined()
  })

  test('the gateway keeps its rights below its path only, and nobody else gets them', () => {
    expect(to(own, `/ipfs/${CID}/x`)).toEqual([`http://127.0.0.1:8080/ipfs/${CID}/x`, true])
    expect(to(own, '/api/v0/id')).toEqual(['http://127.0.0.1:8080/api/v0/id', false])
    expect(to(own, '/ipfs/..%2fapi')).toEqual(['http://127.0.0.1:8080/ipfs/..%2fapi', false])
    expect(to(own, 'http://127.0.0.1:8081/ipfs/x')).toEqual(['http://127.0.0.1:8081/ipfs/x', false])
    expect(to(other, `http://127.0.0.1:8080/ipfs/${CID}`)).toEqual([`http://127.0.0.1:8080/ipfs/${CID}`, false])
  })
})
