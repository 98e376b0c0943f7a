import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { joinTraces } from '../../src/indexer/trace.ts'
import type { ActionFilter, ActionRecord, Page, SortOrder, TraceRecord } from '../../src/model/index-records.ts'
import type { NotedAction } from '../../src/model/noted-action.ts'
import { noteScope } from '../../src/store/index-scope.ts'
import { pruneOldest } from '../../src/store/prune.ts'
import type { IndexReader } from '../../src/store/queries/index-reader.ts'
import { openIndexReader } from '../../src/store/queries/open-index-reader.ts'
import { writeBatch } from '../../src/store/write.ts'
import { rawAddress } from '../../src/ton/address.ts'
import { MADE_TYPES, madeActions, STRANGERS } from '../support/action-arbitrary.ts'
import { indexFaults } from '../support/index-check.ts'
import { recordedBatch } from '../support/recorded-batches.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { completedBatch } from '../support/recorded-index.ts'
import { temporaryIndex } from '../support/temporary-index.ts'

/** Made actions of recorded traces, and random queries against arrays and filters. */

const RUNS = Number(process.env['TONLITH_ORACLE_RUNS'] ?? 4)
const QUERIES = 50

setDefaultTimeout(600_000)

const [FIRST, LAST] = [100, 130]
const chain = recordedChain()
const batches = Array.from({ length: LAST - FIRST + 1 }, (_, i) => recordedBatch(chain, FIRST + i))
const transactions = batches.flatMap((batch) => batch.transactions)

/** An action with all that filters ask of it. */
interface Known {
  trace: TraceRecord
  action: NotedAction
  /** Hashes of its transactions and of their messages. */
  transactions: string[]
  messages: string[]
}

const hex = (hash: Buffer): string => hash.toString('hex')
const PAGE = { limit: 10_000, offset: 0, sort: 'asc' } as const

/** Every action that should be found: of traces without a message under way, all of whose transactions are there. */
const knownActions = (reader: IndexReader, told: Map<string, NotedAction[]>, ofChosen: boolean): Known[] => {
  const messages = new Map(
    transactions.map(({ id, in_msg, out_msgs }) => [
      hex(id.hash),
      [in_msg, ...out_msgs].flatMap((one) => (one ? [one.hash, one.hash_norm ?? one.hash] : [])).map(hex),
    ]),
  )
  return reader.traces({}, PAGE).records.flatMap((trace) => {
    if (trace.pending_edges > 0 && !ofChosen) return []
    const members = [...reader.traceTransactions(trace, 4000)]
    if (members.length < trace.nodes) return []
    const places = members.sort((a, b) => a.mc_seqno - b.mc_seqno).map(({ id }) => hex(id.hash))
    return (told.get(hex(trace.root_hash)) ?? []).map((action): Known => {
      const own = action.transactions.map((place) => places[place]!)
      return { trace, action, transactions: own, messages: own.flatMap((hash) => messages.get(hash)!) }
    })
  })
}

const has = <T>(list: readonly T[] | undefined, holds: (one: T) => boolean): boolean =>
  list === undefined || list.length === 0 || list.some(holds)

const isFound = (filter: ActionFilter, { trace, action, transactions: own, messages }: Known): boolean => {
  const { account, supported, start_utime = 0, end_utime = Number.POSITIVE_INFINITY, start_lt, end_lt } = filter
  return (
    (!account || action.accounts.some((one) => rawAddress(one) === rawAddress(account))) &&
    has(filter.trace_ids, (id) => id.equals(trace.root_hash)) &&
    has(filter.action_ids, (id) => id.equals(action.action_id)) &&
    has(filter.tx_hashes, (hash) => own.includes(hex(hash))) &&
    has(filter.msg_hashes, (hash) => messages.includes(hex(hash))) &&
    has(filter.types, (type) => type === action.type) &&
    !(filter.exclude_types ?? []).includes(action.type) &&
    (filter.mc_seqno === undefined || trace.mc_seqno_end === filter.mc_seqno) &&
    (!supported || (filter.types ?? []).length > 0 || supported.has(action.type)) &&
    !action.ancestor_type.some((type) => supported?.has(type)) &&
    trace.end_utime >= start_utime &&
    trace.end_utime <= end_utime &&
    (start_lt === undefined || trace.end_lt >= start_lt) &&
    (end_lt === undefined || trace.end_lt <= end_lt)
  )
}

