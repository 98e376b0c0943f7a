import { expect, test } from 'bun:test'
import { backoffMs } from '../../../src/liteserver/backoff.ts'
import { createHedge } from '../../../src/liteserver/hedge.ts'
import { createLatency } from '../../../src/liteserver/latency.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

test('mean and 95th percentile of the last samples', () => {
  const latency = createLatency(createVirtualClock())
  expect([latency.mean, latency.p95, latency.count]).toEqual([undefined, undefined, 0])
  latency.add(40)
  expect([latency.mean, latency.p95]).toEqual([40, 40])
  for (let i = 1; i <= 100; i++) latency.add(i)
  expect(latency.p95).toBe(95)
  for (let i = 0; i < 128; i++) latency.add(7)
  expect(latency.p95).toBe(7)
  expect(latency.mean).toBeCloseTo(7, 5)
  expect(latency.count).toBe(229)
})

test('the second try waits for the 95th percentile, within bounds', () => {
  const hedge = createHedge(createVirtualClock(), { initialMs: 500, minMs: 25, maxMs: 2_000, minSamples: 20 })
  const method = 'liteServer.getBlock'
  for (let i = 0; i < 19; i++) hedge.observe(method, 100)
  expect(hedge.delayMs(method)).toBe(500)
  hedge.observe(method, 100)
  expect(hedge.delayMs(method)).toBe(100)
  expect(hedge.delayMs('liteServer.getTime')).toBe(500)
  for (let i = 0; i < 200; i++) hedge.observe(method, 1)
  expect(hedge.delayMs(method)).toBe(25)
  for (let i = 0; i < 200; i++) hedge.observe(method, 9_000)
  expect(hedge.delayMs(method)).toBe(2_000)
})

test('reconnections wait twice as long each time, with jitter', () => {
  const options = { baseMs: 50, maxMs: 10_000 }
  const highest = [0, 1, 2, 7, 8, 100].map((attempt) => backoffMs(attempt, { ...options, random: () => 1 }))
  expect(highest).toEqual([50, 100, 200, 6_400, 10_000, 10_000])
  expect(backoffMs(1, { ...options, random: () => 0 })).toBe(50)
})
