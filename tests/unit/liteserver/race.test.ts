import { describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import { type Attempt, type RaceOptions, race, type Verdict } from '../../../src/liteserver/race.ts'
import { createVirtualClock, settled } from '../../support/virtual-clock.ts'

const error = (kind: 'timeout' | 'connection' | 'unavailable' | 'invalid') => new TonlithError(kind, kind)

const setup = (
  attempt: (candidate: string, attempt: Attempt, sleep: (ms: number) => Promise<void>) => Promise<string>,
  changes: Partial<RaceOptions<string, string>> = {},
) => {
  const clock = createVirtualClock()
  const candidates = ['a', 'b', 'c']
  const started: string[] = []
  const wake = { now: () => {} }
  const verdicts: Record<string, Verdict> = { connection: 'wait', timeout: 'next', invalid: 'throw' }
  const result = race<string, string>({
    clock,
    timeoutMs: 10_000,
    patienceMs: () => 3_000,
    maxAttempts: 10,
    pick: () => candidates.shift(),
    changed: (signal) =>
      new Promise((resolve) => {
        wake.now = resolve
        signal.addEventListener('abort', () => resolve())
      }),
    attempt: (candidate, each) => {
      started.push(`${candidate}@${clock.monotonic()}`)
      return attempt(candidate, each, (ms) => clock.sleep(ms, each.signal))
    },
    judge: (thrown) => verdicts[(thrown as TonlithError).kind]!,
    timeout: () => error('timeout'),
    nobody: (cause) => new TonlithError('unavailable', 'nobody', { cause }),
    ...changes,
  }).then(
    (value) => value,
    (thrown: TonlithError) => `${thrown.kind}@${clock.monotonic()}`,
  )
  return { clock, candidates, started, result, wake: () => wake.now() }
}

describe('one after the other', () => {
  test('the first that succeeds', async () => {
    const { result, started } = setup(async (candidate) => {
      if (candidate !== 'c') throw error('timeout')
      return candidate
    })
    expect(await result).toBe('c')
    expect(started).toEqual(['a@0', 'b@0', 'c@0'])
  })

  test('a final failure ends it', async () => {
    const { result, started } = setup(async () => {
      throw error('invalid')
    })
    expect(await result).toBe('invalid@0')
    expect(started).toEqual(['a@0'])
  })

  test('when nobody is left, the last failure is told', async () => {
    const { result, started } = setup(async () => {
      throw error('timeout')
    })
    expect(await result).toBe('timeout@0')
    expect(started.length).toBe(3)
  })

  test('no more attempts than allowed', async () => {
    const { result, started } = setup(
      async () => {
        throw error('connection')
      },
      { maxAttempts: 2 },
    )
    expect(await result).toBe('connection@0')
    expect(started.length).toBe(2)
  })
})

describe('side by side', () => {
  test('a slow attempt gets company, the faster one wins, the other is aborted', async () => {
    const aborted: string[] = []
    const { clock, result, started } = setup(async (candidate, { signal, slow }, sleep) => {
      signal.addEventListener('abort', () => aborted.push(candidate))
      if (candidate === 'a') {
        await sleep(100)
        slow()
        await sleep(5_000)
        if (signal.aborted) throw error('timeout')
      } else await sleep(50)
      return candidate
    })
    await clock.advance(200)
    expect(await result).toBe('b')
    expect(started).toEqual(['a@0', 'b@100'])
    expect(aborted).toContain('a')
    expect(clock.sleepers).toBe(0)
  })

  test('the failure of one does not end the other', async () => {
    const { clock, candidates, result, started } = setup(async (candidate, { slow }, sleep) => {
      if (candidate === 'a') {
        slow()
        await sleep(300)
        return candidate
      }
      await sleep(10)
      throw error('timeout')
    })
    candidates.length = 0
    await clock.advance(1_000)
    expect(await result).toBe('a')
    expect(started).toEqual(['a@0', 'b@0'])
  })
})

describe('the deadline', () => {
  test('holds for all attempts together', async () => {
    const { clock, result } = setup(async (_, { signal }, sleep) => {
      await sleep(6_000)
      if (signal.aborted) throw error('invalid')
      throw error('timeout')
    })
    await clock.advance(20_000)
    expect(await result).toBe('timeout@10000')
    expect(clock.sleepers).toBe(0)
  })

  test('an abort of the caller ends it', async () => {
    const controller = new AbortController()
    const { clock, result } = setup(async (candidate, _, sleep) => sleep(5_000).then(() => candidate), {
      signal: controller.signal,
    })
    await clock.advance(10)
    controller.abort()
    expect(await result).toBe('timeout@10')
    expect(clock.sleepers).toBe(0)
    const second = setup(async (candidate) => candidate, { signal: controller.signal })
    expect(await second.result).toBe('timeout@0')
    expect(second.started).toEqual([])
  })
})

describe('nobody to ask', () => {
  test('waits for a candidate, then goes on', async () => {
    const { clock, candidates, result, started, wake } = setup(async (candidate) => {
      if (candidate !== 'z') throw error('connection')
      return candidate
    })
    await clock.advance(1_000)
    wake()
    await settled()
    candidates.push('z')
    await clock.advance(500)
    wake()
    expect(await result).toBe('z')
    expect(started).toEqual(['a@0', 'b@0', 'c@0', 'z@1500'])
    await settled()
    expect(clock.sleepers).toBe(0)
  })

  test('gives up when patience ends, long before the deadline', async () => {
    const { clock, result } = setup(async (candidate) => candidate, { pick: () => undefined })
    await clock.advance(2_999)
    await clock.advance(1)
    expect(await result).toBe('unavailable@3000')
    expect(clock.sleepers).toBe(0)
  })

  test('without patience gives up at once', async () => {
    const { result } = setup(async (candidate) => candidate, { pick: () => undefined, patienceMs: () => 0 })
    expect(await result).toBe('unavailable@0')
  })
})