const listed = (known: readonly Known[], filter: ActionFilter, sort: SortOrder): string[] => {
  const timed = filter.account === undefined && (filter.start_utime ?? filter.end_utime) !== undefined
  const rank = ({ trace }: Known): bigint[] => [timed ? BigInt(trace.end_utime) : 0n, trace.end_lt, trace.root]
  const found = known
    .filter((one) => isFound(filter, one))
    .sort((a, b) => {
      const [x, y] = [rank(a), rank(b)]
      const at = x.findIndex((value, i) => value !== y[i])
      return at < 0 ? 0 : x[at]! < y[at]! ? -1 : 1
    })
    .map(({ action }) => hex(action.action_id.subarray(0, 8)))
  return sort === 'asc' ? found : found.reverse()
}

/** A page of the list, and all pages by cursor. */
const expectPages = (reader: IndexReader, filter: ActionFilter, wanted: readonly string[], page: Page): void => {
  const names = (records: readonly ActionRecord[]): string[] => records.map(({ id }) => hex(id))
  const { limit, offset } = page
  expect(names(reader.actions(filter, page).records)).toEqual(wanted.slice(offset, offset + limit))
  const found: string[] = []
  for (let after: Buffer | undefined; ; ) {
    const { records, next } = reader.actions(filter, { limit, offset: 0, sort: page.sort, after })
    found.push(...names(records))
    if (!next) break
    after = next
  }
  expect(found).toEqual([...wanted])
}

const some = <T>(value: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight, arbitrary: value })
const listOf = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[] | undefined> => some(fc.array(value, { maxLength: 3 }))
const types = fc.constantFrom<string>(...MADE_TYPES, 'nothing_of_the_kind')

/** Filters for which there is something to be found: most name what some action has. */
const filters = (known: readonly Known[]): fc.Arbitrary<ActionFilter> => {
  const one = fc.constantFrom(...known)
  const hashOf = (pick: (of: Known) => string[]): fc.Arbitrary<Buffer> =>
    one.map((of) => Buffer.from(pick(of)[0] ?? '00'.repeat(32), 'hex'))
  const accounts = fc.oneof(
    fc.constantFrom(...STRANGERS),
    fc.constantFrom(...transactions).map(({ account }) => account),
  )
  return fc.record({
    account: some(accounts, 3),
    trace_ids: listOf(one.map(({ trace }) => trace.root_hash)),
    action_ids: listOf(one.map(({ action }) => action.action_id)),
    tx_hashes: listOf(hashOf((of) => of.transactions)),
    msg_hashes: listOf(hashOf((of) => of.messages)),
    types: listOf(types),
    exclude_types: listOf(types),
    supported: some(fc.uniqueArray(types).map((list) => new Set(list))),
    mc_seqno: some(one.map(({ trace }) => trace.mc_seqno_end)),
    start_utime: some(one.map(({ trace }) => trace.end_utime)),
    end_utime: some(one.map(({ trace }) => trace.end_utime)),
    start_lt: some(one.map(({ trace }) => trace.end_lt)),
    end_lt: some(one.map(({ trace }) => trace.end_lt)),
  })
}

const pages = fc.record({
  limit: fc.integer({ min: 1, max: 30 }),
  offset: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(40) }),
  sort: fc.constantFrom<SortOrder>('asc', 'desc'),
})

const checkQueries = (reader: IndexReader, known: readonly Known[]): void =>
  reader.snapshot(() => {
    for (const sort of ['asc', 'desc'] as const)
      expectPages(reader, {}, listed(known, {}, sort), { limit: 7, offset: 3, sort })
    const queries = fc.property(filters(known), pages, (filter, page) =>
      expectPages(reader, filter, listed(known, filter, page.sort), page),
    )
    fc.assert(queries, { numRuns: QUERIES })
  })

test('actions are found as arrays and filters find them, also where the oldest are pruned', async () => {
  const runs = fc.record({ seed: fc.nat(), ofChosen: fc.boolean(), pruned: fc.integer({ min: 1, max: 20 }) })
  await fc.assert(
    fc.asyncProperty(runs, async ({ seed, ofChosen, pruned }) => {
      const { index, remove } = await temporaryIndex()
      try {
        if (ofChosen) noteScope(index, [])
        const { note, told } = madeActions(seed)
        for (const batch of batches) writeBatch(index, completedBatch(index, chain, batch), joinTraces, 'range', note)
        const reader = openIndexReader(index)
        checkQueries(
          reader,
          reader.snapshot(() => knownActions(reader, told, ofChosen)),
        )
        expect(indexFaults(index)).toEqual([])
        for (let i = 0; i < pruned; i++) pruneOldest(index)
        checkQueries(
          reader,
          reader.snapshot(() => knownActions(reader, told, ofChosen)),
        )
        expect(indexFaults(index)).toEqual([])
      } finally {
        await remove()
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})
