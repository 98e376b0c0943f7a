import { expect, test } from 'bun:test'
import { createMetrics } from '../../../src/common/metrics.ts'
import { lastingSamples, lastingSum, sumText } from '../../../src/common/metrics-sum.ts'

const delays = [0.1, 0.3, 0.2]
const servers = [
  { index: 0, online: true, seqno: 10, inFlight: 1, latencyMs: 100 },
  { index: 0, online: false, seqno: 12, inFlight: 2, latencyMs: 300 },
  { index: 0, online: true, seqno: 11, inFlight: 0, latencyMs: 500 },
]

/** Three processes that have asked liteservers 1, 2 and 3 times. */
const processes = () =>
  servers.map((server, i) => {
    const metrics = createMetrics({
      servers: () => [server],
      eventLoop: () => ({ median: 0, p99: 0, max: delays[i]! }),
    })
    for (let n = 0; n <= i; n++) {
      metrics.liteserverQueries.inc({ server: 0, method: 'getTime', outcome: 'ok' })
      metrics.liteserverSeconds.observe({ method: 'getTime' }, 0.002)
    }
    return metrics.registry
  })

test('several processes are one: each metric in its own way', async () => {
  const samples = await Promise.all(processes().map((registry) => registry.getMetricsAsJSON()))
  const text = await sumText(structuredClone(samples))
  for (const line of [
    'tonlith_liteserver_queries_total{server="0",method="getTime",outcome="ok"} 6',
    'tonlith_liteserver_query_seconds_count{method="getTime"} 6',
    'tonlith_liteserver_query_seconds_bucket{le="0.0025",method="getTime"} 6',
    'tonlith_liteserver_online{server="0"} 0',
    'tonlith_liteserver_seqno{server="0"} 12',
    'tonlith_liteserver_in_flight{server="0"} 3',
    'tonlith_liteserver_latency_seconds{server="0"} 0.3',
    'tonlith_event_loop_delay_seconds{quantile="1"} 0.3',
  ])
    expect(text).toContain(`${line}\n`)
  expect(text).toMatch(/^tonlith_build_info\{.*\} 1$/m)
})

test('of one that has ended its counts stay, and nothing else', async () => {
  const [one, other] = processes()
  const ended = await lastingSum([await one!.getMetricsAsJSON(), await lastingSamples(other!)])
  const names = ended.map(({ name }) => name)
  expect(names).toContain('tonlith_liteserver_query_seconds')
  expect(names).toContain('tonlith_process_cpu_seconds')
  expect(names).not.toContain('tonlith_liteserver_in_flight')
  expect(names).not.toContain('tonlith_event_loop_delay_seconds')
  expect(await sumText([ended, ended])).toContain('outcome="ok"} 6\n')
})
