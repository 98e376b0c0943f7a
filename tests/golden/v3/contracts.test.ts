import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { adnlAddressText } from '../../../src/ton/adnl-address.ts'
import { ALL_SEQNOS, everyRow, startV3Gateway, type V3Gateway } from '../../support/v3-gateway.ts'

/** Multisig, vesting, domains and sales of the recording, against what their get-methods answer at its end. */

setDefaultTimeout(120_000)

const MULTISIG = '0:248B7F45389E6780E78BE8B6EFEC1F4A4DB635F77CD8C1182EFE778356C9E285'
const ORDERS = [
  '0:F894811716AD44B89EC3B9D89652B9444A84AF4DDED642A81AE077E9F72D440F',
  '0:500D4334AA103F9B607AB3C0EB82D579C9172E7FC5E976A52E3D0BCC05E2B6EB',
  '0:360EBB1A7FFE0065E8D3EDCD342A854BC05C45585CC534F44013FD8F1AE1C936',
  '0:5572BFD5B52EFCE0FC160037648D5D4B8F692B1B31F5054F96FC9B7D1D309E5C',
]
const VESTING = '0:B4143A29E3AD69E3C675C6BD9A6DC41B7EAE47805A0FE0559C61CEC365436D50'
const DOMAIN = '0:CCCFAA86DD42DBF3CD6165F36385F35C89FE7B22D59E5F3F0EF01663A551F702'
const SALE = '0:7B07408BD226AA0A611B2EC5F42BB8A67C3104C7AE23924175B0CCB0F6703894'
const SOLD_ITEM = '0:483E81794F2177C21C6CB629E7FEE45C47A7E4D84DBC8DCB2B880F55707EC263'

type Row = Record<string, unknown>
interface Entry {
  type: string
  value: string
}

let gateway: V3Gateway
beforeAll(async () => {
  gateway = await startV3Gateway({ seqnos: ALL_SEQNOS, detects: true })
}, 600_000)
afterAll(() => gateway.stop())

const rows = async (path: string, key: string): Promise<Row[]> => {
  const { status, text, json } = await gateway.get(path)
  if (status !== 200) throw new Error(text)
  return json[key] as Row[]
}

const run = async (address: string, method: string): Promise<Entry[]> => {
  const { json } = await gateway.post('runGetMethod', { address, method, stack: [] })
  expect(json['exit_code']).toBe(0)
  return json['stack'] as Entry[]
}

const numberOf = (entry: Entry | undefined): bigint => {
  const text = entry!.value
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)
}

