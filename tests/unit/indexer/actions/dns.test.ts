import { describe, expect, test } from 'bun:test'
import { beginCell } from '../../../../src/ton/builder.ts'
import { factsOf, onlyAction, query, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'

const NAME = factsOf({
  2: {
    nft_item: {
      index: 9n,
      collection_address: accountNo(8),
      owner_address: null,
      content: { _: 'domain', domain: 'a.ton' },
    },
    dns_entry: { domain: 'a.ton' },
  },
})
const KEY = Buffer.alloc(32, 0xab)
const asking = (body: MadeMessage['body'], sends: MadeMessage[] = []) =>
  madeTrace({ to: 1, sends: [{ to: 2, value: 30n, body: body!, sends }] })
const setting = (value: ReturnType<typeof beginCell>) =>
  asking(query(0x4eb1f0f9).bytes(KEY).ref(value.endCell()).endCell())

const NO_VALUE = {
  sum_type: null,
  dns_smc_address: null,
  dns_adnl_address: null,
  dns_text: null,
  dns_next_resolver_address: null,
  dns_storage_address: null,
  flags: null,
}

describe('a record of a name', () => {
  const bytes = Buffer.alloc(32, 5)
  const records: [ReturnType<typeof beginCell>, object][] = [
    [
      storeAccount(beginCell().uint(0x9fd3, 16), 4).uint(0, 8),
      { sum_type: 'DNSSmcAddress', dns_smc_address: accountNo(4), flags: 0 },
    ],
    [
      storeAccount(beginCell().uint(0xba93, 16), 4),
      { sum_type: 'DNSNextResolver', dns_next_resolver_address: accountNo(4) },
    ],
    [
      beginCell().uint(0xad01, 16).bytes(bytes).uint(0, 8),
      { sum_type: 'DNSAdnlAddress', dns_adnl_address: bytes.toString('hex'), flags: 0 },
    ],
    [
      beginCell().uint(0x7473, 16).bytes(bytes),
      { sum_type: 'DNSStorageAddress', dns_storage_address: bytes.toString('hex') },
    ],
    [
      beginCell().uint(0x1eda, 16).uint(1, 8).uint(2, 8).bytes(Buffer.from('hi')),
      { sum_type: 'DNSText', dns_text: 'hi' },
    ],
    [beginCell().uint(0x1234, 16), {}],
  ]
  for (const [record, value] of records) {
    test(`is set: ${'sum_type' in value ? value.sum_type : 'of an unknown kind'}`, () => {
      expect(onlyAction(setting(record), NAME, 'change_dns').content.details).toEqual({
        key: KEY.toString('hex'),
        value: { ...NO_VALUE, ...value },
        source: accountNo(1),
        asset: accountNo(2),
        nft_collection: accountNo(8),
      })
    })
  }

  test('is deleted; without a key the name lasts longer', () => {
    const deleted = asking(query(0x4eb1f0f9).bytes(KEY).endCell())
    expect(onlyAction(deleted, NAME, 'delete_dns').content.details).toMatchObject({ hash: KEY.toString('hex') })
    expect(toldTypes(asking(query(0x4eb1f0f9).bytes(Buffer.alloc(32)).endCell()), NAME)).toEqual(['renew_dns'])
  })

  test('of an item that is not known is told as well', () => {
    const trace = setting(storeAccount(beginCell().uint(0xba93, 16), 4))
    expect(onlyAction(trace, factsOf({}), 'change_dns').content.details).toMatchObject({ nft_collection: null })
  })
})

describe('a name', () => {
  test('is bought when its winner first uses it', () => {
    const fill = { to: 8, value: 500n, body: query(0x370fec51).endCell() }
    const trace = asking(query(0x4eb1f0f9).bytes(KEY).endCell(), [fill])
    expect(toldTypes(trace, NAME).sort()).toEqual(['call_contract', 'delete_dns', 'dns_purchase'])
    expect(onlyAction(trace, NAME, 'dns_purchase').content.details).toMatchObject({
      nft_item: accountNo(2),
      new_owner: accountNo(1),
      price: 500n,
    })
  })

  test('is released', () => {
    const trace = asking(query(0x4ed14b65).endCell())
    expect(onlyAction(trace, NAME, 'dns_release').content.details).toMatchObject({ value: 30n, nft_item_index: 9n })
    expect(toldTypes(trace, factsOf({}))).toEqual(['call_contract'])
  })
})
