import { expect, test } from 'bun:test'
import { createSharedSignInLimit } from '../../../../src/api/dashboard/shared-sign-in-limit.ts'
import { ALL_PER_SECOND, MAX_ATTEMPTS, REMEMBERED_MS } from '../../../../src/api/dashboard/sign-in-limit.ts'
import { createSharedRateLimiter } from '../../../../src/api/middleware/shared-rate-limit.ts'
import { emptyTable } from '../../../support/shared-memory.ts'

/** Two processes over the same tables, and the time that they see. */
const twoProcesses = () => {
  const [attempts, callers] = [emptyTable(), emptyTable()]
  const clock = { now: 5_000_000 }
  const now = () => clock.now
  const process = () => createSharedSignInLimit(attempts, createSharedRateLimiter(callers, now), now)
  return { clock, one: process(), other: process() }
}

test('attempts at all processes count together, until they are forgotten', () => {
  const { clock, one, other } = twoProcesses()
  for (let i = 0; i < MAX_ATTEMPTS; i++) expect((i % 2 ? one : other).begin('192.0.2.1')).toBe(0)
  for (const limit of [one, other]) expect(limit.begin('192.0.2.1')).toBe(REMEMBERED_MS / 1000)
  expect(one.begin('192.0.2.2')).toBe(0)
  clock.now += REMEMBERED_MS - 1_500
  expect(other.begin('192.0.2.1')).toBe(2)
  clock.now += 1_500
  expect(one.begin('192.0.2.1')).toBe(0)
})

test('one that succeeds at any process is forgotten by all', () => {
  const { one, other } = twoProcesses()
  for (let i = 0; i < MAX_ATTEMPTS; i++) one.begin('192.0.2.1')
  other.succeeded('192.0.2.1')
  expect(one.begin('192.0.2.1')).toBe(0)
})

test('a clock that is put back keeps nobody out for longer', () => {
  const { clock, one } = twoProcesses()
  for (let i = 0; i < MAX_ATTEMPTS; i++) one.begin('192.0.2.1')
  clock.now -= REMEMBERED_MS
  expect(one.begin('192.0.2.1')).toBe(0)
})

test('attempts of all addresses at all processes are bounded', () => {
  const { one, other } = twoProcesses()
  for (let i = 0; i < ALL_PER_SECOND; i++) expect((i % 2 ? one : other).begin(`192.0.2.${i}`)).toBe(0)
  expect(one.begin('198.51.100.1')).toBe(1)
})
