import { expect, test } from 'bun:test'
import { createLanes, type Lanes, MAX_PER_MERCHANT } from '../../../../src/payments/webhooks/lanes.ts'

/** Begins all that may begin of merchants with endless work; gives how many of each. */
const fill = (lanes: Lanes, now = 0): Record<string, number> => {
  const begun: Record<string, number> = {}
  for (const { merchant, free, running } of lanes.ready(now, now + 1_000)) {
    const before = running.size
    for (let n = 0; n < free; n++) lanes.begin(merchant, `${merchant}-${before + n}`)
    begun[merchant] = free
  }
  return begun
}

const endAll = (lanes: Lanes, merchant: string, count: number, quick: boolean): void => {
  for (let n = 0; n < count; n++) {
    lanes.answered(merchant, quick)
    lanes.end(merchant, `${merchant}-${n}`)
  }
}

test('a merchant sends eight at a time, and sixteen once it answers soon', () => {
  const lanes = createLanes()
  lanes.setDue('a', 0)
  expect(fill(lanes)).toEqual({ a: 8 })
  expect(fill(lanes)).toEqual({})
  endAll(lanes, 'a', 8, true)
  expect(fill(lanes)).toEqual({ a: MAX_PER_MERCHANT })
  endAll(lanes, 'a', MAX_PER_MERCHANT, false)
  expect(fill(lanes)).toEqual({ a: 8 })
})

test('merchants that do not answer soon have half of the room, the others the rest', () => {
  const lanes = createLanes()
  const slow = Array.from({ length: 200 }, (_, n) => `slow-${n}`)
  for (const merchant of slow) {
    lanes.setDue(merchant, 0)
    lanes.answered(merchant, false)
  }
  fill(lanes)
  expect(lanes.running()).toBe(256)
  const good = Array.from({ length: 100 }, (_, n) => `good-${n}`)
  for (const merchant of good) lanes.setDue(merchant, 0)
  fill(lanes)
  expect(lanes.running()).toBe(512)
})

test('who was served comes last', () => {
  const lanes = createLanes()
  for (const merchant of ['a', 'b', 'c']) lanes.setDue(merchant, 0)
  for (const { merchant } of lanes.ready(0, 1_000)) {
    expect(merchant).toBe('a')
    break
  }
  expect([...lanes.ready(0, 1_000)].map(({ merchant }) => merchant)).toEqual(['b', 'c', 'a'])
})

test('what is due later waits, unless it is due too late', () => {
  const lanes = createLanes()
  lanes.setAll([
    { merchant: 'now', due: 5 },
    { merchant: 'soon', due: 500 },
    { merchant: 'late', due: 2_000 },
  ])
  expect([...lanes.ready(5, 1_005)].map(({ merchant }) => merchant)).toEqual(['now', 'late'])
  expect(lanes.nextDue()).toBe(5)
  lanes.setDue('now', undefined)
  expect(lanes.nextDue()).toBe(500)
  lanes.noteDue('soon', 700)
  lanes.noteDue('late', 100)
  expect(lanes.nextDue()).toBe(100)
  lanes.setAll([])
  expect([lanes.nextDue(), lanes.size()]).toEqual([undefined, 0])
})

test('counts stay right as merchants become slow and quick again', () => {
  const lanes = createLanes()
  lanes.setDue('a', 0)
  fill(lanes)
  lanes.answered('a', false)
  lanes.end('a', 'a-0')
  lanes.answered('a', true)
  lanes.end('a', 'a-1')
  lanes.answered('a', false)
  lanes.end('a', 'a-2')
  lanes.end('a', 'a-2')
  for (let n = 3; n < 8; n++) lanes.end('a', `a-${n}`)
  expect(lanes.running()).toBe(0)
  for (let n = 0; n < 100; n++) {
    lanes.setDue(`slow-${n}`, 0)
    lanes.answered(`slow-${n}`, false)
  }
  lanes.setDue('a', undefined)
  fill(lanes)
  expect(lanes.running()).toBe(256)
})
