import { expect, test } from 'bun:test'
import { createExchange } from '../../../../src/api/exchange.ts'
import { createRequestMetrics } from '../../../../src/api/middleware/metrics.ts'

const exchange = (route: string, method: string) => ({
  ...createExchange(new Request('http://localhost/secret?api_key=hidden'), route, 0),
  method,
})

test('requests are counted by route, method and status, in cumulative buckets', () => {
  const metrics = createRequestMetrics()
  for (const seconds of [0.0001, 0.002, 0.002, 99])
    metrics.record(exchange('/api/v2/:method', 'getShards'), 200, seconds)
  metrics.record(exchange('unknown', ''), 404, 0.1)
  const lines = metrics.text().split('\n')
  const labels = 'route="/api/v2/:method",method="getShards",status="200"'
  expect(lines[1]).toBe('# TYPE tonlith_http_request_seconds histogram')
  expect(lines).toContain(`tonlith_http_request_seconds_bucket{${labels},le="0.001"} 1`)
  expect(lines).toContain(`tonlith_http_request_seconds_bucket{${labels},le="0.0025"} 3`)
  expect(lines).toContain(`tonlith_http_request_seconds_bucket{${labels},le="10"} 3`)
  expect(lines).toContain(`tonlith_http_request_seconds_bucket{${labels},le="+Inf"} 4`)
  expect(lines).toContain(`tonlith_http_request_seconds_count{${labels}} 4`)
  expect(lines).toContain('tonlith_http_request_seconds_count{route="unknown",method="",status="404"} 1')
  expect(metrics.text()).not.toContain('hidden')
  expect(metrics.text().endsWith('\n')).toBe(true)
})
