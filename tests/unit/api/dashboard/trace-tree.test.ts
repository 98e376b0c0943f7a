import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readTrace, type TraceNode, traceTree } from '../../../../src/api/dashboard/trace-tree.ts'
import { rawAddress } from '../../../../src/ton/address.ts'
import { startV3Gateway, type V3Gateway } from '../../../support/v3-gateway.ts'

let gateway: V3Gateway

beforeAll(async () => {
  gateway = await startV3Gateway({ seqnos: Array.from({ length: 20 }, (_, i) => 20 + i) })
})

afterAll(() => gateway.stop())

const allOf = (node: TraceNode): TraceNode[] => [node, ...node.children.flatMap(allOf)]

test('the traces of recorded blocks are shown with all of their transactions, each below the one that sent its message', () => {
  const { records } = gateway.reader.traces({}, { limit: 200, offset: 0, sort: 'asc' })
  const whole = records.filter(({ state }) => state === 'complete')
  expect(whole.length).toBeGreaterThan(20)
  for (const { root_hash, nodes } of whole) {
    const trace = readTrace(gateway.reader, root_hash)!
    const shown = allOf(trace.root)
    expect([shown.length, trace.count, trace.isCut]).toEqual([nodes, nodes, false])
    for (const { account, children } of shown)
      for (const child of children) expect(child.message!.source).toEqual(account)
  }
  expect(Math.max(...whole.map(({ nodes }) => nodes))).toBeGreaterThan(3)
})

test('an unknown trace is none', () => expect(readTrace(gateway.reader, Buffer.alloc(32))).toBeUndefined())

test('a trace is a list in lists, with the names of its accounts', () => {
  const [record] = gateway.reader
    .traces({}, { limit: 200, offset: 0, sort: 'asc' })
    .records.filter(({ nodes }) => nodes > 2)
  const trace = readTrace(gateway.reader, record!.root_hash)!
  const { markup } = traceTree(
    trace,
    new Map([[rawAddress(trace.root.account), { name: 'The <payer>', address: 'UQ' }]]),
    rawAddress,
  )
  expect(markup).toStartWith('<ul class="trace"><li>')
  expect(markup.match(/<li>/g)).toHaveLength(trace.count)
  expect(markup).toContain('<strong>The &lt;payer&gt;</strong>')
})
