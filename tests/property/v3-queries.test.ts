import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { SortOrder } from '../../src/model/index-records.ts'
import type { Address } from '../../src/ton/address.ts'
import { createOracle, type IndexOracle, type OracleMessage, type OracleTransaction } from '../support/index-oracle.ts'
import { addressForms, hashForms, listForms, opcodeForms, shardForms, utimeForms } from '../support/query-forms.ts'
import { ALL_SEQNOS, startV3Gateway, type V3Answer, type V3Gateway } from '../support/v3-gateway.ts'

/** Random queries of API v3 against arrays and filters, from the text of the request to that of the answer. */

const RUNS = Number(process.env['TONLITH_ORACLE_RUNS'] ?? 200)

/** With a gap, so that messages are known by one side only and traces lack their beginning. */
const SEQNOS = ALL_SEQNOS.filter((seqno) => seqno < 120 || seqno > 150)

let gateway: V3Gateway
let oracle: IndexOracle
beforeAll(async () => {
  gateway = await startV3Gateway({ seqnos: SEQNOS })
  oracle = createOracle(gateway.batches)
}, 300_000)
afterAll(() => gateway.stop())

/** One part of a query: its value in the oracle's filter, and how it is written. */
interface Part<T> {
  value: T
  pairs: string[][]
}

type Parts<F> = { [K in keyof F]: Part<F[K]> }

const given = <T>(name: string, value: fc.Arbitrary<T>, forms: (value: T) => fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Part<T | undefined>>({ value: undefined, pairs: [] }) },
    {
      weight: 1,
      arbitrary: value.chain((value) =>
        forms(value).map((text): Part<T | undefined> => ({ value, pairs: [[name, text]] })),
      ),
    },
  )

const givenList = <T>(name: string, one: fc.Arbitrary<T>, forms: (value: T) => fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Part<T[]>>({ value: [], pairs: [] }) },
    {
      weight: 1,
      arbitrary: fc.array(one, { minLength: 1, maxLength: 4 }).chain((value) =>
        fc
          .tuple(...value.map(forms))
          .chain((texts) => listForms(name, texts))
          .map((pairs): Part<T[]> => ({ value, pairs })),
      ),
    },
  )

/** As given, for the values that some rows have. */
const givenOf = <R, T>(
  name: string,
  rows: readonly R[],
  pick: (row: R) => T,
  forms: (value: T) => fc.Arbitrary<string>,
) => given(name, oneOf(rows).map(pick), forms)

const exact = (value: number | bigint): fc.Arbitrary<string> => fc.constant(String(value))
const yes = (value: boolean): fc.Arbitrary<string> =>
  value ? fc.constantFrom('true', '1', 'T', 'on') : fc.constantFrom('false', '0', 'F')
const oneOf = <T>(list: readonly T[]): fc.Arbitrary<T> => fc.nat(list.length - 1).map((i) => list[i]!)
const stranger = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))
const hashesOf = (known: readonly Buffer[]): fc.Arbitrary<Buffer> =>
  fc.oneof({ weight: 9, arbitrary: oneOf(known) }, { weight: 1, arbitrary: stranger })
const orNullForms = (value: Address | null): fc.Arbitrary<string> => (value ? addressForms(value) : fc.constant('null'))

const bounds = (times: readonly { lt: bigint; utime: number }[]) => ({
  start_utime: givenOf('start_utime', times, ({ utime }) => utime, utimeForms),
  end_utime: givenOf('end_utime', times, ({ utime }) => utime, utimeForms),
  start_lt: givenOf('start_lt', times, ({ lt }) => lt, exact),
  end_lt: givenOf('end_lt', times, ({ lt }) => lt, exact),
})

const pages = fc.record({
  limit: fc.integer({ min: 1, max: 50 }),
  offset: fc.oneof(fc.constant(0), fc.nat(20), fc.nat(2000)),
  sort: fc.constantFrom<SortOrder>('asc', 'desc'),
  word: fc.constantFrom('whole', 'short', 'LOUD'),
})

const sortText = (sort: SortOrder, word: string): string =>
  word === 'whole' ? sort : word === 'short' ? sort.slice(0, 1) : sort.toUpperCase()

const valuesOf = <F>(parts: Parts<F>): F =>
  Object.fromEntries(Object.entries<Part<unknown>>(parts).map(([name, { value }]) => [name, value])) as F

const base64 = (hash: Buffer): string => hash.toString('base64')

type Ask = (limit: number, more: string[][]) => Promise<V3Answer>

const STEP = 500

