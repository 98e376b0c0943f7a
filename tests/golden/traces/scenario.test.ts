import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Batch } from '../../../src/model/batch.ts'
import { type TraceRow, type TransactionKey, transactionKey } from '../../../src/model/trace-changes.ts'
import { recordedBatches } from '../../support/recorded-batches.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { type TraceMemory, traceMemory } from '../../support/trace-memory.ts'

interface Step {
  name: string
  ext_hash: string
  trace: { hash: string; parent: string | null; depth: number; outs: number }[]
}

const steps = (): Step[] => {
  const file = readFileSync(join(import.meta.dir, '../../fixtures/chain/traces.json.zst'))
  return JSON.parse(Buffer.from(Bun.zstdDecompressSync(file)).toString('utf8')) as Step[]
}

const batches: Batch[] = [...recordedBatches(recordedChain())]

const hashes = new Map<TransactionKey, string>()
for (const { mc, transactions } of batches)
  transactions.forEach(({ id, index }) => {
    hashes.set(transactionKey(mc.seqno, index), id.hash.toString('hex'))
  })

const membersOf = (memory: TraceMemory): Map<TransactionKey, string[]> => {
  const members = new Map<TransactionKey, string[]>()
  for (const [key, hash] of hashes) {
    const root = memory.rootOf(key)
    members.set(root, [...(members.get(root) ?? []), hash])
  }
  return members
}

const filled = (order: readonly Batch[]): TraceMemory => {
  const memory = traceMemory()
  for (const batch of order) memory.add(batch)
  return memory
}

const inOrder = filled(batches)

test('the trace of every step of the scenario is the one that was recorded', () => {
  const byExternal = new Map<string, TraceRow>()
  for (const trace of inOrder.traces.values())
    if (trace.external_hash) byExternal.set(trace.external_hash.toString('hex'), trace)
  const members = membersOf(inOrder)
  let compared = 0
  for (const { name, ext_hash, trace } of steps()) {
    const found = byExternal.get(ext_hash)
    if (trace.length === 0) {
      expect({ name, found }).toEqual({ name, found: undefined })
      continue
    }
    const root = trace.find(({ parent }) => parent === null)!
    expect({ name, root_hash: found?.root_hash.toString('hex') }).toEqual({ name, root_hash: root.hash })
    expect({ name, members: members.get(found!.root)!.toSorted() }).toEqual({
      name,
      members: trace.map(({ hash }) => hash).sort(),
    })
    expect({ name, state: found!.state, nodes: found!.nodes, edges: found!.edges }).toEqual({
      name,
      state: 'complete',
      nodes: trace.length,
      edges: 1 + trace.reduce((sum, { outs }) => sum + outs, 0),
    })
    compared++
  }
  expect(compared).toBe(255)
  const wide = [...inOrder.traces.values()].filter((trace) => trace.mc_seqno_start < trace.mc_seqno_end).length
  expect(wide).toBeGreaterThan(0)
  const states = Object.groupBy(inOrder.traces.values(), ({ state }) => state)
  console.log(
    `recorded network: ${compared} traces of the scenario; of all, ${states.complete?.length ?? 0} are complete, ${states.pending?.length ?? 0} pending, ${states.broken?.length ?? 0} broken; ${wide} go over several masterchain blocks`,
  )
})

test('the recorded blocks in any order make the same traces', () => {
  const expected = [...inOrder.traces.values()].sort((a, b) => Number(a.root - b.root))
  const byNumber = (multiplier: number): Batch[] =>
    batches.toSorted((a, b) => ((a.mc.seqno * multiplier) % 367) - ((b.mc.seqno * multiplier) % 367))
  const odd = batches.filter((_, i) => i % 2 === 1)
  const even = batches.filter((_, i) => i % 2 === 0)
  for (const order of [batches.toReversed(), byNumber(101), byNumber(250), [...odd.toReversed(), ...even]]) {
    const memory = filled(order)
    expect([...memory.traces.values()].sort((a, b) => Number(a.root - b.root))).toEqual(expected)
    expect(membersOf(memory)).toEqual(membersOf(inOrder))
  }
}, 30_000)

test('every transaction is counted once, and every message', () => {
  let nodes = 0
  for (const trace of inOrder.traces.values()) nodes += trace.nodes
  expect(nodes).toBe(hashes.size)
  const taken = new Set<string>()
  const sent = new Set<string>()
  let others = 0
  for (const { transactions } of batches) {
    for (const { in_msg, out_msgs } of transactions) {
      if (in_msg?.kind === 'internal') taken.add(in_msg.hash.toString('hex'))
      else if (in_msg) others++
      for (const { kind, hash } of out_msgs) {
        if (kind === 'internal') sent.add(hash.toString('hex'))
        else others++
      }
    }
  }
  let edges = 0
  let pending = 0
  for (const trace of inOrder.traces.values()) {
    edges += trace.edges
    pending += trace.pending_edges
  }
  expect(edges).toBe(taken.size + others)
  expect(pending).toBe([...sent].filter((hash) => !taken.has(hash)).length)
})
