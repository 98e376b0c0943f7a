import { describe, expect, test } from 'bun:test'
import { ageText, clockFinding, poolFinding, serverFindings } from '../../../src/cli/doctor-servers.ts'
import { type ErrorKind, TonlithError } from '../../../src/common/errors.ts'
import type { Examination, ExaminedStep } from '../../../src/liteserver/examine.ts'

const NOW = 2_000_000_000

const good = (change: Partial<Examination> = {}): Examination => ({
  name: '10.0.0.1:4924',
  connectMs: 12.4,
  latencyMs: 3.6,
  clockAhead: 0,
  seqno: 1000,
  utime: NOW - 4,
  oldest: { seqno: 1, utime: NOW - 9999 },
  ...change,
})

const bad = (step: ExaminedStep, kind: ErrorKind): Examination => ({
  name: '10.0.0.2:4924',
  fault: { step, error: new TonlithError(kind, 'why') },
})

const verdicts = (...found: Examination[]) => serverFindings(found, NOW).map(({ verdict }) => verdict)

test('one that is well: all figures in one line', () => {
  expect(serverFindings([good()], NOW)[0]).toMatchObject({
    subject: 'liteserver 10.0.0.1:4924',
    verdict: 'ok',
    text: 'head 1000, connected in 12 ms, answers in 4 ms, archive: all blocks',
    figures: { seqno: 1000, behind: 0, age_seconds: 4, oldest_seqno: 1, error: null },
  })
})

test('one that is behind, or whose head is old', () => {
  const [best, behind, old] = serverFindings([good(), good({ seqno: 996 }), good({ utime: NOW - 7300 })], NOW)
  expect(best!.verdict).toBe('ok')
  expect([behind!.verdict, behind!.text]).toEqual(['warning', expect.stringContaining('4 blocks behind the best')])
  expect([old!.verdict, old!.text]).toEqual(['warning', expect.stringContaining('its head is 2 h old')])
})

test('what time may mend fails only where nobody else can be asked', () => {
  for (const kind of ['timeout', 'connection', 'unavailable', 'liteserver'] as const) {
    expect(verdicts(bad('connect', kind))).toEqual(['failed'])
    expect(verdicts(bad('connect', kind), good())).toEqual(['warning', 'ok'])
  }
})

test('a lie, another key and another network fail beside the best of servers', () => {
  for (const kind of ['proof', 'malformed', 'invalid'] as const)
    expect(verdicts(bad('proof', kind), good())).toEqual(['failed', 'ok'])
})

describe('the pool', () => {
  test('cannot do without a server, and not well without an archive', () => {
    expect(poolFinding([bad('connect', 'timeout')]).verdict).toBe('failed')
    expect(poolFinding([good({ oldest: { seqno: 900, utime: NOW - 500 } })]).verdict).toBe('warning')
    expect(poolFinding([good(), bad('connect', 'timeout')], 'plan pro: ')).toMatchObject({
      subject: 'plan pro: liteservers',
      verdict: 'ok',
      text: '1 of 2 can be used, archives among them: 1',
    })
  })
})

describe('the clock', () => {
  const clock = (...ahead: number[]) => clockFinding(ahead.map((clockAhead) => good({ clockAhead })))
  test('goes by the middle one, so that a liar alone moves nothing', () => {
    expect(clock(0, 1, 86_400)).toMatchObject({ verdict: 'ok', figures: { offset_seconds: -1 } })
    expect(clock(3600, 3600, 0)).toMatchObject({
      verdict: 'failed',
      text: '60 min behind the middle one of 3 liteservers: synchronise it',
    })
    expect(clock(-10)).toMatchObject({ verdict: 'warning', text: expect.stringContaining('10 s ahead of the only') })
  })
  test('is not known where nobody tells the time', () => {
    expect(clockFinding([bad('connect', 'timeout')]).verdict).toBe('warning')
  })
})

test('ages', () => {
  expect([5, 119, 120, 7199, 7200, 172_799, 172_800].map(ageText)).toEqual([
    '5 s',
    '119 s',
    '2 min',
    '119 min',
    '2 h',
    '47 h',
    '2 d',
  ])
})
