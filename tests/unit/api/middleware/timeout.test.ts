import { describe, expect, test } from 'bun:test'
import { within } from '../../../../src/api/middleware/timeout.ts'
import { rejectionOf } from '../../../support/rejection.ts'

const never = () => new Promise<never>(() => {})

describe('within a deadline', () => {
  test('the outcome passes through', async () => {
    expect(await within(1000, Promise.resolve(5))).toBe(5)
    await expect(within(1000, Promise.reject(new Error('own')))).rejects.toThrow('own')
  })

  test('late work ends in a timeout, once, and is told', async () => {
    let told = 0
    const error = await rejectionOf(within(10, never(), () => told++))
    expect(error?.kind).toBe('timeout')
    expect(told).toBe(1)
  })

  test('a failure after the deadline disturbs nobody', async () => {
    const late = Promise.withResolvers<never>()
    const outcome = rejectionOf(within(5, late.promise))
    expect((await outcome)?.kind).toBe('timeout')
    late.reject(new Error('too late'))
    await Bun.sleep(1)
  })
})
