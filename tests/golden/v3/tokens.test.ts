import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Address, rawAddressUpper, tryParseAddress } from '../../../src/ton/address.ts'
import { recordedLines } from '../../support/recorded-lines.ts'
import { ALL_SEQNOS, everyRow, startV3Gateway, type V3Gateway } from '../../support/v3-gateway.ts'

/** The tokens of the recorded network as the reference told of them through API v2, against the rows of API v3. */

setDefaultTimeout(120_000)

type Fields = Record<string, unknown>

interface Line {
  method: string
  query: { address?: string }
  status: number
  response: { result: Fields }
}

const LISTS: Record<string, { path: string; key: string; filter: string }> = {
  jetton_master: { path: 'jetton/masters', key: 'jetton_masters', filter: 'address' },
  jetton_wallet: { path: 'jetton/wallets', key: 'jetton_wallets', filter: 'address' },
  nft_collection: { path: 'nft/collections', key: 'nft_collections', filter: 'collection_address' },
  nft_item: { path: 'nft/items', key: 'nft_items', filter: 'address' },
}

const rawOf = (text: string): string => {
  const address: Address | undefined = tryParseAddress(text)
  if (!address) throw new Error(`no address: ${text}`)
  return rawAddressUpper(address)
}

const ADDRESSES = new Set(['owner', 'jetton', 'owner_address', 'admin_address', 'collection_address'])

/** An item's content is made by its collection, and is as it was when the item changed last. */
const isOlder = ({ last_transaction_lt, collection }: Fields): boolean =>
  BigInt(String(last_transaction_lt)) < BigInt(String((collection as Fields | null)?.['last_transaction_lt'] ?? 0))

/** API v2 leaves an address that is not there out, and says of what kind content is. */
const inV3 = (name: string, value: unknown): unknown => {
  if (ADDRESSES.has(name)) return rawOf(String(value))
  if (!name.endsWith('content')) return value
  const content = value as { type?: string; data: unknown; domain?: string }
  if (content.domain !== undefined) return { domain: content.domain }
  return content.type === 'offchain' ? { uri: content.data } : content.data
}

const SHARED: Record<string, readonly string[]> = {
  jetton_master: ['total_supply', 'mintable', 'admin_address', 'jetton_content'],
  jetton_wallet: ['balance', 'owner', 'jetton'],
  nft_collection: ['next_item_index', 'owner_address', 'collection_content'],
  nft_item: ['init', 'index', 'collection_address', 'owner_address', 'content'],
}

let gateway: V3Gateway
beforeAll(async () => {
  gateway = await startV3Gateway({ seqnos: ALL_SEQNOS, detects: true })
}, 600_000)
afterAll(() => gateway.stop())

const told = recordedLines<Line>('v2-reference.jsonl').filter(({ method }) => method === 'getTokenData')
const tokens = told.filter(({ status }) => status === 200).map(({ response }) => response.result)

describe('API v3 serves of the recording', () => {
  test('every token that the reference knew, with the values that it told', async () => {
    expect(tokens.length).toBeGreaterThanOrEqual(20)
    for (const token of tokens) {
      const kind = String(token['contract_type'])
      const { path, key, filter } = LISTS[kind]!
      const { json } = await gateway.get(`${path}?${filter}=${token['address']}`)
      const [row] = json[key] as Fields[]
      const names = SHARED[kind]!.filter((name) => name !== 'content' || !isOlder(row!))
      expect(Object.fromEntries([['address', row?.['address']], ...names.map((name) => [name, row?.[name]])])).toEqual(
        Object.fromEntries([
          ['address', token['address']],
          ...names.map((name) => [name, name in token ? inV3(name, token[name]) : null]),
        ]),
      )
    }
  })

  test('no token where the reference knew none, and its metadata where it did', async () => {
    const asked = told.flatMap(({ query: { address } }) =>
      address !== undefined && tryParseAddress(address) ? [rawOf(address)] : [],
    )
    const { json } = await gateway.get(`metadata?${asked.map((address) => `address=${address}`).join('&')}`)
    const masters = tokens.flatMap(({ jetton }) => (jetton === undefined ? [] : [rawOf(String(jetton))]))
    const expected = new Set([...tokens.map(({ address }) => String(address)), ...masters])
    expect(new Set(Object.keys(json))).toEqual(expected)
    for (const token of tokens) {
      const { token_info } = json[String(token['address'])] as { token_info: Fields[] }
      expect(token_info.map(({ type }) => type)).toEqual([`${token['contract_type']}s`])
    }
  })

  test('each token once in its list', async () => {
    for (const [kind, { path, key }] of Object.entries(LISTS)) {
      const rows = (await everyRow<Fields>(gateway, `${path}?offset=0`, key)).map(({ address }) => String(address))
      expect(new Set(rows).size).toBe(rows.length)
      const known = tokens.filter(({ contract_type }) => contract_type === kind).map(({ address }) => String(address))
      expect(rows).toEqual(expect.arrayContaining(known))
    }
  })
})
