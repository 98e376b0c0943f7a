import { describe, expect, test } from 'bun:test'
import { stackAddress } from '../../../src/contracts/get-methods.ts'
import { findNftCollection, findNftItem } from '../../../src/contracts/nft.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { STACK_NULL, type StackValue, stackInt, stackSlice } from '../../../src/ton/stack.ts'
import { dnsRecords, nextResolver } from '../../support/dns-records.ts'
import { account, type FakeContract, fakeContracts } from '../../support/fake-contracts.ts'
import { offchainContent } from '../../support/token-content.ts'

const [COLLECTION, ITEM, OWNER, OTHER, ROOT] = [account(1), account(2), account(3), account(4), account(5, -1)]
const NO_ADDRESS = stackSlice(beginCell().uint(0, 2).endCell())
const content = (uri: string): StackValue => ({ _: 'vm_stk_cell', cell: offchainContent(uri) })
const bytes = (value: string): StackValue => stackSlice(beginCell().bytes(Buffer.from(value)).endCell())

describe('an NFT collection', () => {
  const find = (data: StackValue[] | undefined) =>
    findNftCollection(fakeContracts({ [rawAddress(COLLECTION)]: { get_collection_data: data } }), COLLECTION)

  test('tells its data', async () => {
    expect(await find([stackInt(-1), content('https://c'), stackAddress(OWNER)])).toEqual({
      _: 'nft_collection',
      next_item_index: -1n,
      owner_address: OWNER,
      collection_content: { _: 'offchain', uri: 'https://c' },
    })
    expect((await find([stackInt(3), content('https://c'), NO_ADDRESS]))?.owner_address).toBeUndefined()
  })

  test('is none that answers in another form, or not at all', async () => {
    expect(await find(undefined)).toBeUndefined()
    expect(await find([stackInt(3), content('https://c')])).toBeUndefined()
    expect(await find([stackInt(3), STACK_NULL, NO_ADDRESS])).toBeUndefined()
  })
})

const INDEX = 2n ** 256n - 1n
const dataOf = (collection: StackValue, owner = stackAddress(OWNER)): StackValue[] => [
  stackInt(-1),
  stackInt(INDEX),
  collection,
  owner,
  content('https://own'),
]
const collection: FakeContract = {
  get_nft_address_by_index: ([index]) => [
    stackAddress(index?._ === 'vm_stk_int' && index.value === INDEX ? ITEM : OTHER),
  ],
  get_nft_content: ([index, own]) =>
    index?._ === 'vm_stk_int' && own?._ === 'vm_stk_cell' ? [content(`https://c/${index.value}`)] : undefined,
}

describe('an NFT item', () => {
  const find = (item: FakeContract, of: FakeContract = collection) =>
    findNftItem(fakeContracts({ [rawAddress(ITEM)]: item, [rawAddress(COLLECTION)]: of }), ITEM)

  test('of a collection is shown through it', async () => {
    expect(await find({ get_nft_data: dataOf(stackAddress(COLLECTION)) })).toEqual({
      _: 'nft_item',
      init: true,
      index: INDEX,
      collection_address: COLLECTION,
      owner_address: OWNER,
      content: { _: 'offchain', uri: `https://c/${INDEX}` },
    })
  })

  test('without a collection is shown as it is', async () => {
    const item = await find({ get_nft_data: dataOf(NO_ADDRESS, NO_ADDRESS) })
    expect(item).toMatchObject({ content: { _: 'offchain', uri: 'https://own' } })
    expect([item?.collection_address, item?.owner_address]).toEqual([undefined, undefined])
  })

  test('is none that its collection does not know, or cannot show', async () => {
    const item = { get_nft_data: dataOf(stackAddress(COLLECTION)) }
    expect(await find(item, {})).toBeUndefined()
    expect(await find(item, { ...collection, get_nft_address_by_index: [stackAddress(OTHER)] })).toBeUndefined()
    expect(await find(item, { ...collection, get_nft_content: undefined })).toBeUndefined()
    expect(await find(item, { ...collection, get_nft_content: [STACK_NULL] })).toBeUndefined()
  })

  test('is none that answers in another form', async () => {
    expect(await find({ get_nft_data: dataOf(NO_ADDRESS).slice(0, 4) })).toBeUndefined()
    expect(await find({ get_nft_data: [...dataOf(NO_ADDRESS).slice(0, 4), STACK_NULL] })).toBeUndefined()
  })
})

describe('a domain', () => {
  const item: FakeContract = {
    get_nft_data: dataOf(stackAddress(COLLECTION)),
    dnsresolve: [stackInt(8), { _: 'vm_stk_cell', cell: dnsRecords({ wallet: nextResolver(OTHER) }) }],
    get_domain: [bytes('alice')],
  }
  /** A root that delegates a name, written in DNS form, to a resolver. */
  const rootWith = (zone: string, resolver = COLLECTION): FakeContract => ({
    dnsresolve: ([name]) =>
      name?._ === 'vm_stk_slice' && Buffer.from(name.cell.bytes).includes(zone)
        ? [stackInt(zone.length * 8), { _: 'vm_stk_cell', cell: nextResolver(resolver) }]
        : [stackInt(0), STACK_NULL],
  })
  const find = (of: FakeContract, root: FakeContract | undefined) =>
    findNftItem(
      fakeContracts(
        { [rawAddress(ITEM)]: of, [rawAddress(COLLECTION)]: collection, [rawAddress(ROOT)]: root ?? {} },
        root && ROOT,
      ),
      ITEM,
    )
  const domainOf = async (of: FakeContract, root: FakeContract | undefined) => {
    const content = (await find(of, root))?.content
    return content?._ === 'domain' ? content.domain : content
  }

  test('has the zone that the DNS root gives to its collection', async () => {
    expect(await domainOf(item, rootWith('ton'))).toBe('alice.ton')
    expect(await domainOf(item, rootWith('ton\0'))).toBe('alice.ton')
    expect(await domainOf(item, rootWith('me\0t'))).toBe('alice.t.me')
    expect(await domainOf(item, rootWith('ton', OTHER))).toBe('alice')
    expect(await domainOf(item, {})).toBe('alice')
    expect(await domainOf(item, undefined)).toBe('alice')
  })

  test('may tell its full name, within that zone', async () => {
    const username = { ...item, get_domain: undefined, get_full_domain: [bytes('me\0t\0bob\0')] }
    expect(await domainOf(username, rootWith('me\0t'))).toBe('bob.t.me')
    expect(await domainOf(username, rootWith('ton'))).toBe('')
    expect(await domainOf(username, undefined)).toBe('')
  })

  test('is the empty text when the item does not tell it', async () => {
    const half = stackSlice(beginCell().uint(1, 3).endCell())
    const noText = stackSlice(beginCell().uint(0xff, 8).endCell())
    for (const get_domain of [undefined, [], [STACK_NULL], [half], [noText]])
      expect(await domainOf({ ...item, get_domain }, rootWith('ton'))).toBe('')
  })

  test('shows its records', async () => {
    expect((await find(item, undefined))?.content).toMatchObject({
      _: 'domain',
      records: [{ record: { _: 'dns_next_resolver', resolver: OTHER } }],
    })
  })

  test('is no domain whose own name does not lead to records', async () => {
    for (const dnsresolve of [
      undefined,
      [stackInt(8), STACK_NULL],
      [stackInt(8)],
      [stackInt(8), { _: 'vm_stk_cell', cell: beginCell().endCell() } as const],
    ])
      expect(await domainOf({ ...item, dnsresolve }, rootWith('ton'))).toMatchObject({ _: 'offchain' })
  })
})
