import { describe, expect, test } from 'bun:test'
import { createBreaker } from '../../../src/liteserver/breaker.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

const setup = () => {
  const clock = createVirtualClock()
  const breaker = createBreaker(clock, { threshold: 3, baseMs: 1_000, maxMs: 8_000 })
  const ask = (outcome: 'success' | 'failure' | 'unknown'): void => breaker.enter()?.(outcome)
  return { clock, breaker, ask }
}

describe('circuit breaker', () => {
  test('failures in a row open it, a success between them does not let it', () => {
    const { breaker, ask } = setup()
    for (const outcome of ['failure', 'failure', 'success', 'failure', 'unknown', 'failure'] as const) ask(outcome)
    expect([breaker.state, breaker.allows]).toEqual(['closed', true])
    ask('failure')
    expect([breaker.state, breaker.allows, breaker.enter()]).toEqual(['open', false, undefined])
  })

  test('half-open: one question at a time, its success closes', async () => {
    const { clock, breaker, ask } = setup()
    for (let i = 0; i < 3; i++) breaker.fail()
    await clock.advance(1_000)
    expect(breaker.state).toBe('half-open')
    const trial = breaker.enter()
    expect(breaker.enter()).toBeUndefined()
    trial?.('unknown')
    expect(breaker.allows).toBe(true)
    ask('success')
    expect(breaker.state).toBe('closed')
  })

  test('each trial that fails doubles the time, up to the limit; a success forgets it', async () => {
    const { clock, breaker, ask } = setup()
    for (let i = 0; i < 3; i++) breaker.fail()
    for (const ms of [1_000, 2_000, 4_000, 8_000, 8_000]) {
      await clock.advance(ms - 1)
      expect(breaker.state).toBe('open')
      await clock.advance(1)
      expect(breaker.state).toBe('half-open')
      ask('failure')
    }
    await clock.advance(8_000)
    ask('success')
    for (let i = 0; i < 3; i++) breaker.fail()
    await clock.advance(1_000)
    expect(breaker.state).toBe('half-open')
  })

  test('a server that comes back gets its trial at once, a liar does not', async () => {
    const { clock, breaker, ask } = setup()
    breaker.revive()
    expect(breaker.state).toBe('closed')
    for (let i = 0; i < 3; i++) breaker.fail()
    breaker.revive()
    expect(breaker.state).toBe('half-open')
    ask('failure')
    expect(breaker.state).toBe('open')
    breaker.trip(5_000)
    breaker.revive()
    expect(breaker.state).toBe('open')
    await clock.advance(5_000)
    breaker.revive()
    expect(breaker.state).toBe('half-open')
    ask('success')
    expect(breaker.state).toBe('closed')
  })

  test('a late success of a question from before does not close it', () => {
    const { breaker } = setup()
    const early = breaker.enter()
    for (let i = 0; i < 3; i++) breaker.fail()
    early?.('success')
    expect(breaker.state).toBe('open')
  })

  test('a liar is left alone at once', async () => {
    const { clock, breaker } = setup()
    breaker.trip(30_000)
    await clock.advance(29_999)
    expect(breaker.state).toBe('open')
    await clock.advance(1)
    expect(breaker.state).toBe('half-open')
  })

  test('one that nobody else can stand in for gets a trial after a moment, a liar too', async () => {
    const { clock, breaker, ask } = setup()
    breaker.pardon()
    expect(breaker.state).toBe('closed')
    breaker.trip(30_000)
    breaker.pardon()
    expect(breaker.state).toBe('open')
    await clock.advance(1_000)
    breaker.pardon()
    expect(breaker.state).toBe('half-open')
    ask('failure')
    breaker.pardon()
    expect(breaker.state).toBe('open')
    await clock.advance(1_000)
    breaker.pardon()
    ask('success')
    expect(breaker.state).toBe('closed')
  })
})
