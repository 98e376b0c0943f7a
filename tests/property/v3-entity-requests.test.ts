import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { listCursors } from '../../src/api/v3/list-cursor.ts'
import type { CallContext, GetMethod } from '../../src/api/v3/method.ts'
import { dnsMethods } from '../../src/api/v3/methods/dns.ts'
import { jettonMethods } from '../../src/api/v3/methods/jettons.ts'
import { multisigMethods } from '../../src/api/v3/methods/multisig.ts'
import { nftMethods } from '../../src/api/v3/methods/nfts.ts'
import { vestingMethods } from '../../src/api/v3/methods/vesting.ts'
import { parametersOf, sentParameters } from '../../src/api/v3/query-parameters.ts'
import { createTextWriter } from '../../src/api/v3/text-writer.ts'
import { systemClock } from '../../src/common/clock.ts'
import { normalDomain } from '../../src/contracts/dns-name.ts'
import type { Page } from '../../src/model/index-records.ts'
import type { IndexReader } from '../../src/store/queries/index-reader.ts'
import type { Address } from '../../src/ton/address.ts'
import { addressForms, listForms, utimeForms } from '../support/query-forms.ts'

/** Random requests for what accounts are: what the index is asked, from the text of the request on. */

type Filter = Record<string, unknown>
interface Asked {
  call: string
  filter: Filter
  page: Page
}

/** An index that is empty and remembers what it was asked. */
const emptyIndex = (asked: Asked[]): IndexReader => {
  const told = (call: string, filter: Filter, page: Page) => {
    asked.push({ call, filter, page })
    return { records: [], next: null }
  }
  const pages = new Proxy({} as IndexReader['pages'], {
    get:
      (_, call) =>
      (filter: Filter, sort: Page['sort'] = 'asc') =>
      (page: Omit<Page, 'sort'>) =>
        told(String(call), filter, { ...page, sort }),
  })
  return new Proxy({} as IndexReader, {
    get: (_, call) => (call === 'pages' ? pages : (filter: Filter, page: Page) => told(String(call), filter, page)),
  })
}

const METHODS = new Map<string, GetMethod<unknown>>(
  [jettonMethods, nftMethods, dnsMethods, multisigMethods, vestingMethods].flat().map((each) => [each.name, each]),
)

/** The query with the cursor of a place in the list that it asks for. */
const withCursor = (method: GetMethod<unknown>, query: string, place: Buffer): string => {
  const source = parametersOf(sentParameters(`http://x/?${query}`), method.params)
  const values = Object.entries(method.params).map(([name, param]) => [name, param.read(source(name, param), name)])
  const cursor = listCursors(method.name, Object.fromEntries(values)).write(place)
  return `${query}&cursor=${cursor.toString('base64url')}`
}

const ask = async (name: string, pairs: readonly string[][], place?: Buffer): Promise<Asked[]> => {
  const method = METHODS.get(name)!
  const asText = pairs.map(([key, value]) => `${key}=${encodeURIComponent(value!)}`).join('&')
  const query = place ? withCursor(method, asText, place) : asText
  const asked: Asked[] = []
  const index = emptyIndex(asked)
  const { signal } = new AbortController()
  const { writer } = createTextWriter(systemClock, signal, { characters: 0 })
  const names = { wanted: true, of: async () => '{}', under: async () => '{}', always: async () => '{}' }
  const context: CallContext<unknown> = {
    chain: undefined,
    index: () => index,
    hasIndex: true,
    book: names,
    metadata: names,
    codes: () => ({ methods: null, interfaces: [] }),
    hasIhrFee: () => false,
    actionsVersion: undefined,
    writer,
    signal,
  }
  await method.prepare(parametersOf(sentParameters(`http://x/?${query}`), method.params))(context)
  return asked
}

interface Part {
  value: unknown
  pairs: string[][]
}

const accounts: fc.Arbitrary<Address> = fc.record({
  workchain: fc.constantFrom(0, -1),
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
})

