import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { friendlyAddress, tryParseAddress } from '../../src/ton/address.ts'
import { type OpenApi, schemaCheck } from '../support/answer-schema.ts'
import { startV3Gateway, type V3Gateway } from '../support/v3-gateway.ts'

/** What contracts/v3.md promises of the requests for jettons, NFTs, domains, multisigs, vesting wallets and metadata. */

const WALLET = '0:066ea63181a955c2e8c9dfaa6163ee3912195bf16ef5f8a0a666e8928059efa4'
const OTHER = '0:8f2fbec865a3334993f393dbd4695620746469fded25e8f0d570a54b7d93bd82'
const FRIENDLY = friendlyAddress(tryParseAddress(WALLET)!)

let gateway: V3Gateway
let check: ReturnType<typeof schemaCheck>
beforeAll(async () => {
  gateway = await startV3Gateway({ seqnos: [1, 2, 3] })
  check = schemaCheck((await gateway.get('openapi.json')).json as unknown as OpenApi)
}, 300_000)
afterAll(() => gateway.stop())

const MASTERS = 'jetton/masters'
const WALLETS = 'jetton/wallets'
const TRANSFERS = 'jetton/transfers'
const BURNS = 'jetton/burns'
const COLLECTIONS = 'nft/collections'
const ITEMS = 'nft/items'
const NFT_TRANSFERS = 'nft/transfers'
const SALES = 'nft/sales'
const RECORDS = 'dns/records'
const MULTISIGS = 'multisig/wallets'
const ORDERS = 'multisig/orders'
const VESTING = 'vesting'

describe('a request is refused with the text of the reference, and 422', () => {
  const lists = [MASTERS, WALLETS, TRANSFERS, BURNS, COLLECTIONS, ITEMS, NFT_TRANSFERS]
  const needing: [path: string, filter: string][] = [
    [RECORDS, 'domain=a.ton'],
    [MULTISIGS, `address=${WALLET}`],
    [ORDERS, `address=${WALLET}`],
    [VESTING, `contract_address=${WALLET}`],
  ]
  const sorted = [WALLETS, TRANSFERS, BURNS, NFT_TRANSFERS, `${MULTISIGS}?address=${WALLET}`]
  const query = (path: string, more: string): string => `${path}${path.includes('?') ? '&' : '?'}${more}`
  const cases: [path: string, text: string | RegExp][] = [
    ...lists.map((path): [string, string] => [`${path}?limit=1001`, 'limit is not allowed: 1001 > 1000']),
    ...needing.map(([path, filter]): [string, string] => [
      `${path}?${filter}&limit=1001`,
      'limit is not allowed: 1001 > 1000',
    ]),
    ...sorted.map((path): [string, string] => [query(path, 'sort=up'), 'wrong value for sort parameter: "up"']),
    [
      `${WALLETS}?jetton_address=${WALLET}&jetton_address=${OTHER}`,
      'exact one owner_address required for multiple jetton_address',
    ],
    [
      `${WALLETS}?jetton_address=${WALLET},${OTHER}&owner_address=${WALLET},${OTHER}`,
      'exact one owner_address required for multiple jetton_address',
    ],
    [`${WALLETS}?jetton_master_address=${WALLET}`, /^unknown parameter "jetton_master_address"/],
    [`${WALLETS}?jetton_adress=${WALLET}`, 'unknown parameter "jetton_adress", did you mean "jetton_address"?'],
    [`${WALLETS}?owner_address=bad`, /index 0 of "owner_address": "bad" is not an address/],
    [`${TRANSFERS}?direction=sideways`, /^direction should be one of: in, out, both/],
    [`${TRANSFERS}?address=bad`, /is not an address/],
    [
      `${ITEMS}?collection_address=${WALLET}&collection_address=${OTHER}`,
      'exact one owner_address required for multiple collection_address',
    ],
    [`${ITEMS}?collection_address=${WALLET}&index=0x1`, 'index should contain digits only'],
    [`${ITEMS}?collection_address=${WALLET}&index=-1`, 'index should contain digits only'],
    [`${ITEMS}?collection_address=${WALLET}&index=${2n ** 256n}`, 'index should not exceed 256 bits'],
    [`${ITEMS}?collection_address=${WALLET}&index=${'9'.repeat(5000)}`, 'index should not exceed 256 bits'],
    [`${ITEMS}?index=1`, 'index parameter is not allowed without the collection_address'],
    [SALES, 'at least 1 address required'],
    [`${SALES}?address=${Array.from({ length: 1001 }, () => FRIENDLY).join(',')}`, 'maximum 1000 addresses allowed'],
    [RECORDS, 'either wallet address or domain is required'],
    [`${RECORDS}?wallet=&domain=`, 'either wallet address or domain is required'],
    [`${RECORDS}?wallet=${WALLET}&domain=a.ton`, 'provide either wallet address or domain, not both'],
    [MULTISIGS, 'At least one of address or wallet_address should be specified'],
    [ORDERS, 'At least one of address or multisig_address should be specified'],
    [VESTING, 'at least one of contract_address or wallet_address is required'],
    [
      `${VESTING}?contract_address=${WALLET}&wallet_address=${WALLET}`,
      'only one of contract_address or wallet_address should be specified',
    ],
    ['metadata', 'at least 1 address required'],
  ]
  for (const [path, text] of cases) {
    test(path.slice(0, 120), async () => {
      const answer = await gateway.get(path)
      expect([answer.status, answer.json]).toEqual([
        422,
        { error: typeof text === 'string' ? text : expect.stringMatching(text), code: 422 },
      ])
    })
  }
})

