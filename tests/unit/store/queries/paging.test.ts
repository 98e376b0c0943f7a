import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { finish } from '../../../../src/common/steps.ts'
import { u32Key } from '../../../../src/store/keys.ts'
import { type Budget, TURN_ROWS } from '../../../../src/store/queries/budget.ts'
import { type KeyList, pagesOf } from '../../../../src/store/queries/paging.ts'

/** Numbers in order of which only some belong to the list; each costs what a look at it costs. */
const listOf = (numbers: readonly number[], divisor: number, cost: number, budget: Budget): KeyList => ({
  from: (start) => numbers.map((n) => u32Key(n)).filter((key) => !start || key.compare(start) >= 0),
  rankSize: 4,
  keySize: 4,
  accepts: (key) => {
    budget.spend(cost)
    return key.readUInt32BE(0) % divisor === 0
  },
})

const page = fc.record({ limit: fc.integer({ min: 1, max: 60 }), offset: fc.nat(40) })

test('a page is the same in however many steps, and so is the place of the next one', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(1000), { maxLength: 90 }).map((numbers) => numbers.toSorted((a, b) => a - b)),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 1_000 }),
      page,
      (numbers, divisor, cost, { limit, offset }) => {
        const pages = pagesOf(
          (budget) => listOf(numbers, divisor, cost, budget),
          (keys) => keys.map((key) => key.readUInt32BE(0)),
        )
        const wanted = numbers.filter((n) => n % divisor === 0)
        const found = finish(pages({ limit, offset }))
        expect(found.records).toEqual(wanted.slice(offset, offset + limit))
        if (!found.next) return expect(wanted.length).toBeLessThan(offset + limit)
        const { records } = finish(pages({ limit, offset: 0, after: found.next }))
        expect(records).toEqual(wanted.slice(offset + limit, offset + 2 * limit))
      },
    ),
  )
})

test('no step looks at more than one turn may', () => {
  const cost = 600
  let looked = 0
  const pages = pagesOf(
    (budget) => {
      const counted: Budget = {
        ...budget,
        spend: (rows) => {
          looked += rows
          budget.spend(rows)
        },
      }
      return listOf(
        Array.from({ length: 150 }, (_, i) => i),
        151,
        cost,
        counted,
      )
    },
    (keys) => keys,
  )
  const steps = pages({ limit: 10, offset: 0 })
  const most: number[] = []
  for (let step = steps.next(); ; step = steps.next()) {
    most.push(looked)
    looked = 0
    if (step.done) break
  }
  expect(most.length).toBeGreaterThan(10)
  expect(Math.max(...most)).toBeLessThanOrEqual(TURN_ROWS + cost)
})

test('a list is opened once for all its pages', () => {
  let opened = 0
  const pages = pagesOf(
    (budget) => {
      opened++
      return listOf([1, 2, 3], 1, 1, budget)
    },
    (keys) => keys,
  )
  const { next } = finish(pages({ limit: 1, offset: 0 }))
  finish(pages({ limit: 2, offset: 0, after: next ?? undefined }))
  expect(opened).toBe(1)
})
