import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { MATCHERS } from '../../src/indexer/actions/families.ts'
import { classify } from '../../src/indexer/classify.ts'
import type { Facts } from '../../src/model/known-account.ts'
import type { Trace } from '../../src/model/trace.ts'
import { beginCell } from '../../src/ton/builder.ts'
import { accountNo, type MadeMessage, madeTrace } from '../support/made-trace.ts'

const KNOWN_OPCODES = [...new Set(MATCHERS.flatMap(({ pattern }) => pattern.opcodes ?? []))]
const opcodes = fc.oneof(
  fc.constantFrom(...KNOWN_OPCODES, 0, 0x178d4519, 0x7362d09c, 0x05138d91, 0xd53276db, 0xffffffff),
  fc.nat(0xffffffff),
)

const bodies = fc.oneof(
  fc.constant(beginCell().endCell()),
  fc
    .record({ opcode: opcodes, rest: fc.uint8Array({ maxLength: 100 }), refs: fc.nat(2) })
    .map(({ opcode, rest, refs }) => {
      const builder = beginCell().uint(opcode, 32).bytes(Buffer.from(rest))
      for (let i = 0; i < refs; i++) builder.ref(beginCell().uint(i, 8).endCell())
      return builder.endCell()
    }),
)

const message = fc.record({
  to: fc.option(fc.nat(6), { freq: 10 }),
  body: bodies,
  value: fc.bigInt(0n, 10n ** 12n),
  aborted: fc.boolean(),
  bounce: fc.boolean(),
  deploys: fc.boolean(),
})

/** A tree of messages: each but the first one is sent by the taker of an earlier one. */
const traces: fc.Arbitrary<Trace> = fc
  .record({
    messages: fc.array(message, { minLength: 1, maxLength: 25 }),
    parents: fc.array(fc.nat(), { minLength: 25, maxLength: 25 }),
    root: fc.constantFrom('ext_in' as const, 'tick_tock' as const),
  })
  .map(({ messages, parents, root }) => {
    const made = messages.map((one, i) => ({
      ...one,
      to: i === 0 ? (one.to ?? 1) : one.to,
      sends: [] as MadeMessage[],
    }))
    made.forEach((one, i) => {
      const parent = made[parents[i]! % Math.max(i, 1)]!
      if (i > 0 && parent.to !== null) parent.sends.push(one)
    })
    return madeTrace(made[0]!, root)
  })

/** Each account is all that an account can be. */
const everything: Facts = (address) => ({
  jetton_wallet: { owner: accountNo(address.hash[0]! + 1), jetton: accountNo(90) },
  nft_item: {
    index: 7n,
    collection_address: accountNo(91),
    owner_address: null,
    content: { _: 'offchain', uri: 'https://nft.fragment.com/username/a.json' },
  },
  getgems_sale: {
    nft_address: accountNo(2),
    nft_owner_address: accountNo(3),
    marketplace_address: null,
    full_price: 5n,
  },
  getgems_auction: {
    nft_address: accountNo(2),
    nft_owner_address: accountNo(3),
    marketplace_address: null,
    last_bid: 5n,
  },
  telemint: { token_name: 'a' },
  multisig_order: { multisig_address: accountNo(4), order_seqno: 1n, signers: [] },
})
const nothing: Facts = () => ({})
const facts = fc.constantFrom(everything, nothing)

const shuffled = (trace: Trace, seed: readonly number[]): Trace => ({
  ...trace,
  transactions: trace.transactions
    .map((transaction, i) => ({ transaction, place: seed[i % seed.length]! * (i + 1) }))
    .sort((a, b) => (a.place % 1009) - (b.place % 1009))
    .map(({ transaction }) => transaction),
})

describe('the actions of a trace', () => {
  test('do not depend on the order in which its transactions arrive', () => {
    fc.assert(
      fc.property(traces, facts, fc.array(fc.nat(1000), { minLength: 5, maxLength: 25 }), (trace, known, seed) => {
        const other = shuffled(trace, seed)
        expect(classify(other, known)).toEqual(classify(trace, known))
      }),
      { numRuns: 60 },
    )
  })

  test('have every one of its transactions, and none of another trace', () => {
    fc.assert(
      fc.property(traces, facts, (trace, known) => {
        const { actions } = classify(trace, known)
        const isLone = trace.transactions.length === 1 && trace.transactions[0]!.descr === 'tick_tock'
        if (isLone) expect(actions).toEqual([])
        if (isLone) return
        const covered = new Set(actions.flatMap(({ transactions }) => transactions.map((hash) => hash.toString('hex'))))
        expect([...covered].sort()).toEqual(trace.transactions.map(({ hash }) => hash.toString('hex')).sort())
      }),
      { numRuns: 100 },
    )
  })

  test('have ids of their own, and begin before they end', () => {
    fc.assert(
      fc.property(traces, facts, (trace, known) => {
        const { actions } = classify(trace, known)
        expect(new Set(actions.map(({ action_id }) => action_id.toString('hex'))).size).toBe(actions.length)
        for (const { start_lt, end_lt, start_utime, end_utime } of actions) {
          expect(start_lt <= end_lt).toBe(true)
          expect(start_utime).toBeLessThanOrEqual(end_utime)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('cost no more than the trace is large', () => {
    const transfer = beginCell().uint(0x0f8a7ea5, 32).uint(1, 64).endCell()
    const internal = beginCell().uint(0x178d4519, 32).endCell()
    const pair = (): MadeMessage => ({ to: 2, body: transfer, sends: [{ to: 3, body: internal }] })
    const wide = madeTrace({ to: 1, sends: Array.from({ length: 1999 }, pair) })
    expect(classify(wide, everything).actions.length).toBeGreaterThan(1998)
    let deep: MadeMessage = { to: 1 }
    for (let i = 0; i < 3990; i++) deep = { to: i % 7, body: i % 2 ? transfer : internal, sends: [deep] }
    expect(classify(madeTrace(deep), everything).actions.length).toBeGreaterThan(1000)
  })

  test('are not looked for in a trace that is too large', () => {
    const trace = madeTrace({ to: 1, sends: Array.from({ length: 4000 }, () => ({ to: 2 })) })
    expect(classify(trace, everything)).toEqual({ actions: [], state: 'unclassified' })
  })
})

test('matchers have names of their own', () => {
  expect(new Set(MATCHERS.map(({ name }) => name)).size).toBe(MATCHERS.length)
})