const many = (name: string): fc.Arbitrary<Part> =>
  fc.array(accounts, { minLength: 1, maxLength: 3 }).chain((value) =>
    fc
      .tuple(...value.map(addressForms))
      .chain((texts) => listForms(name, texts))
      .map((pairs) => ({ value, pairs })),
  )
const one = (name: string): fc.Arbitrary<Part> =>
  accounts.chain((value) => addressForms(value).map((text) => ({ value, pairs: [[name, text]] })))
const yes = (name: string): fc.Arbitrary<Part> =>
  fc.constantFrom('1', 'true', 'on', '0', 'F').map((text) => ({
    value: text !== '0' && text !== 'F',
    pairs: [[name, text]],
  }))
const digits = (name: string): fc.Arbitrary<Part> =>
  fc
    .array(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), { minLength: 1, maxLength: 3 })
    .chain((value) => listForms(name, value.map(String)).map((pairs) => ({ value, pairs })))
const lts = (name: string): fc.Arbitrary<Part> =>
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => ({ value, pairs: [[name, String(value)]] }))
const times = (name: string): fc.Arbitrary<Part> =>
  fc.nat(2 ** 32 - 1).chain((value) => utimeForms(value).map((text) => ({ value, pairs: [[name, text]] })))
const direction = (name: string): fc.Arbitrary<Part> =>
  fc
    .constantFrom('in', 'out', 'both')
    .map((word) => ({ value: word === 'both' ? undefined : word, pairs: [[name, word]] }))

/** Fields of a filter with how they are sent. */
type Fields = Readonly<Record<string, fc.Arbitrary<Part>>>

const window: Fields = {
  start_utime: times('start_utime'),
  end_utime: times('END_utime'),
  start_lt: lts('start_lt'),
  end_lt: lts('end_lt'),
}

interface Case {
  name: string
  call: string
  /** Any of them. */
  fields: Fields
  /** Of these exactly one. */
  needed?: Fields
  sorted?: 'desc' | 'by balance'
  allowed?: (filter: Filter) => boolean
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)
const oneOwner = (list: string) => (filter: Filter) =>
  lengthOf(filter[list]) <= 1 || lengthOf(filter['owner_addresses']) === 1

const CASES: readonly Case[] = [
  {
    name: 'jetton/masters',
    call: 'jettonMasters',
    fields: { addresses: many('address'), admin_addresses: many('admin_address') },
  },
  {
    name: 'jetton/wallets',
    call: 'jettonWallets',
    fields: {
      addresses: many('address'),
      owner_addresses: many('owner_address'),
      jetton_addresses: many('jetton_address'),
      exclude_zero_balance: yes('exclude_zero_balance'),
    },
    sorted: 'by balance',
    allowed: oneOwner('jetton_addresses'),
  },
  {
    name: 'jetton/transfers',
    call: 'jettonTransfers',
    fields: {
      owner_addresses: fc.oneof(many('owner_address'), many('address')),
      jetton_wallets: many('jetton_wallet'),
      jetton_master: one('jetton_master'),
      direction: direction('direction'),
      ...window,
    },
    sorted: 'desc',
  },
  {
    name: 'jetton/burns',
    call: 'jettonBurns',
    fields: {
      owner_addresses: fc.oneof(many('owner_address'), many('address')),
      jetton_wallets: many('jetton_wallet'),
      jetton_master: one('jetton_master'),
      ...window,
    },
    sorted: 'desc',
  },
  {
    name: 'nft/collections',
    call: 'nftCollections',
    fields: { addresses: many('collection_address'), owner_addresses: many('owner_address') },
  },
  {
    name: 'nft/items',
    call: 'nftItems',
    fields: {
      addresses: many('address'),
      owner_addresses: many('owner_address'),
      collection_addresses: many('collection_address'),
      indexes: digits('index'),
      include_on_sale: yes('include_on_sale'),
      by_last_transaction_lt: yes('sort_by_last_transaction_lt'),
    },
    allowed: (filter) =>
      oneOwner('collection_addresses')(filter) &&
      (lengthOf(filter['indexes']) === 0 || lengthOf(filter['collection_addresses']) > 0),
  },
  {
    name: 'nft/transfers',
    call: 'nftTransfers',
    fields: {
      owner_addresses: fc.oneof(many('owner_address'), many('address')),
      item_addresses: many('item_address'),
      collection_address: one('collection_address'),
      direction: direction('Direction'),
      ...window,
    },
    sorted: 'desc',
  },
  {
    name: 'dns/records',
    call: 'dnsRecords',
    fields: {},
    needed: {
      wallet: one('wallet'),
      domain: fc.constantFrom('a.ton', 'B.TON', 'Ü.t.me').map((text) => ({
        value: normalDomain(text),
        pairs: [['domain', text]],
      })),
    },
  },
  {
    name: 'multisig/orders',
    call: 'multisigOrders',
    fields: {},
    needed: { addresses: many('address'), multisig_addresses: many('multisig_address') },
    sorted: 'desc',
  },
  {
    name: 'multisig/wallets',
    call: 'multisigs',
    fields: {},
    needed: { addresses: many('address'), wallet_addresses: many('wallet_address') },
    sorted: 'desc',
  },
  {
    name: 'vesting',
    call: 'vestings',
    fields: { check_whitelist: yes('check_whitelist') },
    needed: { contract_addresses: many('contract_address'), wallet_addresses: many('wallet_address') },
  },
]

