import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Batch, BatchMessage, BatchTransaction } from '../../../src/model/batch.ts'
import { type TraceRow, transactionKey } from '../../../src/model/trace-changes.ts'
import { madeBatch, madeMessage, madeTransaction } from '../../support/made-batch.ts'
import { traceMemory } from '../../support/trace-memory.ts'

/** A transaction of a made network: who caused it, and where it stands. */
interface Planned {
  /** Place of the parent in the plan; -1 for a root. */
  parent: number
  root: 'external' | 'tick' | 'system' | 'unknown'
  /** Masterchain blocks behind the parent's. */
  later: number
  externalOuts: number
  /** Internal messages that nobody takes. */
  open: number
}

interface Placed extends Planned {
  seqno: number
  lt: bigint
  name: string
}

const SYSTEM = { workchain: -1, hash: Buffer.alloc(32) }

const place = (plan: readonly Planned[]): Placed[] => {
  const placed: Placed[] = []
  for (const [i, planned] of plan.entries()) {
    const parent = planned.parent < 0 ? undefined : placed[planned.parent]
    const seqno = (parent?.seqno ?? 1) + planned.later
    placed.push({ ...planned, seqno, lt: (parent?.lt ?? 0n) + BigInt(i + 1), name: `${i}` })
  }
  return placed
}

const inMessage = ({ parent, root, name }: Placed): BatchMessage | null => {
  if (parent >= 0) return madeMessage(name)
  if (root === 'tick') return null
  if (root === 'system') return { ...madeMessage(name), source: SYSTEM }
  return madeMessage(name, root === 'external' ? 'ext_in' : 'internal')
}

const outMessages = (all: readonly Placed[], own: number): BatchMessage[] => {
  const { name, externalOuts, open } = all[own]!
  return [
    ...all.flatMap((other) => (other.parent === own ? madeMessage(other.name) : [])),
    ...Array.from({ length: externalOuts }, (_, i) => madeMessage(`${name} out ${i}`, 'ext_out')),
    ...Array.from({ length: open }, (_, i) => madeMessage(`${name} open ${i}`)),
  ]
}

const batchesOf = (all: readonly Placed[]): Batch[] => {
  const bySeqno = new Map<number, BatchTransaction[]>()
  for (const [i, one] of all.entries()) {
    const list = bySeqno.get(one.seqno) ?? []
    bySeqno.set(one.seqno, list)
    list.push(madeTransaction(one.name, one.lt, one.seqno * 10, inMessage(one), outMessages(all, i)))
  }
  return [...bySeqno].map(([seqno, transactions]) => madeBatch(seqno, transactions))
}

/** The trace of each root, worked out from the plan alone: of those transactions whose block arrived. */
const expectedTraces = (all: readonly Placed[], arrived: ReadonlySet<number>): Map<string, object> => {
  const here = all.filter(({ seqno }) => arrived.has(seqno))
  const rootOf = (one: Placed): Placed => {
    const parent = all[one.parent]
    return parent && arrived.has(parent.seqno) ? rootOf(parent) : one
  }
  const traces = new Map<string, object>()
  for (const root of new Set(here.map(rootOf))) {
    const nodes = here.filter((one) => rootOf(one) === root)
    const sent = nodes.flatMap((node) => all.filter(({ parent }) => all[parent] === node))
    const taken = sent.filter(({ seqno }) => arrived.has(seqno)).length
    const open = nodes.reduce((sum, node) => sum + node.open, 0)
    const pending_edges = sent.length - taken + open
    const isBroken = root.parent >= 0 || root.root === 'unknown'
    const lts = nodes.map(({ lt }) => lt).sort((a, b) => Number(a - b))
    const seqnos = nodes.map(({ seqno }) => seqno).sort((a, b) => a - b)
    traces.set(root.name, {
      state: isBroken ? 'broken' : pending_edges > 0 ? 'pending' : 'complete',
      nodes: nodes.length,
      edges:
        (root.root === 'tick' && root.parent < 0 ? 0 : 1) +
        taken +
        nodes.reduce((n, { externalOuts }) => n + externalOuts, 0),
      pending_edges,
      start_lt: lts[0],
      end_lt: lts.at(-1),
      start_utime: seqnos[0]! * 10,
      end_utime: seqnos.at(-1)! * 10,
      mc_seqno_start: seqnos[0],
      mc_seqno_end: seqnos.at(-1),
    })
  }
  return traces
}