/** The cursor of what stands at `offset`, reached page by page; null where the list ends before. */
const cursorAt = async (ask: Ask, offset: number): Promise<string | null> => {
  let cursor: string | null = null
  for (let left = offset; left > 0; left -= STEP) {
    const page = await ask(Math.min(STEP, left), cursor === null ? [] : [['cursor', cursor]])
    if (page.status !== 200) throw new Error(page.text)
    cursor = page.headers.get('x-next-cursor')
    if (cursor === null) return null
  }
  return cursor
}

/** What stands at `offset`; undefined where that is too far to be counted and the list ends before. */
const askAt = async (ask: Ask, limit: number, offset: number): Promise<V3Answer | undefined> => {
  const page = await ask(limit, [['offset', String(offset)]])
  if (offset === 0 || page.status !== 422 || !page.text.includes('page by cursor')) return page
  const cursor = await cursorAt(ask, offset)
  return cursor === null ? undefined : await ask(limit, [['cursor', cursor]])
}

/** Checks pages and the page behind each by its cursor; `list` gives the whole list in the oracle's words. */
const agree = async <F>(
  path: string,
  key: string,
  parts: fc.Arbitrary<Parts<F>>,
  list: (filter: F, sort: SortOrder) => readonly string[],
  shown: (row: Record<string, unknown>) => string,
): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(parts, pages, async (asked, { limit, offset, sort, word }) => {
      const filter = Object.values<Part<unknown>>(asked).flatMap(({ pairs }) => pairs)
      const ask: Ask = (count, more) => {
        const pairs = [...filter, ['limit', String(count)], ['sort', sortText(sort, word)], ...more]
        return gateway.get(`${path}?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value!)}`).join('&')}`)
      }
      const expected = list(valuesOf(asked), sort)
      const first = await askAt(ask, limit, offset)
      if (!first) {
        expect(expected.length).toBeLessThanOrEqual(offset)
        return
      }
      if (first.status !== 200) throw new Error(first.text)
      expect((first.json[key] as Record<string, unknown>[]).map(shown)).toEqual(expected.slice(offset, offset + limit))
      const cursor = first.headers.get('x-next-cursor')
      if (cursor === null) {
        expect(offset + limit).toBeGreaterThanOrEqual(expected.length)
        return
      }
      const second = await ask(limit, [['cursor', cursor]])
      expect((second.json[key] as Record<string, unknown>[]).map(shown)).toEqual(
        expected.slice(offset + limit, offset + 2 * limit),
      )
    }),
    { numRuns: RUNS },
  )
}

const hashShown = (row: Record<string, unknown>): string => String(row['hash'])
const transactionText = ({ id }: OracleTransaction): string => base64(id.hash)

describe('API v3 agrees with arrays and filters on', () => {
  test('blocks', async () => {
    const { blocks, listBlocks } = oracle
    const parts = fc.record({
      workchain: given('workchain', fc.constantFrom(-1, 0, 1), exact),
      shard: givenOf('shard', blocks, ({ id }) => id.shard, shardForms),
      seqno: givenOf('seqno', blocks, ({ id }) => id.seqno, exact),
      mc_seqno: given('mc_seqno', oneOf(SEQNOS), exact),
      root_hash: given('root_hash', hashesOf(blocks.map(({ id }) => id.root_hash)), hashForms),
      file_hash: given('file_hash', hashesOf(blocks.map(({ id }) => id.file_hash)), hashForms),
      ...bounds(blocks.map(({ info }) => ({ lt: info.start_lt, utime: info.gen_utime }))),
    })
    const list = (filter: Parameters<typeof listBlocks>[0], sort: SortOrder): string[] =>
      listBlocks(filter, sort).map(({ id }) => base64(id.root_hash))
    await agree('blocks', 'blocks', parts, list, (row) => String(row['root_hash']))
  }, 600_000)

  test('transactions', async () => {
    const { transactions, blocks, listTransactions } = oracle
    const accounts = oneOf(transactions).map(({ account }) => account)
    const parts = fc.record({
      workchain: given('workchain', fc.constantFrom(-1, 0, 1), exact),
      shard: givenOf('Shard', blocks, ({ id }) => id.shard, shardForms),
      seqno: givenOf('seqno', blocks, ({ id }) => id.seqno, exact),
      mc_seqno: given('mc_seqno', oneOf(SEQNOS), exact),
      accounts: givenList('account', accounts, addressForms),
      exclude_accounts: givenList('exclude_account', accounts, addressForms),
      hashes: givenList('hash', hashesOf(transactions.map(({ id }) => id.hash)), hashForms),
      lt: givenOf('lt', transactions, ({ id }) => id.lt, exact),
      ...bounds(transactions.map(({ id, now }) => ({ lt: id.lt, utime: now }))),
    })
    const list = (filter: Parameters<typeof listTransactions>[0], sort: SortOrder): string[] =>
      listTransactions(filter, sort).map(transactionText)
    await agree('transactions', 'transactions', parts, list, hashShown)
  }, 600_000)

  const known = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null)
  const messageHashes = (messages: readonly OracleMessage[]): Buffer[] =>
    messages.flatMap(({ message }) => known([message.hash, message.hash_norm]))

  test('transactions by message', async () => {
    const { messages, listByMessage } = oracle
    const parts = fc
      .record({
        msg_hashes: givenList('msg_hash', hashesOf(messageHashes(messages)), hashForms),
        body_hash: given('body_hash', hashesOf(messages.map(({ message }) => message.body_hash)), hashForms),
        opcode: given('opcode', oneOf(known(messages.map(({ message }) => message.opcode))), opcodeForms),
        direction: given('direction', fc.constantFrom<'in' | 'out'>('in', 'out'), (word) => fc.constant(word)),
        source: givenOf('source', messages, ({ message }) => message.source, orNullForms),
        destination: givenOf('destination', messages, ({ message }) => message.destination, orNullForms),
      })
      .filter(
        ({ msg_hashes, body_hash, opcode }) =>
          msg_hashes.value.length > 0 || body_hash.value !== undefined || opcode.value !== undefined,
      )
    const list = (filter: Parameters<typeof listByMessage>[0], sort: SortOrder): string[] =>
      listByMessage(filter, sort).map(transactionText)
    await agree('transactionsByMessage', 'transactions', parts, list, hashShown)
  }, 600_000)

  test('messages', async () => {
    const { messages, listMessages } = oracle
    const parts = fc.record({
      hashes: givenList('msg_hash', hashesOf(messageHashes(messages)), hashForms),
      body_hash: given('body_hash', hashesOf(messages.map(({ message }) => message.body_hash)), hashForms),
      source: givenOf('source', messages, ({ message }) => message.source, orNullForms),
      destination: givenOf('destination', messages, ({ message }) => message.destination, orNullForms),
      opcode: given('opcode', oneOf(known(messages.map(({ message }) => message.opcode))), opcodeForms),
      direction: given('direction', fc.constantFrom<'in' | 'out'>('in', 'out'), (word) => fc.constant(word)),
      exclude_externals: given('exclude_externals', fc.boolean(), yes),
      only_externals: given('only_externals', fc.boolean(), yes),
      ...bounds(messages),
    })
    const list = (filter: Parameters<typeof listMessages>[0], sort: SortOrder): string[] =>
      listMessages(filter, sort).map(({ message }) => base64(message.hash))
    await agree('messages', 'messages', parts, list, hashShown)
  }, 600_000)

  test('traces', async () => {
    const { traces, transactions, messages, listTraces } = oracle
    type Filter = Parameters<typeof listTraces>[0]
    const roots = traces.map(({ root }) => root.id.hash)
    const nothing = fc.constant<Parts<Partial<Filter>>>({})
    const chosen = fc.oneof<fc.Arbitrary<Parts<Partial<Filter>>>[]>(
      nothing,
      fc.record({
        account: givenOf('account', transactions, ({ account }) => account, addressForms),
      }),
      fc.record({ trace_ids: givenList('trace_id', hashesOf(roots), hashForms) }),
      fc.record({ tx_hashes: givenList('tx_hash', hashesOf(transactions.map(({ id }) => id.hash)), hashForms) }),
      fc.record({ msg_hashes: givenList('msg_hash', hashesOf(messageHashes(messages)), hashForms) }),
    )
    const rest = fc.record({
      mc_seqno: given('mc_seqno', oneOf(SEQNOS), exact),
      ...bounds(traces.map(({ end_lt, end_utime }) => ({ lt: end_lt, utime: end_utime }))),
    })
    const parts = fc.tuple(chosen, rest).map(([one, other]) => ({ ...one, ...other }) as Parts<Filter>)
    const list = (filter: Filter, sort: SortOrder): string[] =>
      listTraces(filter, sort).map(({ root, members, state }) => `${base64(root.id.hash)} ${members.length} ${state}`)
    const shown = (row: Record<string, unknown>): string => {
      const { trace_state, transactions } = row['trace_info'] as { trace_state: string; transactions: number }
      expect(row['transactions_order']).toHaveLength(transactions)
      return `${row['trace_id']} ${transactions} ${trace_state}`
    }
    await agree('traces', 'traces', parts, list, shown)
  }, 600_000)
})
