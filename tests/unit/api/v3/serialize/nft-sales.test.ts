import { expect, test } from 'bun:test'
import { goJson } from '../../../../../src/api/v3/go-json.ts'
import { type NftSaleRecord, nftSale } from '../../../../../src/api/v3/serialize/nft-sales.ts'
import type { NftItemRecord } from '../../../../../src/model/entity-records.ts'
import { type Address, rawAddressUpper } from '../../../../../src/ton/address.ts'

const account = (n: number): Address => ({ workchain: 0, hash: Buffer.alloc(32, n) })
const raw = (n: number): string => rawAddressUpper(account(n))
const stored = { last_transaction_lt: 5n, code_hash: Buffer.alloc(32), data_hash: null }
const HASH = Buffer.alloc(32).toString('base64')

const sold: NftItemRecord = {
  ...stored,
  address: account(2),
  entity: {
    _: 'nft_item',
    init: true,
    index: 7n,
    collection_address: null,
    owner_address: account(1),
    content: { _: 'offchain', uri: 'u' },
  },
  collection: null,
  sale: null,
}

const auction: NftSaleRecord = {
  ...stored,
  address: account(1),
  entity: {
    _: 'getgems_auction',
    end_flag: false,
    end_time: 100,
    marketplace_address: account(3),
    nft_address: account(2),
    nft_owner_address: account(4),
    last_bid: 0n,
    last_member: null,
    min_step: 5n,
    mp_fee_address: account(5),
    mp_fee_factor: 1n,
    mp_fee_base: 100n,
    royalty_fee_address: null,
    royalty_fee_factor: 2n,
    royalty_fee_base: 2n ** 60n,
    max_bid: 2n ** 100n,
    min_bid: 1n,
    created_at: 50,
    last_bid_at: 0,
    is_canceled: false,
  },
}

test('an auction, with the item that it sells', () => {
  const { wire, addresses } = nftSale(auction, sold)
  expect(goJson(wire)).toBe(
    `{"type":"getgems_auction","address":"${raw(1)}","nft_address":"${raw(2)}","nft_owner_address":"${raw(4)}",` +
      `"marketplace_address":"${raw(3)}","created_at":50,"last_transaction_lt":"5","code_hash":"${HASH}",` +
      `"details":{"end_flag":false,"end_time":100,"last_bid":"0","min_step":5,"mp_fee_address":"${raw(5)}",` +
      `"mp_fee_factor":1,"mp_fee_base":100,"royalty_fee_factor":2,"royalty_fee_base":1152921504606846976,` +
      `"max_bid":"1267650600228229401496703205376","min_bid":"1","last_bid_at":0,"is_canceled":false},` +
      `"nft_item":{"address":"${raw(2)}","init":true,"index":"7","collection_address":null,"owner_address":"${raw(1)}",` +
      `"content":{"uri":"u"},"last_transaction_lt":"5","code_hash":"${HASH}","data_hash":null,"collection":null,"on_sale":false}}`,
  )
  expect(new Set(addresses)).toEqual(new Set([...[1, 2, 3, 4, 5].map(raw), null]))
})

test('a telemint item sells itself', () => {
  const { wire } = nftSale(
    {
      ...stored,
      address: account(2),
      entity: {
        _: 'telemint',
        token_name: 'name',
        bidder_address: null,
        bid: null,
        bid_ts: null,
        min_bid: null,
        end_time: null,
        beneficiary_address: account(9),
        initial_min_bid: 10n,
        max_bid: 0n,
        min_bid_step: 5n,
        min_extend_time: 3600n,
        duration: 604800n,
        royalty_numerator: 5n,
        royalty_denominator: 100n,
        royalty_destination: account(9),
      },
    },
    undefined,
  )
  expect(JSON.parse(goJson(wire))).toEqual({
    type: 'telemint',
    address: raw(2),
    nft_address: raw(2),
    last_transaction_lt: '5',
    code_hash: HASH,
    details: {
      token_name: 'name',
      beneficiary_address: raw(9),
      initial_min_bid: '10',
      max_bid: '0',
      min_bid_step: '5',
      min_extend_time: '3600',
      duration: '604800',
      royalty_numerator: 5,
      royalty_denominator: 100,
      royalty_destination: raw(9),
    },
  })
})

test('a sale at a fixed price', () => {
  const { wire } = nftSale(
    {
      ...stored,
      address: account(1),
      entity: {
        _: 'getgems_sale',
        is_complete: true,
        created_at: 9,
        marketplace_address: null,
        nft_address: account(2),
        nft_owner_address: null,
        full_price: 10n,
        marketplace_fee_address: null,
        marketplace_fee: 1n,
        royalty_address: null,
        royalty_amount: 2n,
      },
    },
    undefined,
  )
  expect(JSON.parse(goJson(wire))).toEqual({
    type: 'getgems_sale',
    address: raw(1),
    nft_address: raw(2),
    created_at: 9,
    last_transaction_lt: '5',
    code_hash: HASH,
    details: { is_complete: true, full_price: '10', marketplace_fee: '1', royalty_amount: '2' },
  })
})
