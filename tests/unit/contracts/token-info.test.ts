import { describe, expect, test } from 'bun:test'
import { type OwnContent, tokenInfoOf, uriOf } from '../../../src/contracts/token-info.ts'
import type { FetchedDocument, JsonMembers } from '../../../src/model/token-info.ts'

const URI = 'https://example.com/a.json'
const onchain = (attributes: Record<string, string>): OwnContent => ({ _: 'onchain', attributes })
const offchain: OwnContent = { _: 'offchain', uri: URI }
const ready = (...members: JsonMembers) => ({ _: 'ready', members }) as const
const FAILED = { _: 'failed' } as const

const knows =
  (document: FetchedDocument | undefined) =>
  (uri: string): FetchedDocument | undefined => {
    expect(uri).toBe(URI)
    return document
  }
const nobodyAsks = (): never => {
  throw new Error('asked')
}

describe('what is to be fetched', () => {
  test('off-chain and semi-chain content, without the white space around', () => {
    expect(uriOf({ _: 'offchain', uri: ` ${URI}\n` })).toBe(URI)
    expect(uriOf(onchain({ decimals: '6', uri: URI }))).toBe(URI)
  })

  test('nothing for content on the chain, domains, and empty URIs', () => {
    expect(uriOf(onchain({ name: 'a' }))).toBeUndefined()
    expect(uriOf({ _: 'domain', domain: 'a.ton' })).toBeUndefined()
    expect(uriOf({ _: 'offchain', uri: ' ' })).toBeUndefined()
  })
})

describe('token info', () => {
  test('of content on the chain: known members are fields, the rest is extra, by name', () => {
    const content = onchain({ symbol: 'S', name: 'N', image_data: 'AA==', image: 'ipfs://x', decimals: '9' })
    expect(tokenInfoOf('jetton_master', content, nobodyAsks)).toEqual({
      is_indexed: true,
      valid: true,
      name: 'N',
      symbol: 'S',
      image: 'ipfs://x',
      extra: [
        ['decimals', '"9"'],
        ['image_data', '"AA=="'],
      ],
    })
  })

  test('of a jetton needs a symbol, of an NFT a name or a domain', () => {
    const valid = (kind: 'jetton_master' | 'nft_item' | 'nft_collection', attributes: Record<string, string>) =>
      tokenInfoOf(kind, onchain(attributes), nobodyAsks).valid
    expect(valid('jetton_master', { name: 'N' })).toBe(false)
    expect(valid('jetton_master', { symbol: '' })).toBe(false)
    expect(valid('jetton_master', { symbol: 'S' })).toBe(true)
    expect(valid('nft_item', { symbol: 'S' })).toBe(false)
    expect(valid('nft_collection', { name: 'N' })).toBe(true)
    expect(tokenInfoOf('nft_item', offchain, knows(ready(['domain', '"a.t.me"']))).valid).toBe(true)
    expect(tokenInfoOf('nft_item', offchain, knows(ready(['name', '7'], ['domain', 'null']))).valid).toBe(false)
  })

  test('of a domain', () => {
    const extra = [['domain', '"a.ton"']]
    const info = tokenInfoOf('nft_item', { _: 'domain', domain: 'a.ton' }, nobodyAsks)
    expect(info).toEqual({ is_indexed: true, valid: true, extra } as unknown as typeof info)
    expect(tokenInfoOf('nft_item', { _: 'domain', domain: '' }, nobodyAsks).valid).toBe(false)
  })

  test('takes what stands on the chain before what was fetched, and names the URI', () => {
    const content = onchain({ decimals: '6', symbol: 'chain', uri: URI })
    const document = ready(['symbol', '"net"'], ['name', '"N"'], ['decimals', '9'], ['uri', '"x"'])
    expect(tokenInfoOf('jetton_master', content, knows(document))).toEqual({
      is_indexed: true,
      valid: true,
      name: 'N',
      symbol: 'chain',
      extra: [
        ['decimals', '"6"'],
        ['uri', `"${URI}"`],
      ],
    })
  })

  test('leaves what is no text where it is, digit by digit', () => {
    const document = ready(['name', '"N"'], ['image', '{"a":1.10}'], ['description', 'null'], ['big', '1e-400'])
    const { image, description, extra } = tokenInfoOf('nft_item', offchain, knows(document))
    expect([image, description]).toEqual([undefined, undefined])
    expect(extra).toEqual([
      ['big', '1e-400'],
      ['description', 'null'],
      ['image', '{"a":1.10}'],
      ['uri', `"${URI}"`],
    ])
  })

  test('does without a document that is not there, where the chain tells enough', () => {
    const semichain = onchain({ symbol: 'S', uri: URI })
    for (const [document, is_indexed] of [
      [undefined, false],
      [FAILED, true],
    ] as const) {
      expect(tokenInfoOf('jetton_master', semichain, knows(document))).toMatchObject({ is_indexed, valid: true })
      const missing = tokenInfoOf('jetton_master', offchain, knows(document))
      const extra = [['uri', `"${URI}"`]] as const
      expect(missing).toEqual({ is_indexed, valid: is_indexed ? false : undefined, extra })
    }
  })

  test('takes names that mean something to JavaScript as names', () => {
    const document = ready(['__proto__', '{"symbol":"x"}'], ['constructor', '1'], ['name', '"N"'])
    const info = tokenInfoOf('nft_item', offchain, knows(document))
    expect(info.symbol).toBeUndefined()
    expect(info.extra.map(([name]) => name)).toEqual(['__proto__', 'constructor', 'uri'])
  })
})
