import { expect, test } from 'bun:test'
import dashboard from '../../docs/grafana.json' with { type: 'json' }
import { createExchange } from '../../src/api/exchange.ts'
import { createRequestMetrics } from '../../src/api/middleware/metrics.ts'
import { createMetrics } from '../../src/common/metrics.ts'

/** What Prometheus makes of each metric of the program: a histogram is three. */
const namesIn = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, kind]) =>
      kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name!],
    ),
  )

const everyMetric = async (): Promise<{ names: Set<string>; text: string }> => {
  const { registry } = createMetrics({
    servers: () => [],
    eventLoop: () => ({ median: 0, p99: 0, max: 0 }),
    tvm: () => ({ workers: 0, busy: 0, waiting: 0, runs: {}, seconds: 0 }),
    stores: () => ({}),
    index: () => undefined,
    metadata: () => undefined,
    webhooks: () => undefined,
    httpWorkers: () => ({ running: 0, restarts: 0 }),
  })
  const requests = createRequestMetrics()
  requests.record(createExchange(new Request('http://localhost/'), '/x', 0), 200, 0.001)
  const text = (await registry.metrics()) + requests.text()
  return { names: namesIn(text), text }
}

const expressions = dashboard.panels.flatMap((panel) => ('targets' in panel ? (panel.targets ?? []) : []))
const used = new Set(expressions.flatMap(({ expr }) => expr.match(/\btonlith_\w+/g) ?? []))

test('each metric that the dashboard shows is one of ours', async () => {
  const { names } = await everyMetric()
  expect(used.size).toBeGreaterThan(30)
  expect([...used].filter((name) => !names.has(name))).toEqual([])
})

test('it shows the labels that requests have', async () => {
  const { text } = await everyMetric()
  const labels = new Set([...text.matchAll(/[{,](\w+)=/g)].map(([, label]) => label))
  for (const label of ['route', 'method', 'status', 'le']) expect(labels).toContain(label)
})

test('every panel has a place and a title of its own', () => {
  const ids = dashboard.panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const titles = dashboard.panels.map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
  for (const { gridPos } of dashboard.panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
})
