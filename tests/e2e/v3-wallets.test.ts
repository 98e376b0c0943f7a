import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { friendlyAddress, rawAddressUpper, tryParseAddress } from '../../src/ton/address.ts'
import { copyExecutable, type Lonely, type Running, startExecutable } from '../support/executable.ts'
import { untilReady } from '../support/ready.ts'
import { RECORDED_NETWORK } from '../support/recorded-network.ts'

/**
 * The requests that wallets send to API v3 for what their owners hold, word by word as they send them, to the compiled
 * program with the recorded network: walletkit, MyTonWallet, Ledger, Gem.
 */

const OWNER = tryParseAddress('0:238215e50493d828cb002c2395a9cd5bc4d05c861bf007a4a50612b9f7e987ea')!
const JETTONS = [
  '0:F324B1D4635511547ABA3E066F12E288AE3350694CB16DE5886D29748E5849F3',
  '0:D197A02DEF36E5F37DC41B8C45C883951EA3A595B99EBC2536651A0EC8D93B65',
  '0:CFD3314EB8223D0240A47B0BD9188790CB6F7B8D91438D3DEFC2D71144B33251',
]
const ITEM = '0:483E81794F2177C21C6CB629E7FEE45C47A7E4D84DBC8DCB2B880F55707EC263'
const COLLECTION = '0:6866865E250041110AD33329C810F9E9F845C81280383F2F83925291454C8E27'
const FRIENDLY = friendlyAddress(OWNER)
const UNBOUNCEABLE = friendlyAddress(OWNER, { bounceable: false, testOnly: false })
const RAW = rawAddressUpper(OWNER)

type Row = Record<string, unknown>
type Answer = Record<string, unknown> & { address_book: Row; metadata: Row }

let alone: Lonely
let gateway: Running
beforeAll(async () => {
  alone = await copyExecutable()
  gateway = await startExecutable(alone, [...RECORDED_NETWORK, '--listen', '127.0.0.1:0', '--data', 'data'])
  await untilReady(gateway.url)
}, 300_000)
afterAll(async () => {
  await gateway.end('SIGKILL')
  alone.remove()
})

