import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { joinTraces } from '../../../../src/indexer/trace.ts'
import type { Batch } from '../../../../src/model/batch.ts'
import type {
  BlockFilter,
  BlockRecord,
  Listed,
  MessageFilter,
  MessageRecord,
  Page,
  SortOrder,
  TraceFilter,
  TraceRecord,
  TransactionFilter,
  TransactionRecord,
  TransactionsByMessageFilter,
} from '../../../../src/model/index-records.ts'
import type { IndexReader } from '../../../../src/store/queries/index-reader.ts'
import { openIndexReader } from '../../../../src/store/queries/open-index-reader.ts'
import { writeBatch } from '../../../../src/store/write.ts'
import { type Address, rawAddress } from '../../../../src/ton/address.ts'
import { blockIdText } from '../../../../src/ton/block-id.ts'
import { parseBocRoot } from '../../../../src/ton/boc.ts'
import { indexFaults } from '../../../support/index-check.ts'
import {
  createOracle,
  type IndexOracle,
  type OracleBlock,
  type OracleMessage,
  type OracleTrace,
  type OracleTransaction,
} from '../../../support/index-oracle.ts'
import { recordedBatch } from '../../../support/recorded-batches.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'
import { completedBatch } from '../../../support/recorded-index.ts'
import { type TemporaryIndex, temporaryIndex } from '../../../support/temporary-index.ts'

const RUNS = Number(process.env['TONLITH_ORACLE_RUNS'] ?? 60)

/** With a gap, so that messages are known by one side only and traces lack their beginning. */
const SEQNOS = Array.from({ length: 360 }, (_, i) => i + 1).filter((seqno) => seqno < 120 || seqno > 150)

/** The same blocks in other orders: upwards, downwards, and every third first. */
const ARRIVALS: Record<string, readonly number[]> = {
  upwards: SEQNOS,
  downwards: SEQNOS.toReversed(),
  'in thirds': [2, 0, 1].flatMap((rest) => SEQNOS.filter((seqno) => seqno % 3 === rest)),
}

const chain = recordedChain()
const batches = new Map(SEQNOS.map((seqno) => [seqno, recordedBatch(chain, seqno)]))
const oracle: IndexOracle = createOracle([...batches.values()])

const pageUpTo = (offset: number): fc.Arbitrary<Page> =>
  fc.record({
    limit: fc.integer({ min: 1, max: 30 }),
    offset: fc.oneof(fc.constant(0), fc.nat(20), fc.nat(offset)),
    sort: fc.constantFrom<SortOrder>('asc', 'desc'),
  })

/**
 * Behind so many messages, what fits a filter that needs the cells of all (taken, none from outside) is found before one
 * query has looked at all it may: half of the 3,174 fit, and 2,800 may be read.
 */
const MESSAGES_OFFSET = 1000

const hexOf = (hash: Buffer | null | undefined): string => hash?.toString('hex') ?? 'null'

/** The page, and the one behind it by its cursor, as the oracle's list has them. */
const expectPages = <T, O>(
  list: (page: Page) => Listed<T>,
  expected: readonly O[],
  asked: Page,
  shown: (record: T) => string,
  wanted: (record: O) => string,
): void => {
  const { limit, offset } = asked
  const first = list(asked)
  expect(first.records.map(shown)).toEqual(expected.slice(offset, offset + limit).map(wanted))
  if (!first.next) {
    expect(offset + limit).toBeGreaterThan(expected.length)
    return
  }
  const second = list({ ...asked, offset: 0, after: first.next })
  expect(second.records.map(shown)).toEqual(expected.slice(offset + limit, offset + 2 * limit).map(wanted))
}

const some = <T>(...values: fc.Arbitrary<T>[]): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, ...values.map((arbitrary) => ({ weight: 1, arbitrary })))

const oneOf = <T>(list: readonly T[]): fc.Arbitrary<T> => fc.nat(list.length - 1).map((i) => list[i]!)
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))
const someOf = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(one, { minLength: 0, maxLength: 4 })

const bounds = (times: readonly { lt: bigint; utime: number }[]) => ({
  start_utime: some(oneOf(times).map(({ utime }) => utime)),
  end_utime: some(oneOf(times).map(({ utime }) => utime)),
  start_lt: some(oneOf(times).map(({ lt }) => lt)),
  end_lt: some(oneOf(times).map(({ lt }) => lt)),
})

const check = <F>(filter: fc.Arbitrary<F>, run: (filter: F, page: Page) => void, offset = 2000): void => {
  fc.assert(fc.property(filter, pageUpTo(offset), run), { numRuns: RUNS })
}

setDefaultTimeout(600_000)

