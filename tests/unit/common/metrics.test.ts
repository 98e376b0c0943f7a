import { expect, test } from 'bun:test'
import { createMetrics, type WebhookSample } from '../../../src/common/metrics.ts'
import { VERSION } from '../../../src/common/version.ts'

const SERVER = { index: 0, online: true, seqno: 7, inFlight: 2, behind: 1, latencyMs: 250 }

test('all metrics carry our name, and those of the process have values', async () => {
  const { registry } = createMetrics({ servers: () => [] })
  const metrics = await registry.getMetricsAsJSON()
  expect(metrics.length).toBeGreaterThan(5)
  for (const { name } of metrics) expect(name).toMatch(/^tonlith_[a-z_]+$/)
  const text = await registry.metrics()
  expect(text).toContain(`tonlith_build_info{version="${VERSION}",bun="${Bun.version}"} 1`)
  expect(Number(/^tonlith_process_resident_memory_bytes (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(1_000_000)
})

test('the event loop is asked once for each scrape', async () => {
  let asked = 0
  const eventLoop = () => ({ median: 0, p99: 0.25, max: ++asked })
  const { registry } = createMetrics({ servers: () => [], eventLoop })
  await registry.metrics()
  const text = await registry.metrics()
  expect(text).toContain('tonlith_event_loop_delay_seconds{quantile="0.99"} 0.25')
  expect(text).toContain('tonlith_event_loop_delay_seconds{quantile="1"} 2')
})

test('servers are read at each scrape, and one that is gone disappears', async () => {
  const servers = [SERVER, { ...SERVER, index: 1, online: false, seqno: undefined, inFlight: 0 }]
  const { registry } = createMetrics({ servers: () => servers })
  const text = await registry.metrics()
  expect(text).toContain('tonlith_liteserver_online{server="0"} 1')
  expect(text).toContain('tonlith_liteserver_seqno{server="0"} 7')
  expect(text).toContain('tonlith_liteserver_in_flight{server="0"} 2')
  expect(text).toContain('tonlith_liteserver_behind_blocks{server="0"} 1')
  expect(text).toContain('tonlith_liteserver_latency_seconds{server="0"} 0.25')
  expect(text).toContain('tonlith_liteserver_online{server="1"} 0')
  servers.pop()
  expect(await registry.metrics()).not.toContain('server="1"')
})

test('the index is told of only where there is one', async () => {
  const index = {
    running: true,
    seqno: 5,
    head: 9,
    missing: 4,
    blocks: 1,
    transactions: 2,
    bytes: 3,
    freeBytes: 4,
    reconnections: 0,
    detection: { accounts: 7, runs: 5, faults: { gas: 2 } },
    actionFaults: { DNS: 3 },
    restarts: 0,
  }
  const text = await createMetrics({ servers: () => [], index: () => index }).registry.metrics()
  expect(text).toContain('tonlith_index_running 1')
  expect(text).toContain('tonlith_index_seqno 5')
  expect(text).toContain('tonlith_index_missing_blocks 4')
  expect(text).toContain('tonlith_index_detection_faults{fault="gas"} 2')
  expect(text).toContain('tonlith_index_action_faults{matcher="DNS"} 3')
  expect(await createMetrics({ servers: () => [] }).registry.metrics()).not.toContain('tonlith_index')
})

test('get-methods and stores are told of by what became of them, and what they take', async () => {
  const tvm = () => ({ workers: 2, busy: 1, waiting: 3, runs: { answered: 9, late: 1 }, seconds: 1.5 })
  const { registry } = createMetrics({ servers: () => [], tvm, stores: () => ({ index: 4096 }) })
  const text = await registry.metrics()
  for (const line of ['workers 2', 'busy 1', 'waiting 3', 'seconds 1.5', 'runs{outcome="answered"} 9'])
    expect(text).toContain(`tonlith_tvm_${line}`)
  expect(text).toContain('tonlith_store_bytes{store="index"} 4096')
})

test('two programs in one process count apart', async () => {
  const [one, other] = [createMetrics({ servers: () => [] }), createMetrics({ servers: () => [] })]
  one.liteserverQueries.inc({ server: 0, method: 'liteServer.getTime', outcome: 'ok' })
  const line = 'tonlith_liteserver_queries_total{server="0",method="liteServer.getTime",outcome="ok"} 1'
  expect(await one.registry.metrics()).toContain(line)
  expect(await other.registry.metrics()).not.toContain(line)
})

test('webhooks are told of while they are sent', async () => {
  let sample: WebhookSample | undefined
  const { registry } = createMetrics({ servers: () => [], webhooks: () => sample })
  expect(await registry.metrics()).toContain('tonlith_webhooks_delivered 0')
  const counts = { delivered: 5, failed: 4, exhausted: 1, ignored: 2, running: 3 }
  sample = { ...counts, oldest_undelivered: 17, paused: true }
  const text = await registry.metrics()
  for (const [name, count] of Object.entries(counts)) expect(text).toContain(`tonlith_webhooks_${name} ${count}`)
  for (const name of ['delivered', 'failed', 'exhausted', 'ignored'])
    expect(text).toContain(`# TYPE tonlith_webhooks_${name} counter`)
  for (const name of ['running', 'oldest_undelivered_seconds', 'paused'])
    expect(text).toContain(`# TYPE tonlith_webhooks_${name} gauge`)
  expect(text).toContain('tonlith_webhooks_oldest_undelivered_seconds 17')
  expect(text).toContain('tonlith_webhooks_paused 1')
})
