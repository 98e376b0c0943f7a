import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { openApiV3Document } from '../../src/api/docs/openapi-v3.ts'
import { goJson } from '../../src/api/v3/go-json.ts'
import { V3_METHODS } from '../../src/api/v3/method-table.ts'
import type { Row } from '../../src/api/v3/row-page.ts'
import { dnsRecord } from '../../src/api/v3/serialize/dns.ts'
import { jettonMaster, jettonWallet } from '../../src/api/v3/serialize/jettons.ts'
import { multisig, multisigOrder, withOrders } from '../../src/api/v3/serialize/multisig.ts'
import { nftSale } from '../../src/api/v3/serialize/nft-sales.ts'
import { nftCollection, nftItem } from '../../src/api/v3/serialize/nfts.ts'
import { tokenRole } from '../../src/api/v3/serialize/token-info.ts'
import { vestingInfo } from '../../src/api/v3/serialize/vesting.ts'
import type { DetectedAccount, Entity } from '../../src/model/entities.ts'
import { type OpenApi, schemaCheck } from '../support/answer-schema.ts'
import { someDetected } from '../support/entity-arbitrary.ts'

/** Whatever an account says that it is, the answer about it is as the published schema says. */

const document = openApiV3Document({ methods: V3_METHODS, basePath: '/api/v3', version: '1.0.0' })
const check = schemaCheck(document as unknown as OpenApi)

interface Answer {
  path: string
  key: string
  row: string
  addresses: Row['addresses']
}

const answer = (path: string, key: string, { wire, addresses }: Row): Answer => ({
  path,
  key,
  row: goJson(wire),
  addresses,
})

/** The row of one thing that an account is. */
const answerOf = (account: Omit<DetectedAccount, 'entities'>, entity: Entity): Answer => {
  switch (entity._) {
    case 'jetton_master':
      return answer('jetton/masters', 'jetton_masters', jettonMaster({ ...account, entity }))
    case 'jetton_wallet':
      return answer('jetton/wallets', 'jetton_wallets', jettonWallet({ ...account, entity }))
    case 'nft_collection':
      return answer('nft/collections', 'nft_collections', nftCollection({ ...account, entity }))
    case 'nft_item':
      return answer('nft/items', 'nft_items', nftItem({ ...account, entity, collection: null, sale: null }))
    case 'dns_entry':
      return answer('dns/records', 'records', dnsRecord({ ...account, entity }))
    case 'getgems_sale':
      return answer('nft/sales', 'nft_sales', nftSale({ ...account, entity }, undefined))
    case 'getgems_auction':
      return answer('nft/sales', 'nft_sales', nftSale({ ...account, entity }, undefined))
    case 'telemint':
      return answer('nft/sales', 'nft_sales', nftSale({ ...account, entity }, undefined))
    case 'multisig': {
      const { row, ...rest } = answer('multisig/wallets', 'multisigs', multisig({ ...account, entity }))
      return { ...rest, row: withOrders(row, null) }
    }
    case 'multisig_order':
      return answer('multisig/orders', 'orders', multisigOrder({ ...account, entity }, { parseActions: true }))
    case 'vesting':
      return answer('vesting', 'vesting_contracts', vestingInfo({ ...account, entity }))
  }
}

const answersOf = ({ entities, ...account }: DetectedAccount): Answer[] =>
  entities.map((entity) => answerOf(account, entity))

const WITHOUT_METADATA = new Set(['dns/records', 'multisig/wallets', 'multisig/orders', 'vesting'])
const ADDRESS = /"(-?\d+:[0-9A-F]{64})"/g

test('each row fits its schema, and all addresses in it are named', () => {
  fc.assert(
    fc.property(someDetected, (account) => {
      for (const { path, key, row, addresses } of answersOf(account)) {
        const names = { address_book: {}, ...(WITHOUT_METADATA.has(path) ? {} : { metadata: {} }) }
        expect(check(`/api/v3/${path}`, 'get', 200, { [key]: [JSON.parse(row)], ...names })).toEqual([])
        const named = new Set(addresses)
        for (const [, address] of row.matchAll(ADDRESS)) expect(named).toContain(address!)
      }
    }),
    { numRuns: 500 },
  )
})

test('what is told of each token fits its schema', () => {
  fc.assert(
    fc.property(someDetected, fc.constantFrom('failed', 'waiting', 'ready'), ({ entities, ...account }, state) => {
      const roles = entities.flatMap((entity) => {
        const found = state === 'waiting' ? undefined : state === 'failed' ? FAILED : READY
        switch (entity._) {
          case 'jetton_master':
            return [tokenRole({ ...account, entity }, () => found)]
          case 'jetton_wallet':
            return [tokenRole({ ...account, entity }, () => found)]
          case 'nft_collection':
            return [tokenRole({ ...account, entity }, () => found)]
          case 'nft_item':
            return [tokenRole({ ...account, entity }, () => found)]
        }
        return []
      })
      const token_info = roles.map(({ text }) => JSON.parse(text))
      const json = { '0:00': { is_indexed: true, token_info } }
      expect(check('/api/v3/metadata', 'get', 200, json)).toEqual([])
      if (state !== 'waiting') for (const role of roles) expect(role.is_indexed).toBe(true)
    }),
    { numRuns: 300 },
  )
})

const FAILED = { _: 'failed' } as const
const READY = { _: 'ready', members: [['name', '"a name"'] as const, ['attributes', '[{"a":1}]'] as const] } as const