const ask = async (path: string, headers: Record<string, string> = {}): Promise<Answer> => {
  const response = await fetch(`${gateway.url}/api/v3/${path}`, { headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${text}`)
  expect(response.headers.get('content-type')).toContain('application/json')
  return JSON.parse(text) as Answer
}

const rows = (answer: Answer, key: string): Row[] => answer[key] as Row[]

describe('walletkit', () => {
  test('shows what an owner holds, by name', async () => {
    const answer = await ask(`jetton/wallets?owner_address=${FRIENDLY}&offset=0&limit=50`)
    const wallets = rows(answer, 'jetton_wallets')
    expect(new Set(wallets.map(({ owner }) => owner))).toEqual(new Set([RAW]))
    expect(wallets.map(({ jetton }) => String(jetton)).sort()).toEqual(JETTONS.toSorted())
    for (const { address, jetton } of wallets) {
      expect(answer.address_book[String(address)]).toBeDefined()
      const { token_info } = answer.metadata[String(jetton)] as { token_info: Row[] }
      expect(token_info[0]).toMatchObject({ type: 'jetton_masters', extra: expect.any(Object) })
    }
    const { token_info } = answer.metadata[JETTONS[2]!] as { token_info: { symbol: string; extra: Row }[] }
    expect(token_info[0]).toMatchObject({ valid: true, symbol: 'SEMI', extra: { decimals: '6' } })
  })

  test('shows one jetton, one item, the items of an owner', async () => {
    expect(rows(await ask(`jetton/masters?address=${JETTONS[0]}`), 'jetton_masters')).toMatchObject([
      { address: JETTONS[0], jetton_content: { name: expect.any(String), symbol: expect.any(String) } },
    ])
    const [item] = rows(await ask(`nft/items?address=${ITEM}`), 'nft_items')
    expect(item).toMatchObject({ address: ITEM, collection: { address: COLLECTION }, on_sale: false })
    const owned = await ask(`nft/items?owner_address=${item!['owner_address']}&limit=10&offset=0`)
    expect(rows(owned, 'nft_items').map(({ address }) => address)).toContain(ITEM)
    expect(owned.metadata[COLLECTION]).toMatchObject({ token_info: [{ valid: true, name: 'Scenario NFT' }] })
  })

  test('finds a name both ways', async () => {
    const [record] = rows(await ask('dns/records?domain=scenario-alice.ton&limit=1&offset=0'), 'records')
    expect(record!['domain']).toBe('scenario-alice.ton')
    const back = await ask(`dns/records?wallet=${record!['dns_wallet']}&limit=1&offset=0`)
    expect(rows(back, 'records')).toEqual([record!])
  })
})

describe('MyTonWallet', () => {
  test('asks for lists at commas, and with a parameter against caches', async () => {
    const { [JETTONS[0]!]: first, [JETTONS[1]!]: second } = await ask(
      `metadata?address=${JETTONS.join(',')}&_=1700000000000`,
    )
    expect(first).toMatchObject({ token_info: [{ type: 'jetton_masters' }] })
    expect(second).toBeDefined()
    const path = `jetton/wallets?owner_address=${UNBOUNCEABLE}&exclude_zero_balance=false&limit=1000&offset=0&_=1`
    expect(rows(await ask(path), 'jetton_wallets')).toHaveLength(JETTONS.length)
    const without = rows(await ask(path.replace('false', 'true')), 'jetton_wallets')
    expect(without.map(({ balance }) => balance)).not.toContain('0')
  })
})

describe('Ledger', () => {
  test('asks for the transfers and the balance of one jetton', async () => {
    const path = `jetton/transfers?address=${UNBOUNCEABLE}&limit=256&jetton_master=${JETTONS[0]}&start_lt=1&end_lt=99999999999`
    const transfers = rows(await ask(path), 'jetton_transfers')
    expect(transfers.length).toBeGreaterThan(3)
    for (const { jetton_master, source, destination } of transfers) {
      expect(jetton_master).toBe(JETTONS[0]!)
      expect([source, destination]).toContain(RAW)
    }
    const wallets = await ask(`jetton/wallets?limit=256&owner_address=${UNBOUNCEABLE}&jetton_address=${JETTONS[0]}`)
    expect(rows(wallets, 'jetton_wallets')).toMatchObject([
      { owner: RAW, jetton: JETTONS[0], balance: expect.any(String) },
    ])
  })
})

describe('Gem', () => {
  test('asks for jettons, items and a collection', async () => {
    expect(
      rows(await ask(`jetton/wallets?owner_address=${FRIENDLY}&limit=100&offset=0`), 'jetton_wallets'),
    ).toHaveLength(JETTONS.length)
    expect((await ask(`nft/items?owner_address=${FRIENDLY}&limit=1000&offset=0`))['nft_items']).toEqual(
      expect.any(Array),
    )
    expect(rows(await ask(`nft/collections?collection_address=${COLLECTION}`), 'nft_collections')).toMatchObject([
      { address: COLLECTION, next_item_index: '21', collection_content: { name: 'Scenario NFT' } },
    ])
  })
})

describe('everybody', () => {
  test('may repeat keys, write brackets, and do without names', async () => {
    const [a, b] = JETTONS
    const repeated = await ask(`jetton/masters?address=${a}&address=${b}`)
    const bracketed = await ask(`jetton/masters?address[]=${a}&ADDRESS[]=${b}`)
    const parted = await ask(`jetton/masters?address=${a},${b}`)
    expect(rows(repeated, 'jetton_masters')).toHaveLength(2)
    expect(bracketed).toEqual(repeated)
    expect(parted).toEqual(repeated)
    const plain = await ask(`jetton/masters?address=${a}`, { 'X-No-Address-Book': 'true', 'X-No-Metadata': '1' })
    expect([plain.address_book, plain.metadata]).toEqual([{}, {}])
    expect(await ask(`jetton/masters?address=${a}&x_no_address_book=1&x_no_metadata=t`)).toEqual(plain)
  })
})