describe('API v3 serves of the recording', () => {
  test('its multisig and all orders of it, as they tell', async () => {
    const [multisig, ...others] = await rows(`multisig/wallets?address=${MULTISIG}`, 'multisigs')
    expect(others).toEqual([])
    const [next, threshold] = await run(MULTISIG, 'get_multisig_data')
    expect(multisig).toMatchObject({
      address: MULTISIG,
      next_order_seqno: String(numberOf(next)),
      threshold: Number(numberOf(threshold)),
    })
    const orders = multisig!['orders'] as Row[]
    expect(orders.map(({ address, order_seqno }) => [order_seqno, address]).sort()).toEqual(
      ORDERS.map((address, seqno) => [String(seqno), address]),
    )
    expect(orders.map(({ actions }) => actions)).toEqual([null, null, null, null])
    for (const order of orders) {
      const stack = await run(String(order['address']), 'get_order_data')
      const [, seqno, threshold, sent, , mask, approvals, expires, cell] = stack
      expect(order).toMatchObject({
        multisig_address: MULTISIG,
        order_seqno: String(numberOf(seqno)),
        threshold: Number(numberOf(threshold)),
        sent_for_execution: numberOf(sent) !== 0n,
        approvals_mask: String(numberOf(mask)),
        approvals_num: Number(numberOf(approvals)),
        expiration_date: Number(numberOf(expires)),
        order_boc: cell!.value,
      })
    }
  })

  test('a multisig by its members, without its orders where they are not wanted', async () => {
    const [multisig] = await rows(`multisig/wallets?address=${MULTISIG}`, 'multisigs')
    const members = [...(multisig!['signers'] as string[]), ...(multisig!['proposers'] as string[])]
    expect(members.length).toBeGreaterThan(1)
    for (const member of members) {
      const found = await rows(`multisig/wallets?wallet_address=${member}&include_orders=0`, 'multisigs')
      expect(found).toEqual([{ ...multisig, orders: null }])
    }
  })

  test('what the orders do', async () => {
    const orders = await everyRow<Row>(
      gateway,
      `multisig/orders?multisig_address=${MULTISIG}&parse_actions=true&sort=asc`,
      'orders',
    )
    const actions = new Map(orders.map(({ order_seqno, actions }) => [order_seqno, actions as Row[]]))
    expect(actions.get('0')).toHaveLength(2)
    expect(actions.get('0')).toMatchObject([
      { parsed: true, error: null, parsed_body_type: 'ton_transfer', parsed_body: { encrypted: false } },
      { parsed: true, error: null, parsed_body_type: 'ton_transfer', parsed_body: { encrypted: false } },
    ])
    expect(actions.get('2')).toMatchObject([
      { destination: null, value: null, body_raw: null, parsed_body_type: 'multisig_update_params' },
    ])
    expect((actions.get('2')![0]!['parsed_body'] as Row)['new_threshold']).toBe(1)
  })

  test('its vesting wallet, by itself, its owner, its sender and its whitelist', async () => {
    const [vesting] = await rows(`vesting?contract_address=${VESTING}`, 'vesting_contracts')
    const stack = await run(VESTING, 'get_vesting_data')
    const [start, duration, unlock, cliff, total] = stack.map((entry) => (entry.type === 'num' ? numberOf(entry) : 0n))
    expect(vesting).toMatchObject({
      address: VESTING,
      start_time: Number(start),
      total_duration: Number(duration),
      unlock_period: Number(unlock),
      cliff_duration: Number(cliff),
      total_amount: String(total),
    })
    const whitelist = vesting!['whitelist'] as string[]
    expect(whitelist).toHaveLength(2)
    for (const wallet of [vesting!['owner_address'], vesting!['sender_address']])
      expect(await rows(`vesting?wallet_address=${wallet}`, 'vesting_contracts')).toEqual([vesting!])
    const member = whitelist.find((each) => each !== vesting!['owner_address'])
    expect(await rows(`vesting?wallet_address=${member}`, 'vesting_contracts')).toEqual([])
    expect(await rows(`vesting?wallet_address=${member}&check_whitelist=1`, 'vesting_contracts')).toEqual([vesting!])
  })

  test('a domain, as API v2 resolves it, in any case', async () => {
    const [record, ...others] = await rows('dns/records?domain=Scenario-ALICE.ton', 'records')
    expect(others).toEqual([])
    expect(record).toMatchObject({ domain: 'scenario-alice.ton', nft_item_address: DOMAIN })
    const answer = await gateway.ask('/api/v2/dnsResolve?domain=scenario-alice.ton')
    const wallet = String(record!['dns_wallet'])
    for (const address of [wallet, String(record!['dns_next_resolver'])]) expect(answer.text).toContain(`"${address}"`)
    expect(answer.text).toContain(adnlAddressText(Buffer.from(String(record!['dns_site_adnl']), 'base64')))
    expect(record!['dns_storage_bag_id']).toBeNull()
    expect(await rows(`dns/records?wallet=${wallet}`, 'records')).toEqual([record!])
  })

  test('a sale that is over, with the item that it sold', async () => {
    const [sale] = await rows(`nft/sales?address=${SALE},${DOMAIN}`, 'nft_sales')
    expect(sale).toMatchObject({
      type: 'getgems_sale',
      address: SALE,
      nft_address: SOLD_ITEM,
      details: { is_complete: true, full_price: '10000000000' },
      nft_item: { address: SOLD_ITEM, on_sale: false, collection: { address: expect.any(String) } },
    })
  })
})
