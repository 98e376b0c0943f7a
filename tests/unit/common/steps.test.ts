import { expect, test } from 'bun:test'
import { finish, inTurns, type Steps } from '../../../src/common/steps.ts'

const counted = function* (steps: number, ended: () => void = () => {}): Steps<number> {
  try {
    for (let i = 0; i < steps; i++) yield
    return steps
  } finally {
    ended()
  }
}

test('all steps at once', () => expect(finish(counted(3))).toBe(3))

test('each step has a turn', async () => {
  let turns = 0
  const rest = async (): Promise<void> => void turns++
  expect(await inTurns(counted(3), rest)).toBe(3)
  expect(turns).toBe(3)
})

test('steps that are given up end as if they had thrown', async () => {
  let isEnded = false
  const steps = counted(3, () => {
    isEnded = true
  })
  const rest = () => Promise.reject(new Error('enough'))
  expect(await inTurns(steps, rest).catch(String)).toBe('Error: enough')
  expect(isEnded).toBeTrue()
})
