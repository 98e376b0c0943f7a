import { describe, expect, test } from 'bun:test'
import { poolReadiness, poolStatus } from '../../../src/cli/pool-report.ts'
import type { Pool } from '../../../src/liteserver/pool.ts'
import type { ServerStatus } from '../../../src/liteserver/status.ts'

const ONLINE: ServerStatus = {
  index: 0,
  name: '192.0.2.1:4000',
  state: 'online',
  seqno: 7,
  utime: 1_700_000_000,
  behind: 0,
  archival: true,
  breaker: 'closed',
  inFlight: 1,
  latencyMs: 12.4,
  p95Ms: undefined,
  lastError: undefined,
}
const OFFLINE: ServerStatus = {
  ...ONLINE,
  index: 1,
  name: '192.0.2.2:4000',
  state: 'offline',
  seqno: undefined,
  behind: undefined,
  lastError: 'liteserver 192.0.2.2:4000: no TCP connection in time',
}

const poolOf = (...servers: ServerStatus[]): Pick<Pool, 'status' | 'head'> => ({
  status: () => servers,
  head: () => undefined,
})

describe('ready', () => {
  test('while one liteserver is online', () => {
    expect(poolReadiness(poolOf(OFFLINE, ONLINE))).toEqual({ ready: true })
  })

  test('not without one, with the reason', () => {
    expect(poolReadiness(poolOf(OFFLINE, { ...OFFLINE, index: 2, state: 'refused' }))).toEqual({
      ready: false,
      reason: 'none of 2 liteservers is online, 1 with another key or of another network',
    })
  })
})

test('the status names servers by their place, and tells no address', () => {
  const status = poolStatus(poolOf(ONLINE, OFFLINE))
  expect(status).toMatchObject({
    head: null,
    liteservers: [
      { index: 0, state: 'online', seqno: 7, behind: 0, latency_ms: 12 },
      { index: 1, state: 'offline', seqno: null, behind: null },
    ],
  })
  expect(JSON.stringify(status)).not.toContain('192.0.2')
})
