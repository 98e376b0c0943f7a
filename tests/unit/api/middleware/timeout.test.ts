import { describe, expect, test } from 'bun:test'
import { within } from '../../../../src/api/middleware/timeout.ts'
import { rejectionOf } from '../../../support/rejection.ts'

const never = () => new Promise<never>(() => {})

describe('within a deadline', () => {
  test('the outcome passes through', async () => {
    expect(await within({ ms: 1000 }, Promise.resolve(5))).toBe(5)
    await expect(within({ ms: 1000 }, Promise.reject(new Error('own')))).rejects.toThrow('own')
  })

  test('late work ends in a timeout, once, and is told', async () => {
    let told = 0
    const error = await rejectionOf(within({ ms: 10 }, never(), () => told++))
    expect(error?.kind).toBe('timeout')
    expect(told).toBe(1)
  })

  test('a failure after the deadline disturbs nobody', async () => {
    const late = Promise.withResolvers<never>()
    const outcome = rejectionOf(within({ ms: 5 }, late.promise))
    expect((await outcome)?.kind).toBe('timeout')
    late.reject(new Error('too late'))
    await Bun.sleep(1)
  })

  test('work is given up when who waits has gone, before or meanwhile', async () => {
    for (const early of [true, false]) {
      const gone = new AbortController()
      let told = 0
      if (early) gone.abort()
      const outcome = rejectionOf(within({ ms: 1000, signal: () => gone.signal }, never(), () => told++))
      gone.abort()
      expect(await outcome).toMatchObject({ kind: 'connection', code: 499 })
      expect(told).toBe(1)
    }
  })

  test('who goes after the outcome changes nothing', async () => {
    const gone = new AbortController()
    let told = 0
    expect(await within({ ms: 1000, signal: () => gone.signal }, Promise.resolve(5), () => told++)).toBe(5)
    gone.abort()
    expect(told).toBe(0)
  })
})
