import { expect, test } from 'bun:test'
import { sameTurn } from '../../../src/common/same-turn.ts'

test('who waits at once goes on in the same turn, step by step beside the others', async () => {
  let turns = 0
  let open = true
  const count = (): void => {
    turns++
    if (open) setImmediate(count)
  }
  setImmediate(count)
  const order: string[] = []
  const seen = new Set<number>()
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      for (let i = 0; i < 2; i++) {
        await sameTurn()
        seen.add(turns)
        order.push(`${name} wakes`)
        await undefined
        order.push(`${name} works`)
      }
    }),
  )
  open = false
  const round = ['a wakes', 'b wakes', 'c wakes', 'a works', 'b works', 'c works']
  expect(order).toEqual([...round, ...round])
  expect(seen.size).toBe(2)
})