const named = (traces: Iterable<TraceRow>, batches: readonly Batch[]): Map<string, object> => {
  const names = new Map<bigint, string>()
  for (const { mc, transactions } of batches)
    transactions.forEach((transaction) => {
      names.set(transactionKey(mc.seqno, transaction.index), transaction.account.hash.toString('hex'))
    })
  return new Map(
    [...traces].map(({ root, root_hash: _, external_hash: __, external_hash_norm: ___, ...rest }) => [
      names.get(root)!,
      rest,
    ]),
  )
}

/** As expectedTraces, by the accounts of the roots, ascending. */
const expectedByName = (all: readonly Placed[], arrived: ReadonlySet<number>): Map<string, object> =>
  new Map(
    Array.from(expectedTraces(all, arrived), ([name, trace]): [string, object] => [
      madeTransaction(name, 0n, 0, null, []).account.hash.toString('hex'),
      trace,
    ]).sort(),
  )

const plans = fc
  .array(
    fc.record({
      parent: fc.integer({ min: -2, max: 30 }),
      root: fc.constantFrom('external', 'tick', 'system', 'unknown'),
      later: fc.integer({ min: 0, max: 3 }),
      externalOuts: fc.integer({ min: 0, max: 2 }),
      open: fc.constantFrom(0, 0, 0, 0, 1),
    }),
    { minLength: 1, maxLength: 30, size: 'max' },
  )
  .map((list): Planned[] =>
    list.map((one, i) => ({ ...one, parent: one.parent < 0 || i === 0 ? -1 : one.parent % i }) as Planned),
  )