describe('requests of wallets are answered as the schema says', () => {
  const queries: Record<string, string> = {
    'walletkit: one item': `${ITEMS}?address=${WALLET}`,
    'walletkit: items': `${ITEMS}?owner_address=${FRIENDLY}&limit=10&offset=0`,
    'walletkit: master': `${MASTERS}?address=${WALLET}`,
    'walletkit: jettons': `${WALLETS}?owner_address=${FRIENDLY}&offset=0&limit=50`,
    'walletkit: domain': `${RECORDS}?domain=alice.ton&limit=1&offset=0`,
    'walletkit: name': `${RECORDS}?wallet=${FRIENDLY}&limit=1&offset=0`,
    'MyTonWallet: jettons': `${WALLETS}?owner_address=${WALLET}&exclude_zero_balance=false&limit=1000&offset=0&_=1700000000000`,
    'MyTonWallet: metadata': `metadata?address=${WALLET},${OTHER}&_=1`,
    'Ledger: transfers': `${TRANSFERS}?address=${FRIENDLY}&limit=256&jetton_master=${OTHER}&start_lt=1&end_lt=99999999`,
    'Ledger: jettons': `${WALLETS}?limit=256&owner_address=${FRIENDLY}&jetton_address=${OTHER}`,
    'Gem: items': `${ITEMS}?owner_address=${FRIENDLY}&limit=1000&offset=0`,
    'Gem: collection': `${COLLECTIONS}?collection_address=${OTHER}`,
    'names in any case, lists with brackets': `${WALLETS}?Owner_Address[]=${WALLET}&OWNER_ADDRESS[]=${OTHER}&Sort=D`,
    'one owner, many jettons': `${WALLETS}?owner_address=${WALLET}&jetton_address=${WALLET},${OTHER}`,
    'transfers in both directions': `${TRANSFERS}?owner_address=${WALLET}&direction=both`,
    burns: `${BURNS}?address=${WALLET}&start_utime=1&end_utime=1700000000.5`,
    'items by index': `${ITEMS}?collection_address=${OTHER}&index=0,1&index=${2n ** 256n - 1n}`,
    'items on sale': `${ITEMS}?owner_address=${WALLET}&include_on_sale=1&sort_by_last_transaction_lt=t`,
    'NFT transfers': `${NFT_TRANSFERS}?owner_address=${WALLET}&direction=in&item_address=${OTHER}&collection_address=${OTHER}`,
    sales: `${SALES}?address=${WALLET},${OTHER}`,
    multisigs: `${MULTISIGS}?wallet_address=${WALLET}&include_orders=false`,
    orders: `${ORDERS}?multisig_address=${WALLET}&parse_actions=true&sort=asc`,
    vesting: `${VESTING}?wallet_address=${WALLET}&check_whitelist=true`,
    'metadata of what is no address': 'metadata?address=bad',
  }
  for (const [name, path] of Object.entries(queries)) {
    test(name, async () => {
      const answer = await gateway.get(path)
      if (answer.status !== 200) throw new Error(answer.text)
      expect(check(`/api/v3/${path.split('?')[0]}`, 'get', 200, answer.json)).toEqual([])
    })
  }
})
