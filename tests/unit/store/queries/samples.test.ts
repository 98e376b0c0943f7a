import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { seededRandom } from '../../../../src/common/seeded-random.ts'
import { entityKey } from '../../../../src/store/entity-rows.ts'
import { u32Key } from '../../../../src/store/keys.ts'
import { allAccounts, sampleAccounts } from '../../../../src/store/queries/samples.ts'
import { NO_VALUE } from '../../../../src/store/tables.ts'
import { type TemporaryIndex, temporaryIndex } from '../../../support/temporary-index.ts'

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i)

let temporary: TemporaryIndex
/** Accounts 1 to 50, wallets among them and one that has no state, and more items than are ever listed. */
beforeAll(async () => {
  temporary = await temporaryIndex()
  const { environment, tables } = temporary.index
  environment.transaction(() => {
    for (const id of range(1, 50)) tables.accounts.putSync(u32Key(id), NO_VALUE)
    for (const id of [3, 5, 8, 90]) tables.entities.putSync(entityKey('jetton_wallet', id), NO_VALUE)
    for (const id of [3, 5, 8, 90]) tables.entity_kinds.putSync(u32Key(id), NO_VALUE)
    for (const id of range(100, 9_000)) tables.entities.putSync(entityKey('nft_item', 2 * id), NO_VALUE)
  })
})
afterAll(() => temporary.remove())

const sample = (count: number, seed: number): number[] =>
  sampleAccounts(temporary.index.tables, count, seededRandom(seed))

describe('a sample', () => {
  test('has so many of each kind and of all accounts, each once', () => {
    const ids = sample(20, 1)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => id <= 50 || id === 90).length).toBeGreaterThanOrEqual(21)
    expect([3, 5, 8, 90].every((id) => ids.includes(id))).toBe(true)
    const items = ids.filter((id) => id >= 200)
    expect(items).toHaveLength(20)
    expect(items.every((id) => id % 2 === 0 && id <= 18_000)).toBe(true)
  })

  test('is the same for the same seed only', () => {
    expect(sample(20, 7)).toEqual(sample(20, 7))
    expect(sample(20, 8)).not.toEqual(sample(20, 7))
  })

  test('is fair: from everywhere', () => {
    const counts = new Map<number, number>()
    for (const seed of range(1, 200)) for (const id of sample(1, seed)) counts.set(id, (counts.get(id) ?? 0) + 1)
    const wallets = [3, 5, 8, 90].map((id) => counts.get(id) ?? 0)
    expect(Math.min(...wallets)).toBeGreaterThan(20)
    expect([...counts.keys()].some((id) => id > 15_000)).toBe(true)
    expect([...counts.keys()].some((id) => id >= 200 && id < 3_000)).toBe(true)
  })

  test('of an empty index is empty', async () => {
    const empty = await temporaryIndex()
    expect(sampleAccounts(empty.index.tables, 5, seededRandom(1))).toEqual([])
    expect([...allAccounts(empty.index.tables)]).toEqual([])
    await empty.remove()
  })
})

test('all accounts are those with a state, and those that are anything else', () => {
  expect([...allAccounts(temporary.index.tables)]).toEqual([...range(1, 50), 90])
})
