import { expect, test } from 'bun:test'
import { nextTurn } from '../../../src/common/next-turn.ts'

test('many who wait get one turn each, in their order, and others have theirs between', async () => {
  let turns = 0
  let open = true
  const count = (): void => {
    turns++
    if (open) setImmediate(count)
  }
  setImmediate(count)
  const order: number[] = []
  const seen: number[] = []
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      for (let step = 0; step < 3; step++) {
        await nextTurn()
        order.push(i)
        seen.push(turns)
      }
    }),
  )
  open = false
  expect(order).toEqual(Array.from({ length: 60 }, (_, i) => i % 20))
  expect(new Set(seen).size).toBe(60)
})
