import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { ALL_SEQNOS, everyRow, startV3Gateway, type V3Gateway } from '../support/v3-gateway.ts'

/** What users of other gateways have reported of tokens, deposits and domains, asked of this one over the recorded chain. */

setDefaultTimeout(120_000)

type Row = Record<string, unknown>

/** Its content is a URI on the chain with `symbol` and `decimals` beside it, and it has no admin. */
const SEMI = '0:CFD3314EB8223D0240A47B0BD9188790CB6F7B8D91438D3DEFC2D71144B33251'
const ONCHAIN = '0:F324B1D4635511547ABA3E066F12E288AE3350694CB16DE5886D29748E5849F3'
const REVOKED_ITEM = '0:14785CAD442A12F16AB1094EDF72A087F03164618678EE6852A7DFD3D5411C33'
const DOMAIN_ITEM = '0:CCCFAA86DD42DBF3CD6165F36385F35C89FE7B22D59E5F3F0EF01663A551F702'
const NO_TOKEN = '0:C4F8B4A75BBDA2C6E7D1436C92984D6D40CEC483524F1C1330D91A23F4D74206'

let gateway: V3Gateway
beforeAll(async () => {
  gateway = await startV3Gateway({ seqnos: ALL_SEQNOS, detects: true })
}, 600_000)
afterAll(() => gateway.stop())

const rows = async (path: string, key: string): Promise<Row[]> => (await gateway.get(path)).json[key] as Row[]
const v2 = async (path: string): Promise<{ status: number; result: Row }> => {
  const { status, json } = await gateway.ask(`/api/v2/${path}`)
  return { status, result: json['result'] as Row }
}
const tokenInfo = async (address: string): Promise<Row> => {
  const { json } = await gateway.get(`metadata?address=${address}`)
  return (json[address] as { token_info: Row[] }).token_info[0]!
}
const transfers = (): Promise<Row[]> => everyRow<Row>(gateway, 'jetton/transfers?sort=asc', 'jetton_transfers')

describe('token content (1.16)', () => {
  test('T1, T11: an attribute in many cells, and one in chunks, is whole', async () => {
    const [master] = await rows(`jetton/masters?address=${ONCHAIN}`, 'jetton_masters')
    const { description, image_data } = master!['jetton_content'] as Record<string, string>
    expect(description).toMatch(/^A jetton with .* in chunks: chunk two, x{200,}, chunk three\.$/)
    expect(Buffer.from(image_data!, 'base64').toString()).toMatch(/^<svg .*<\/svg>$/)
  })

  test('T3: content half on the chain and half behind a URI is both, and the chain wins', async () => {
    const [master] = await rows(`jetton/masters?address=${SEMI}`, 'jetton_masters')
    const content = { decimals: '6', symbol: 'SEMI', uri: 'https://example.com/semi.json' }
    expect(master!['jetton_content']).toEqual(content)
    const { decimals, uri } = content
    expect(await tokenInfo(SEMI)).toMatchObject({ valid: true, symbol: 'SEMI', extra: { decimals, uri } })
  })

  test('T5, T7: no admin is no key in v2 and null in v3, and the rest of the row is there', async () => {
    const { result } = await v2(`getTokenData?address=${SEMI}`)
    expect(result).not.toHaveProperty('admin_address')
    const [master] = await rows(`jetton/masters?address=${SEMI}`, 'jetton_masters')
    expect(master).toMatchObject({ admin_address: null, total_supply: result['total_supply'] })
    expect(master!['last_transaction_lt']).toMatch(/^[1-9][0-9]+$/)
  })

  test('T6, T8: a URI that leads nowhere hides no token', async () => {
    const masters = await rows('jetton/masters', 'jetton_masters')
    expect(masters).toHaveLength(4)
    const { json } = await gateway.get(`metadata?address=${masters.map(({ address }) => address).join(',')}`)
    for (const { address } of masters) {
      const { token_info } = json[String(address)] as { token_info: Row[] }
      expect(token_info.map(({ type }) => type)).toEqual(['jetton_masters'])
    }
  })

  test('T9: what is no token is 409 in v2, and has no metadata in v3', async () => {
    expect((await v2(`getTokenData?address=${NO_TOKEN}`)).status).toBe(409)
    expect((await gateway.get(`metadata?address=${NO_TOKEN}`)).json).toEqual({})
  })

  test('T13: no owner and no collection are no keys in v2, and null in v3', async () => {
    const { result } = await v2(`getTokenData?address=${REVOKED_ITEM}`)
    expect(result).not.toHaveProperty('owner_address')
    expect(result).not.toHaveProperty('collection_address')
    const [item] = await rows(`nft/items?address=${REVOKED_ITEM}`, 'nft_items')
    expect(item).toMatchObject({ owner_address: null, collection_address: null, collection: null })
  })

  test('T14: burns without a custom payload are burns', async () => {
    const burns = await rows('jetton/burns', 'jetton_burns')
    expect(burns.some(({ custom_payload }) => custom_payload === null)).toBe(true)
    for (const { query_id, amount } of burns)
      expect([query_id, amount]).toEqual([expect.any(String), expect.any(String)])
  })
})