type Parts = readonly (readonly [field: string, part: Part])[]

const partsOf = ({ fields, needed }: Case): fc.Arbitrary<Parts> => {
  const some = fc
    .record({ ...fields }, { requiredKeys: [] })
    .map((parts): Parts => Object.entries(parts).flatMap(([name, part]) => (part ? [[name, part] as const] : [])))
  if (!needed) return some
  const chosen = Object.entries(needed).map(([name, part]) => part.map((value): Parts => [[name, value]]))
  return fc.tuple(some, fc.oneof(...chosen)).map(([a, b]) => [...a, ...b])
}

/** What was not sent is asked for as nothing: undefined, an empty list, or no. */
const withoutNothing = (filter: Filter): Filter =>
  Object.fromEntries(
    Object.entries(filter).filter(
      ([, value]) => value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  )

const pages = fc.record(
  {
    limit: fc.integer({ min: -3, max: 1000 }),
    offset: fc.integer({ min: -3, max: 10_000 }),
    sort: fc.constantFrom('asc', 'desc', 'A', 'D', 'Desc'),
    cursor: fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  },
  { requiredKeys: [] },
)

const PIECE = 25

describe('the index is asked for what a request says', () => {
  for (const each of CASES)
    test(each.name, async () => {
      await fc.assert(
        fc.asyncProperty(partsOf(each), pages, async (parts, { limit, offset, sort, cursor }) => {
          const filter = withoutNothing(Object.fromEntries(parts.map(([name, { value }]) => [name, value])))
          fc.pre(each.allowed?.(filter) ?? true)
          const given = each.sorted === undefined ? undefined : sort
          const page: string[][] = [
            ...(limit === undefined ? [] : [['limit', String(limit)]]),
            ...(offset === undefined ? [] : [['OFFSET', String(offset)]]),
            ...(given === undefined ? [] : [['sort', given]]),
            ['_', '1'],
          ]
          const asked = await ask(each.name, [...parts.flatMap(([, { pairs }]) => pairs), ...page], cursor)
          const order = given?.toLowerCase().startsWith('a') ? 'asc' : given === undefined ? undefined : 'desc'
          const otherwise = each.sorted === 'desc' ? 'desc' : 'asc'
          const byBalance = each.sorted === 'by balance' && order !== undefined ? { by_balance: true } : {}
          expect(asked.map(({ filter, ...rest }) => ({ ...rest, filter: withoutNothing(filter) }))).toEqual([
            {
              call: each.call,
              filter: { ...filter, ...byBalance },
              page: {
                limit: Math.min(PIECE, Math.max(1, limit ?? 100)),
                offset: Math.max(0, offset ?? 0),
                sort: order ?? otherwise,
                after: cursor,
              },
            },
          ])
        }),
        { numRuns: 60 },
      )
    })
})