describe.each(Object.keys(ARRIVALS))('filled %s, the index agrees with arrays and filters on', (arrival) => {
  let temporary: TemporaryIndex
  let reader: IndexReader
  let written: Batch[]

  beforeAll(async () => {
    temporary = await temporaryIndex()
    const { index } = temporary
    written = []
    for (const seqno of ARRIVALS[arrival]!) {
      const batch = completedBatch(index, chain, batches.get(seqno)!)
      written.push(batch)
      writeBatch(index, batch, joinTraces)
    }
    reader = openIndexReader(index)
  }, 120_000)

  afterAll(() => temporary.remove())

  test('blocks', () => {
    const { blocks } = oracle
    const filter = fc.record<BlockFilter>({
      workchain: some(fc.constantFrom(-1, 0, 1)),
      shard: some(oneOf(blocks).map(({ id }) => id.shard)),
      seqno: some(oneOf(blocks).map(({ id }) => id.seqno)),
      mc_seqno: some(oneOf(SEQNOS), fc.integer()),
      root_hash: some(oneOf(blocks).map(({ id }) => id.root_hash)),
      file_hash: some(oneOf(blocks).map(({ id }) => id.file_hash)),
      ...bounds(blocks.map(({ info }) => ({ lt: info.start_lt, utime: info.gen_utime }))),
    })
    check(filter, (asked, at) => {
      expectPages<BlockRecord, OracleBlock>(
        (p) => reader.blocks(asked, p),
        oracle.listBlocks(asked, at.sort),
        at,
        ({ id, mc_seqno, tx_count }) => `${blockIdText(id)} ${hexOf(id.root_hash)} ${mc_seqno} ${tx_count}`,
        ({ id, mc_seqno, tx_count }) => `${blockIdText(id)} ${hexOf(id.root_hash)} ${mc_seqno} ${tx_count}`,
      )
    })
  })

  const shownTransaction = ({ id, account, block, mc_seqno, trace_id, cell }: TransactionRecord): string =>
    `${id.lt} ${rawAddress(account)} ${hexOf(id.hash)} ${blockIdText(block)} ${mc_seqno} ${hexOf(trace_id)} ${hexOf(cell.hash())}`
  const wantedTransaction = ({ id, account, of, mc_seqno, root, cell }: OracleTransaction): string =>
    `${id.lt} ${rawAddress(account)} ${hexOf(id.hash)} ${blockIdText(of)} ${mc_seqno} ${hexOf(root.id.hash)} ${hexOf(cell.hash())}`

  test('transactions', () => {
    const { transactions } = oracle
    const account = oneOf(transactions).map(({ account }) => account)
    const filter = fc.record<TransactionFilter>({
      workchain: some(fc.constantFrom(-1, 0, 1)),
      shard: some(oneOf(oracle.blocks).map(({ id }) => id.shard)),
      seqno: some(oneOf(oracle.blocks).map(({ id }) => id.seqno)),
      mc_seqno: some(oneOf(SEQNOS), fc.integer()),
      accounts: some(someOf(account)),
      exclude_accounts: some(someOf(account)),
      hashes: some(
        someOf(
          fc.oneof(
            oneOf(transactions).map(({ id }) => id.hash),
            bytes32,
          ),
        ),
      ),
      lt: some(oneOf(transactions).map(({ id }) => id.lt)),
      ...bounds(transactions.map(({ id, now }) => ({ lt: id.lt, utime: now }))),
    })
    check(filter, (asked, at) => {
      const expected = oracle.listTransactions(asked, at.sort)
      expectPages((p) => reader.transactions(asked, p), expected, at, shownTransaction, wantedTransaction)
    })
  })

  test('transactions by message', () => {
    const { messages } = oracle
    const filter = fc
      .record<TransactionsByMessageFilter>({
        msg_hashes: some(
          someOf(
            fc.oneof(
              oneOf(messages).map(({ message }) => message.hash_norm ?? message.hash),
              bytes32,
            ),
          ),
        ),
        body_hash: some(oneOf(messages).map(({ message }) => message.body_hash)),
        opcode: some(oneOf(messages).map(({ message }) => message.opcode ?? 7)),
        direction: some(fc.constantFrom('in', 'out')),
        source: some(oneOf(messages).map(({ message }) => message.source)),
        destination: some(oneOf(messages).map(({ message }) => message.destination)),
      })
      .filter(({ msg_hashes, body_hash, opcode }) => !!msg_hashes?.length || !!body_hash || opcode !== undefined)
    check(filter, (asked, at) => {
      const expected = oracle.listByMessage(asked, at.sort)
      expectPages((p) => reader.transactionsByMessage(asked, p), expected, at, shownTransaction, wantedTransaction)
    })
  })

  test('messages', () => {
    const { messages } = oracle
    const filter = fc.record<MessageFilter>({
      hashes: some(
        someOf(
          fc.oneof(
            oneOf(messages).map(({ message }) => message.hash_norm ?? message.hash),
            bytes32,
          ),
        ),
      ),
      body_hash: some(oneOf(messages).map(({ message }) => message.body_hash)),
      opcode: some(oneOf(messages).map(({ message }) => message.opcode ?? 7)),
      source: some(oneOf(messages).map(({ message }) => message.source)),
      destination: some(oneOf(messages).map(({ message }) => message.destination)),
      direction: some(fc.constantFrom('in', 'out')),
      exclude_externals: some(fc.boolean()),
      only_externals: some(fc.boolean()),
      ...bounds(messages),
    })
    const agrees = (asked: MessageFilter, at: Page): void => {
      const { direction } = asked
      expectPages<MessageRecord, OracleMessage>(
        (p) => reader.messages(asked, p),
        oracle.listMessages(asked, at.sort),
        at,
        ({ cell, in_tx, out_tx }) => `${hexOf(cell.hash())} ${hexOf(in_tx)} ${hexOf(out_tx)}`,
        ({ message, taken, sent }) =>
          `${hexOf(message.hash)} ${hexOf(direction === 'out' ? null : taken?.transaction.id.hash)} ` +
          hexOf(direction === 'in' ? null : sent?.transaction.id.hash),
      )
    }
    check(filter, agrees, MESSAGES_OFFSET)
    agrees({ direction: 'in', exclude_externals: true }, { limit: 30, offset: MESSAGES_OFFSET, sort: 'asc' })
    agrees({ direction: 'in', exclude_externals: true }, { limit: 30, offset: MESSAGES_OFFSET, sort: 'desc' })
  })

  test('a message that was taken hundreds of times, asked for a thousand times over', () => {
    const times = new Map<string, number>()
    for (const { message } of oracle.messages) {
      const name = hexOf(message.hash)
      times.set(name, (times.get(name) ?? 0) + 1)
    }
    const [name] = [...times].reduce((most, one) => (one[1] > most[1] ? one : most))
    const hash = Buffer.from(name, 'hex')
    const [once, often] = [[hash], Array.from({ length: 1000 }, () => hash)]
    const at: Page = { limit: 1000, offset: 0, sort: 'asc' }
    const texts = (hashes: Buffer[]): string[][] => [
      reader.messages({ hashes }, at).records.map(({ in_tx }) => hexOf(in_tx)),
      reader.transactionsByMessage({ msg_hashes: hashes }, at).records.map(shownTransaction),
      reader.traces({ msg_hashes: hashes }, at).records.map(({ root_hash }) => hexOf(root_hash)),
    ]
    expect(times.get(name)).toBeGreaterThan(100)
    expect(texts(often)).toEqual(texts(once))
    for (const list of texts(once)) expect(list.length).toBe(times.get(name)!)
  })

  test('traces', () => {
    const { transactions, traces, messages } = oracle
    const one = fc.constantFrom('none', 'account', 'trace_ids', 'tx_hashes', 'msg_hashes')
    const filter = fc
      .record({
        one,
        account: oneOf(transactions).map(({ account }) => account),
        trace_ids: someOf(oneOf(traces).map(({ root }) => root.id.hash)),
        tx_hashes: someOf(oneOf(transactions).map(({ id }) => id.hash)),
        msg_hashes: someOf(oneOf(messages).map(({ message }) => message.hash_norm ?? message.hash)),
        mc_seqno: some(oneOf(SEQNOS), fc.integer()),
        ...bounds(traces.map(({ end_lt, end_utime }) => ({ lt: end_lt, utime: end_utime }))),
      })
      .map(
        ({ one, account, trace_ids, tx_hashes, msg_hashes, ...rest }): TraceFilter => ({
          ...rest,
          ...(one === 'account' && { account }),
          ...(one === 'trace_ids' && { trace_ids }),
          ...(one === 'tx_hashes' && { tx_hashes }),
          ...(one === 'msg_hashes' && { msg_hashes }),
        }),
      )
    check(filter, (asked, at) => {
      expectPages<TraceRecord, OracleTrace>(
        (p) => reader.traces(asked, p),
        oracle.listTraces(asked, at.sort),
        at,
        (trace) =>
          `${hexOf(trace.root_hash)} ${trace.state} ${trace.nodes} ${trace.pending_edges} ${trace.end_lt} ${trace.end_utime} ` +
          `${trace.mc_seqno_end} ${Array.from(reader.traceTransactions(trace, 1000), ({ id }) => hexOf(id.hash))}`,
        ({ root, members, state, pending_edges, end_lt, end_utime, mc_seqno_end }) =>
          `${hexOf(root.id.hash)} ${state} ${members.length} ${pending_edges} ${end_lt} ${end_utime} ${mc_seqno_end} ` +
          [...members]
            .sort(
              (a, b) => (a.id.lt < b.id.lt ? -1 : a.id.lt > b.id.lt ? 1 : 0) || a.account.hash.compare(b.account.hash),
            )
            .map(({ id }) => hexOf(id.hash)),
      )
    })
  })

  test('accounts', () => {
    const { latest } = oracle
    const shown = latest.map(({ address, state_hash, balance, status, last_transaction, code_hash, data_hash }) => ({
      address,
      state_hash,
      balance,
      status,
      last_transaction,
      code_hash,
      data_hash,
    }))
    const states = reader.accountStates(latest.map(({ address }) => address))
    expect(states.map(({ mc_seqno: _, extra_currencies: __, frozen_hash: ___, ...state }) => state)).toEqual(shown)
    for (const { address, data_hash, code_hash } of latest) {
      const data = reader.dataOf(address)
      expect(data ? hexOf(parseBocRoot(data).hash()) : 'null').toBe(hexOf(data_hash))
      const code = code_hash && reader.codeOf(code_hash)
      expect(code ? hexOf(parseBocRoot(code).hash()) : 'null').toBe(hexOf(code_hash))
    }
    const top = [...latest].sort(
      (a, b) =>
        (b.balance > a.balance ? 1 : b.balance < a.balance ? -1 : 0) ||
        a.address.workchain - b.address.workchain ||
        a.address.hash.compare(b.address.hash),
    )
    const line = ({ address, balance }: { address: Address; balance: bigint }): string =>
      `${rawAddress(address)} ${balance}`
    const first = reader.topAccounts({ limit: 100, offset: 7 })
    expect(first.records.map(line)).toEqual(top.slice(7, 107).map(line))
    const second = reader.topAccounts({ limit: 1000, offset: 0, after: first.next! })
    expect(second.records.map(line)).toEqual(top.slice(107).map(line))
    for (const { accounts } of written) {
      for (const { state_hash, balance } of accounts) expect(reader.stateByHash(state_hash)?.balance).toBe(balance)
    }
  })

  test('every row and entry', () => {
    expect(indexFaults(temporary.index)).toEqual([])
  })

  test('what is there', () => {
    expect(reader.ranges()).toEqual([
      { first: 1, last: 119 },
      { first: 151, last: 360 },
    ])
    expect(reader.seqno()).toBe(360)
    expect([0, 1, 119, 120, 150, 151, 360, 361].map((seqno) => reader.covers(seqno))).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
      true,
      false,
    ])
    expect(reader.masterchainEnds()?.first.id.seqno).toBe(1)
    expect(reader.masterchainEnds()?.last.id.seqno).toBe(360)
    for (const { mc, shard_tops } of batches.values()) {
      const stored = new Set(oracle.blocks.map(({ id }) => blockIdText(id)))
      const tops = [mc, ...shard_tops].map(blockIdText).filter((id) => stored.has(id))
      expect(
        reader
          .shardState(mc.seqno)
          .map(({ id }) => blockIdText(id))
          .sort(),
      ).toEqual(tops.sort())
    }
  })

  test('neighbours of a transaction', () => {
    for (const one of oracle.transactions.filter((_, i) => i % 5 === 0)) {
      const children = oracle.transactions.filter(
        ({ in_msg }) => in_msg?.kind === 'internal' && one.out_msgs.some(({ hash }) => hash.equals(in_msg.hash)),
      )
      const parent = oracle.transactions.filter(
        ({ out_msgs }) => one.in_msg?.kind === 'internal' && out_msgs.some(({ hash }) => hash.equals(one.in_msg!.hash)),
      )
      const sorted = (list: typeof parent): string[] => list.map(({ id }) => hexOf(id.hash)).sort()
      const found = (direction: 'in' | 'out' | undefined): string[] =>
        reader
          .adjacent(one.id.hash, direction)!
          .map(({ id }) => hexOf(id.hash))
          .sort()
      expect(found('out')).toEqual(sorted(children))
      expect(found('in')).toEqual(sorted(parent))
      expect(found(undefined)).toEqual(sorted([...parent, ...children]))
    }
    expect(reader.adjacent(Buffer.alloc(32, 7), undefined)).toBeUndefined()
  })
})
