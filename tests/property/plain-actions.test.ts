import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { GHOST_MATCHERS, MATCHERS } from '../../src/indexer/actions/families.ts'
import { plainActions } from '../../src/indexer/classify/plain.ts'
import { actionNoter, classifiedActions } from '../../src/indexer/note-actions.ts'
import { joinTraces } from '../../src/indexer/trace.ts'
import type { EntityKind } from '../../src/model/entities.ts'
import type { NoteActions } from '../../src/model/noted-action.ts'
import type { Trace } from '../../src/model/trace.ts'
import { knownTraceTransactions, readTraceTransaction } from '../../src/model/trace-transaction.ts'
import { openIndexReader } from '../../src/store/queries/open-index-reader.ts'
import { writeBatch } from '../../src/store/write.ts'
import type { Address } from '../../src/ton/address.ts'
import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { accountNo, type MadeMessage, madeTrace } from '../support/made-trace.ts'
import { recordedBatch } from '../support/recorded-batches.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { temporaryIndex } from '../support/temporary-index.ts'

setDefaultTimeout(300_000)

const RULES = { matchers: MATCHERS, ghostMatchers: GHOST_MATCHERS }

const comment = (text: string): Cell => beginCell().uint(0, 32).bytes(Buffer.from(text)).endCell()

const WORDS = ['d', 'w', 'approve', 'cancel', 'finish', 'stop', 'hello', '', 'data', 'd\0', '\0w', 'д', 'stopд', 'canc']
const KNOWN = [...new Set(MATCHERS.flatMap(({ pattern, begins }) => begins?.opcodes ?? pattern.opcodes ?? []))]

/** Mostly what no matcher begins at, as on the chain. */
const bodies = fc.oneof(
  { weight: 4, arbitrary: fc.constant(beginCell().endCell()) },
  { weight: 4, arbitrary: fc.constantFrom(...WORDS).map(comment) },
  { weight: 4, arbitrary: fc.nat(0xffffffff).map((opcode) => beginCell().uint(opcode, 32).endCell()) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0x2167da4b, 0xd53276db, 0xffffffff).map((op) => beginCell().uint(op, 32).endCell()),
  },
  { weight: 1, arbitrary: fc.constantFrom(...KNOWN).map((opcode) => beginCell().uint(opcode, 32).endCell()) },
)

const message = fc.record({
  to: fc.option(fc.nat(6), { freq: 8 }),
  body: bodies,
  aborted: fc.boolean(),
  deploys: fc.nat(19).map((n) => n === 0),
})

const traces: fc.Arbitrary<Trace> = fc
  .record({
    messages: fc.array(message, { minLength: 1, maxLength: 12 }),
    parents: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
    /** Without its first transactions. */
    from: fc.nat(2),
    isReversed: fc.boolean(),
  })
  .map(({ messages, parents, from, isReversed }) => {
    const made = messages.map((one, i) => ({
      ...one,
      to: i === 0 ? (one.to ?? 1) : one.to,
      sends: [] as MadeMessage[],
    }))
    made.forEach((one, i) => {
      const parent = made[parents[i]! % Math.max(i, 1)]!
      if (i > 0 && parent.to !== null) parent.sends.push(one)
    })
    const { trace_id, transactions } = madeTrace(made[0]!, 'ext_in')
    const some = transactions.slice(Math.min(from, transactions.length - 1))
    return { trace_id, transactions: isReversed ? some.reverse() : some }
  })

/** Accounts 0 to 2 are something that matchers ask for, the others are nothing. */
const KINDS: readonly (readonly EntityKind[])[] = [['getgems_auction'], ['nft_item', 'dns_entry'], ['jetton_wallet']]
const [ITEM, AUCTION] = [accountNo(2), accountNo(0)]

type Source = Parameters<typeof classifiedActions>[0]

const source = {
  entityKinds: ({ hash }: Address) => [...(KINDS[hash[0]!] ?? [])],
  entities: (kind: EntityKind) => {
    const entity = {
      getgems_auction: {
        _: kind,
        nft_address: ITEM,
        nft_owner_address: AUCTION,
        marketplace_address: null,
        last_bid: 5n,
      },
      nft_item: { _: kind, index: 7n, collection_address: accountNo(91), owner_address: null, content: null },
      dns_entry: { _: kind, domain: 'a.ton' },
      jetton_wallet: { _: kind, owner: ITEM, jetton: accountNo(90) },
    }[kind as string]
    return [{ address: ITEM, entity }]
  },
  accountStates: () => [],
  dataOf: () => undefined,
} as unknown as Source

test('actions of plain traces are what classifying them tells', () => {
  let plain = 0
  fc.assert(
    fc.property(traces, (trace) => {
      const found = plainActions(trace, RULES, source.entityKinds)
      if (!found) return
      plain++
      expect(found).toEqual(classifiedActions(source, trace))
    }),
    { numRuns: 1500 },
  )
  expect(plain).toBeGreaterThan(200)
})

/** Masterchain blocks of the recording. */
const [FIRST, LAST] = [60, 160]

const temporary = await temporaryIndex()
afterAll(temporary.remove)

test('what is noted of the recorded network is what classifying its traces tells', () => {
  const { index } = temporary
  const reader = openIndexReader(index)
  const noter = actionNoter(reader)
  let [noted, plain, known] = [0, 0, 0]
  const note: NoteActions = (stored) => {
    const actions = noter(stored)
    const { trace_id } = stored
    const transactions = stored.transactions.map(({ workchain, cell }) => readTraceTransaction(workchain, cell))
    expect(actions).toEqual(classifiedActions(reader, { trace_id, transactions }))
    expect(noter({ trace_id, transactions: stored.transactions.map(({ read: _, ...rest }) => rest) })).toEqual(actions)
    const told = knownTraceTransactions(stored.transactions.flatMap(({ read }) => read ?? []))
    if (told?.length === transactions.length) {
      known++
      expect(told).toEqual(transactions)
    }
    noted++
    if (plainActions({ trace_id, transactions }, RULES, reader.entityKinds)) plain++
    return actions
  }
  const chain = recordedChain()
  for (let seqno = FIRST; seqno <= LAST; seqno++)
    writeBatch(index, { ...recordedBatch(chain, seqno), accounts: [] }, joinTraces, 'range', note)
  expect(plain).toBeGreaterThan(50)
  expect(noted).toBeGreaterThan(plain)
  expect(known).toBeGreaterThan(50)
})