/** In the order of what `random` gives next. */
const shuffle = <T>(list: readonly T[], random: Iterator<number>): T[] =>
  list
    .map((one) => ({ one, at: random.next().value as number }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)

const numbers = fc.infiniteStream(fc.nat(1_000_000))

test('blocks in any order, and any part of them, make the traces that their transactions make', () => {
  fc.assert(
    fc.property(plans, numbers, (plan, random) => {
      const all = place(plan)
      const batches = batchesOf(all)
      const shuffled = shuffle(batches, random)
      const memory = traceMemory()
      const arrived = new Set<number>()
      for (const batch of shuffled) {
        memory.add(batch)
        arrived.add(batch.mc.seqno)
        const actual = named(memory.traces.values(), batches)
        expect(new Map([...actual].sort())).toEqual(expectedByName(all, arrived))
      }
    }),
    { numRuns: 200 },
  )
}, 30_000)

test('blocks that were pruned, some of them again and again, make these traces when they come again', () => {
  let truncated = 0
  fc.assert(
    fc.property(plans, numbers, (plan, random) => {
      const all = place(plan)
      const batches = batchesOf(all).sort((a, b) => a.mc.seqno - b.mc.seqno)
      const memory = traceMemory()
      const arrived = new Set<number>()
      const add = (batch: Batch): void => {
        memory.add(batch)
        arrived.add(batch.mc.seqno)
      }
      for (const batch of batches) add(batch)
      for (let round = 0; round < 3; round++) {
        const oldest = batches.filter(({ mc }) => arrived.has(mc.seqno))
        for (const batch of oldest.slice(0, random.next().value % oldest.length)) {
          memory.prune(batch)
          arrived.delete(batch.mc.seqno)
        }
        truncated += memory.truncated().length
        const gone = shuffle(
          batches.filter(({ mc }) => !arrived.has(mc.seqno)),
          random,
        )
        for (const batch of gone.slice(0, round === 2 ? gone.length : Math.floor(gone.length / 2))) {
          add(batch)
          const expected = expectedByName(all, arrived)
          const whole = memory.traces.values().filter(({ root }) => !memory.truncated().includes(root))
          for (const [name, trace] of named(whole, batches)) expect(trace).toEqual(expected.get(name)!)
        }
      }
      expect(new Map([...named(memory.traces.values(), batches)].sort())).toEqual(expectedByName(all, arrived))
    }),
    { numRuns: 400 },
  )
  expect(truncated).toBeGreaterThan(50)
}, 30_000)

test('a trace knows its root by hash, and the message that began it', () => {
  const memory = traceMemory()
  const message = { ...madeMessage('in', 'ext_in'), hash_norm: Buffer.alloc(32, 7) }
  const transaction = madeTransaction('root', 5n, 50, message, [])
  memory.add(madeBatch(3, [transaction]))
  expect([...memory.traces.values()]).toMatchObject([
    { root_hash: transaction.id.hash, external_hash: message.hash, external_hash_norm: message.hash_norm },
  ])
})

const chain = (length: number, ring: boolean): Batch[] =>
  Array.from({ length }, (_, i) => {
    const taken = i === 0 && !ring ? madeMessage('start', 'ext_in') : madeMessage(`${i}`)
    const sent = i + 1 < length ? [madeMessage(`${i + 1}`)] : ring ? [madeMessage('0')] : []
    return madeBatch(i + 1, [madeTransaction(`${i}`, BigInt(i + 1), i, taken, sent)])
  })

test('a circle of messages, which no chain can make, ends', () => {
  const batches = chain(6, true)
  for (const order of [batches, batches.toReversed(), [batches[2]!, batches[5]!, batches[0]!, batches[1]!]]) {
    const memory = traceMemory()
    for (const batch of order) memory.add(batch)
    for (const { state } of memory.traces.values()) expect(state).toBe('broken')
  }
  const memory = traceMemory()
  memory.add(
    madeBatch(
      1,
      batches.flatMap(({ transactions }) => transactions),
    ),
  )
  expect(memory.traces.size).toBe(1)
})

test('two that take one message, which no chain has, leave everything standing', () => {
  const memory = traceMemory()
  const start = madeTransaction('a', 1n, 1, madeMessage('start', 'ext_in'), [madeMessage('m')])
  const takers = ['b', 'c'].map((name, i) => madeTransaction(name, BigInt(2 + i), 1, madeMessage('m'), []))
  memory.add(madeBatch(1, [start, ...takers]))
  expect([...memory.traces.values()].map(({ nodes }) => nodes).sort()).toEqual([1, 2])
})

test('a trace of 10,000 transactions is joined in one batch, and in many', () => {
  const size = 10_000
  const children = Array.from({ length: size - 1 }, (_, i) => madeMessage(`${i}`))
  const root = madeTransaction('root', 1n, 1, madeMessage('start', 'ext_in'), children)
  const takers = children.map((message, i) => madeTransaction(`t${i}`, BigInt(2 + i), 2, message, []))
  const whole = traceMemory()
  whole.add(madeBatch(1, [root, ...takers]))
  expect([...whole.traces.values()]).toMatchObject([{ state: 'complete', nodes: size, edges: size, pending_edges: 0 }])
  const many = traceMemory()
  for (let i = 0; i < takers.length; i += 1000) many.add(madeBatch(2 + i, takers.slice(i, i + 1000)))
  expect(many.traces.size).toBe(size - 1)
  const late = traceMemory()
  for (let i = 0; i < takers.length; i += 5000) late.add(madeBatch(2 + i, takers.slice(i, i + 5000)))
  late.add(madeBatch(1, [root]))
  expect([...late.traces.values()]).toMatchObject([{ state: 'complete', nodes: size, edges: size, pending_edges: 0 }])
}, 30_000)

test('a chain of 2,000 messages, one in each block, is joined from either end', () => {
  const batches = chain(2000, false)
  for (const order of [batches, batches.toReversed()]) {
    const memory = traceMemory()
    for (const batch of order) memory.add(batch)
    expect([...memory.traces.values()]).toMatchObject([{ state: 'complete', nodes: 2000, edges: 2000 }])
  }
}, 30_000)
