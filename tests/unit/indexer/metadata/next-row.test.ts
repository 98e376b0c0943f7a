import { expect, test } from 'bun:test'
import { isDue, rowAfter } from '../../../../src/indexer/metadata/next-row.ts'

const NOW = 1_700_000_000
const YEAR = 365 * 86_400
const ready = { _: 'ready', value: {} } as unknown as Parameters<typeof rowAfter>[2]

test('a document is fresh for a while, and then due', () => {
  const row = rowAfter('ipfs://x', undefined, ready, NOW)
  expect(isDue(row, NOW)).toBeFalse()
  expect(isDue(row, row.next - 1)).toBeFalse()
  expect(isDue(row, row.next)).toBeTrue()
})

test('a clock that was ahead and is set back keeps no document for ever', () => {
  const row = rowAfter('ipfs://x', undefined, ready, NOW + 10 * YEAR)
  expect(isDue(row, NOW)).toBeTrue()
  expect(isDue(row, NOW + 10 * YEAR)).toBeFalse()
})

test('a clock that is set back by hours or days changes nothing', () => {
  const row = rowAfter('ipfs://x', undefined, ready, NOW)
  for (const back of [1, 3600, 6 * 86_400]) expect(isDue(row, NOW - back)).toBeFalse()
})
