import { expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import { insist } from '../../../src/common/insist.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

const away = new TonlithError('unavailable', 'nobody is there')

/** Fails so many times, then answers; tells when it was asked. */
const asked = (clock: { monotonic(): number }, failures: number) => {
  const times: number[] = []
  const ask = async (): Promise<string> => {
    times.push(clock.monotonic())
    if (times.length <= failures) throw away
    return 'here'
  }
  return { times, ask }
}

const PAUSES = { firstPauseMs: 100, longestPauseMs: 300 }
const never = new AbortController().signal

test('asks until there is an answer, after ever longer pauses', async () => {
  const clock = createVirtualClock()
  const start = clock.monotonic()
  const { times, ask } = asked(clock, 4)
  const answer = insist(ask, { clock, signal: never, ...PAUSES })
  await clock.advance(2_000)
  expect(await answer).toBe('here')
  expect(times.map((time) => time - start)).toEqual([0, 100, 300, 600, 900])
})

test('ends when it is told to, and for a mistake of ours at once', async () => {
  const clock = createVirtualClock()
  const few = asked(clock, 9)
  const failed = (_: Error, tries: number): boolean => tries < 2
  const given = insist(few.ask, { clock, signal: never, ...PAUSES, failed })
  const told = given.catch((error) => error)
  await clock.advance(1_000)
  expect(await told).toBe(away)
  expect(few.times).toHaveLength(2)
  const mistake = insist(async () => null!['x' as never], { clock, signal: never, ...PAUSES })
  await expect(mistake).rejects.toThrow(TypeError)
  const ended = asked(clock, 9)
  await expect(insist(ended.ask, { clock, signal: AbortSignal.abort(), ...PAUSES })).rejects.toBe(away)
  expect(ended.times).toHaveLength(1)
})