describe('jetton transfers and deposits (1.17)', () => {
  test('D1, D7: comments in the body and in a cell of their own; all numbers are texts', async () => {
    const all = await transfers()
    const comments = all.flatMap(({ decoded_forward_payload: said }) => {
      const comment = (said as Row | null)?.['comment']
      return comment === undefined ? [] : [comment]
    })
    expect(comments).toContain('thanks for the jettons')
    expect(comments.length).toBeGreaterThan(3)
    for (const { query_id, amount, forward_ton_amount, forward_payload, transaction_lt } of all) {
      for (const number of [query_id, amount, forward_ton_amount, transaction_lt]) expect(number).toMatch(/^[0-9]+$/)
      if (forward_payload !== null) parseBocRoot(Buffer.from(String(forward_payload), 'base64'))
    }
  })

  test('D2: what is still under way is not told to be complete', async () => {
    for (const { trace_info, is_incomplete } of await rows('traces?limit=1000', 'traces'))
      expect(is_incomplete).toBe((trace_info as Row)['trace_state'] !== 'complete')
  })

  test('D4: every answer tells what block it reflects, and a later one is waited for', async () => {
    const answer = await gateway.get('jetton/wallets')
    expect(answer.headers.get('x-index-seqno')).toBe(String(ALL_SEQNOS.length))
    const later = await gateway.get(`jetton/wallets?min_mc_seqno=${ALL_SEQNOS.length + 1}`, { 'x-timeout': '300' })
    expect(later.status).toBe(409)
  })

  test('D5: a balance is what its wallet says', async () => {
    const wallets = await rows('jetton/wallets', 'jetton_wallets')
    expect(wallets.length).toBeGreaterThanOrEqual(10)
    for (const { address, balance } of wallets) {
      const body = JSON.stringify({ address, method: 'get_wallet_data', stack: [] })
      const { json } = await gateway.ask('/api/v2/runGetMethod', { method: 'POST', body })
      const [number] = (json['result'] as { stack: [string, string][] }).stack
      expect(BigInt(number![1])).toBe(BigInt(String(balance)))
    }
  })

  test('D10: a transfer that failed is none', async () => {
    const all = await transfers()
    const hashes = all.map(({ transaction_hash }) => `hash=${encodeURIComponent(String(transaction_hash))}`)
    const transactions = await rows(`transactions?limit=1000&${hashes.join('&')}`, 'transactions')
    expect(transactions).toHaveLength(all.length)
    for (const { description } of transactions) expect((description as Row)['aborted']).toBe(false)
  })
})

describe('domains (1.25)', () => {
  test('DN1: a name that nobody has is an empty answer in both versions', async () => {
    expect(await rows('dns/records?domain=nobody-has-it.ton', 'records')).toEqual([])
    const { status, result } = await v2('dnsResolve?domain=nobody-has-it.ton')
    expect([status, result['entries']]).toEqual([200, []])
  })

  test('DN2, DN5: every kind of record under its key, the same in both versions', async () => {
    const [record] = await rows('dns/records?domain=scenario-alice.ton', 'records')
    const { result } = await v2(`getTokenData?address=${DOMAIN_ITEM}`)
    const { domain, data } = result['content'] as { domain: string; data: Record<string, Row> }
    expect(Object.keys(data).sort()).toEqual(['dns_next_resolver', 'site', 'wallet'])
    const raw = (address: unknown): string => {
      const { workchain_id, address: hex } = address as Row
      return `${workchain_id}:${String(hex).toUpperCase()}`
    }
    expect(record).toEqual({
      nft_item_address: DOMAIN_ITEM,
      nft_item_owner: result['owner_address'],
      domain,
      dns_next_resolver: raw(data['dns_next_resolver']!['resolver']),
      dns_wallet: raw(data['wallet']!['smc_addr']),
      dns_site_adnl: Buffer.from(String(data['site']!['adnl_addr']), 'hex').toString('base64'),
      dns_storage_bag_id: null,
    })
  })

  test('DN3: an account is named by a domain only where it owns it', async () => {
    const [record] = await rows('dns/records?domain=scenario-alice.ton', 'records')
    const { json } = await gateway.get(`addressBook?address=${record!['dns_wallet']},${record!['nft_item_owner']}`)
    expect(record!['dns_wallet']).not.toBe(record!['nft_item_owner'])
    for (const { domain } of Object.values(json) as Row[]) expect(domain).toBeNull()
  })

  test('DN4: a name in any case and with a dot at its end is the same name in both versions', async () => {
    const record = await rows('dns/records?domain=scenario-alice.ton', 'records')
    const { entries } = (await v2('dnsResolve?domain=scenario-alice.ton')).result
    for (const form of ['Scenario-Alice.TON', 'scenario-alice.ton.', 'SCENARIO-ALICE.TON.']) {
      expect(await rows(`dns/records?domain=${form}`, 'records')).toEqual(record)
      expect((await v2(`dnsResolve?domain=${form}`)).result['entries']).toEqual(entries)
    }
    const below = await v2('dnsResolve?domain=sub.scenario-alice.ton')
    expect(below.result['entries']).toHaveLength(1)
  })
})
