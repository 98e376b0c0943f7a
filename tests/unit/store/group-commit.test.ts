import { afterEach, beforeEach, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import { createGroupCommit } from '../../../src/store/group-commit.ts'
import { hasTransfers } from '../../../src/store/payments/transfers.ts'
import { type TemporaryPayments, temporaryPayments } from '../../support/temporary-payments.ts'

let payments: TemporaryPayments
beforeEach(async () => {
  payments = await temporaryPayments()
})
afterEach(() => payments.remove())

/** A group over the store, which counts its own transactions. */
const counted = () => {
  const { store } = payments
  let [depth, commits] = [0, 0]
  const transaction = <R>(work: () => R): R => {
    if (depth++ === 0) commits++
    try {
      return store.transaction(work)
    } finally {
      depth--
    }
  }
  return { group: createGroupCommit({ transaction }), commits: () => commits }
}

const put = (n: number) => (): number => {
  payments.store.tables.transfers.putSync(Buffer.of(n), Buffer.of(n))
  return n
}
const stored = (n: number): boolean => payments.store.tables.transfers.doesExist(Buffer.of(n))

test('what is asked for in one turn is one transaction, and there when it is told', async () => {
  const { group, commits } = counted()
  const results = Array.from({ length: 200 }, (_, n) => group.run(put(n)))
  expect(hasTransfers(payments.store)).toBe(false)
  expect(await results[3]).toBe(3)
  expect(stored(3)).toBe(true)
  expect(await Promise.all(results)).toEqual(Array.from({ length: 200 }, (_, n) => n))
  expect(commits()).toBe(4)
  expect(await group.run(put(201))).toBe(201)
  expect(commits()).toBe(5)
})

test('one that fails leaves nothing, and the others are written', async () => {
  const { group, commits } = counted()
  const full = new TonlithError('limit', 'full')
  const bad = group.run(() => {
    put(7)()
    throw full
  })
  const told = bad.catch((error) => error)
  expect(await Promise.all([group.run(put(6)), group.run(put(8))])).toEqual([6, 8])
  expect(await told).toBe(full)
  expect([6, 7, 8].map(stored)).toEqual([true, false, true])
  expect(commits()).toBe(1)
})

test('a store that cannot be written to fails all of them, and the next ones may do well', async () => {
  const { store } = payments
  const away = new TonlithError('unavailable', 'the disk is full')
  let broken = true
  let depth = 0
  const group = createGroupCommit({
    transaction: (work) => {
      const isOuter = depth++ === 0
      try {
        return store.transaction(() => {
          const result = work()
          if (broken && isOuter) throw away
          return result
        })
      } finally {
        depth--
      }
    },
  })
  const told = await Promise.all([1, 2].map((n) => group.run(put(n)).catch((error) => error)))
  expect(told).toEqual([away, away])
  expect([1, 2].map(stored)).toEqual([false, false])
  broken = false
  expect(await group.run(put(3))).toBe(3)
})
