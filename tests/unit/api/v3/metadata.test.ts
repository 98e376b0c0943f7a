import { expect, test } from 'bun:test'
import { createMetadata } from '../../../../src/api/v3/metadata.ts'
import { createTextWriter } from '../../../../src/api/v3/text-writer.ts'
import { systemClock } from '../../../../src/common/clock.ts'
import type { Entity, EntityKind, EntityOf } from '../../../../src/model/entities.ts'
import type { EntityRecord } from '../../../../src/model/entity-records.ts'
import type { TokenContent } from '../../../../src/model/token-content.ts'
import type { DocumentOf } from '../../../../src/model/token-info.ts'
import { type Address, rawAddressUpper, sameAddress } from '../../../../src/ton/address.ts'

const account = (n: number): Address => ({ workchain: 0, hash: Buffer.alloc(32, n) })
const raw = (n: number): string => rawAddressUpper(account(n))

const onchain = (attributes: Record<string, string>): TokenContent => ({ _: 'onchain', attributes })
const offchain = (uri: string): TokenContent => ({ _: 'offchain', uri })

const master = (jetton_content: TokenContent): Entity => ({
  _: 'jetton_master',
  total_supply: 1n,
  mintable: true,
  admin_address: null,
  jetton_content,
  jetton_wallet_code_hash: Buffer.alloc(32),
})
const wallet = (jetton: number): Entity => ({
  _: 'jetton_wallet',
  balance: 2n ** 100n,
  owner: account(99),
  jetton: account(jetton),
  mintless_is_claimed: null,
})
const item = (content: EntityOf<'nft_item'>['content']): Entity => ({
  _: 'nft_item',
  init: true,
  index: 2n ** 256n - 1n,
  collection_address: null,
  owner_address: null,
  content,
})

type Row = Omit<EntityRecord<EntityKind>, 'entity'> & { entity: Entity }

const isKind =
  <K extends EntityKind>(kind: K) =>
  (row: Row): row is Row & EntityRecord<K> =>
    row.entity._ === kind

const metadataOver = (entities: [number, Entity][], documentOf: DocumentOf, wanted = true) => {
  const rows = entities.map(([n, entity]) => ({
    address: account(n),
    last_transaction_lt: 1n,
    code_hash: null,
    data_hash: null,
    entity,
  }))
  const index = {
    entities: <K extends EntityKind>(kind: K, addresses: readonly Address[]): EntityRecord<K>[] =>
      rows.flatMap((row) =>
        isKind(kind)(row) && addresses.some((each) => sameAddress(each, row.address)) ? [row] : [],
      ),
  }
  const { writer } = createTextWriter(systemClock, new AbortController().signal, { characters: 0 })
  return createMetadata({ index, documentOf, writer, wanted })
}

const NONE: DocumentOf = () => ({ _: 'failed' })
const WAITING: DocumentOf = () => undefined

const read = async (entities: [number, Entity][], documentOf: DocumentOf, addresses: readonly string[]) =>
  JSON.parse(await metadataOver(entities, documentOf).of(addresses))

test('what stands on the chain is told at once, and a wallet brings its master', async () => {
  const entities: [number, Entity][] = [
    [1, master(onchain({ name: 'One <b>', symbol: 'ONE', decimals: '9', image_data: 'AAAA' }))],
    [2, wallet(1)],
  ]
  const text = await metadataOver(entities, WAITING).of([raw(2), raw(3), 'addr_none'])
  expect(text).toBe(
    `{"${raw(1)}":{"is_indexed":true,"token_info":[{"valid":true,"type":"jetton_masters","name":"One \\u003cb\\u003e","symbol":"ONE","is_nsfw":false,"is_scam":false,"extra":{"decimals":"9","image_data":"AAAA"}}]},` +
      `"${raw(2)}":{"is_indexed":true,"token_info":[{"valid":true,"type":"jetton_wallets","extra":{"balance":"1267650600228229401496703205376","jetton":"${raw(1)}","owner":"${raw(99)}"}}]}}`,
  )
})

test('what is still to be fetched is not indexed; what came to nothing hides nothing of the chain', async () => {
  const entities: [number, Entity][] = [
    [1, master(offchain('https://x'))],
    [2, master(onchain({ symbol: 'TWO', uri: 'https://x' }))],
  ]
  const both = [raw(1), raw(2)]
  expect(await read(entities, WAITING, both)).toEqual({
    [raw(1)]: { is_indexed: false, token_info: [{ type: 'jetton_masters', extra: { uri: 'https://x' } }] },
    [raw(2)]: {
      is_indexed: false,
      token_info: [
        {
          valid: true,
          type: 'jetton_masters',
          symbol: 'TWO',
          is_nsfw: false,
          is_scam: false,
          extra: { uri: 'https://x' },
        },
      ],
    },
  })
  expect(await read(entities, NONE, both)).toMatchObject({
    [raw(1)]: { is_indexed: true, token_info: [{ valid: false, type: 'jetton_masters' }] },
    [raw(2)]: { is_indexed: true, token_info: [{ valid: true, symbol: 'TWO' }] },
  })
})

test('what was fetched keeps each digit, and stands below the chain', async () => {
  const members = [
    ['name', '"fetched"'],
    ['symbol', '"F"'],
    ['supply', '123456789012345678901'],
    ['tag', '"<&>"'],
  ] as const
  const entities: [number, Entity][] = [[1, master(onchain({ name: 'own', uri: 'u' }))]]
  const text = await metadataOver(entities, () => ({ _: 'ready', members })).of([raw(1)])
  expect(text).toBe(
    `{"${raw(1)}":{"is_indexed":true,"token_info":[{"valid":true,"type":"jetton_masters","name":"own","symbol":"F","is_nsfw":false,"is_scam":false,` +
      `"extra":{"supply":123456789012345678901,"tag":"\\u003c\\u0026\\u003e","uri":"u"}}]}}`,
  )
})

test('all roles of an address are told, and items their index', async () => {
  const entities: [number, Entity][] = [
    [1, master(onchain({ symbol: 'X' }))],
    [1, item({ _: 'domain', domain: 'a.ton' })],
    [4, item(onchain({}))],
  ]
  const index = String(2n ** 256n - 1n)
  expect(await read(entities, NONE, [raw(1), raw(4)])).toEqual({
    [raw(1)]: {
      is_indexed: true,
      token_info: [
        {
          valid: true,
          type: 'nft_items',
          nft_index: index,
          is_nsfw: false,
          is_scam: false,
          extra: { domain: 'a.ton' },
        },
        { valid: true, type: 'jetton_masters', symbol: 'X', is_nsfw: false, is_scam: false },
      ],
    },
    [raw(4)]: { is_indexed: true, token_info: [{ valid: false, type: 'nft_items', nft_index: index }] },
  })
})

test('who wants none gets none, but where it is the answer', async () => {
  const metadata = metadataOver([[1, master(onchain({ symbol: 'X' }))]], NONE, false)
  expect(await metadata.of([raw(1)])).toBe('{}')
  expect(Object.keys(JSON.parse(await metadata.always([raw(1)])))).toEqual([raw(1)])
})
