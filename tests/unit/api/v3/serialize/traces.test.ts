import { expect, test } from 'bun:test'
import { largeTraceText, traceText } from '../../../../../src/api/v3/serialize/traces.ts'
import type { TraceRecord } from '../../../../../src/model/index-records.ts'

const traceOf = (nodes: number, state: TraceRecord['state'] = 'complete'): TraceRecord => ({
  root: 1n,
  root_hash: Buffer.alloc(32, 1),
  external_hash: null,
  external_hash_norm: null,
  state,
  nodes,
  edges: nodes,
  pending_edges: 0,
  start_lt: 1n,
  end_lt: 2n,
  start_utime: 3,
  end_utime: 4,
  mc_seqno_start: 5,
  mc_seqno_end: 6,
})

const chainOf = (length: number) =>
  Array.from({ length }, (_, i) => ({ hash: `t${i}`, inMsgHash: `m${i}`, outMsgHashes: [`m${i + 1}`] }))
const written = (nodes: ReturnType<typeof chainOf>) => ({ nodes, texts: nodes.map(() => '{}') })

test('the tree follows the messages', () => {
  const nodes = [
    { hash: 'a', inMsgHash: null, outMsgHashes: ['1', '2', 'away'] },
    { hash: 'b', inMsgHash: '1', outMsgHashes: ['3'] },
    { hash: 'c', inMsgHash: '2', outMsgHashes: [] },
    { hash: 'd', inMsgHash: '3', outMsgHashes: [] },
  ]
  const trace = JSON.parse(traceText(traceOf(4), { nodes, texts: nodes.map(({ hash }) => `{"hash":"${hash}"}`) }))
  expect(trace).toMatchObject({ mc_seqno_start: '5', start_utime: 3, end_lt: '2', is_incomplete: false })
  expect(trace.trace).toEqual({
    tx_hash: 'a',
    children: [
      { tx_hash: 'b', in_msg_hash: '1', children: [{ tx_hash: 'd', in_msg_hash: '3', children: [] }] },
      { tx_hash: 'c', in_msg_hash: '2', children: [] },
    ],
  })
  expect(trace.transactions_order).toEqual(['a', 'b', 'c', 'd'])
  expect(trace.transactions['d']).toEqual({ hash: 'd' })
})

test('a trace may be thousands of transactions deep', () => {
  const text = traceText(traceOf(4000), written(chainOf(4000)))
  expect(text.match(/"tx_hash"/g)).toHaveLength(4000)
  expect(text).toContain(`"tx_hash":"t3999","in_msg_hash":"m3999","children":[]}`)
})

test('what is missing is said', () => {
  const broken = [...chainOf(2), { hash: 'x', inMsgHash: 'lost', outMsgHashes: [] }]
  expect(JSON.parse(traceText(traceOf(3), written(broken)))).toMatchObject({
    is_incomplete: true,
    warning: 'missing node in trace found',
  })
  expect(JSON.parse(traceText(traceOf(2, 'pending'), written(chainOf(2))))).toMatchObject({
    is_incomplete: true,
    trace_info: { trace_state: 'pending' },
  })
  const large = JSON.parse(largeTraceText(traceOf(5000)))
  expect(large).toMatchObject({ is_incomplete: true, warning: 'trace is too large' })
  expect(Object.keys(large)).not.toContain('transactions')
})
