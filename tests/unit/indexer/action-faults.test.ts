import { expect, test } from 'bun:test'
import { createActionFaults } from '../../../src/indexer/action-faults.ts'

test('what matchers throw is counted by matcher, and logged once for each', () => {
  const lines: unknown[] = []
  const faults = createActionFaults({ warn: (fields: unknown) => void lines.push(fields) })
  const error = new TypeError('a part without a message')
  expect(faults.counts()).toEqual({})
  for (const matcher of ['DNS', 'DNS', 'NFT mint', 'DNS']) faults.note(matcher, error)
  expect(faults.counts()).toEqual({ DNS: 3, 'NFT mint': 1 })
  expect(lines).toEqual([
    { matcher: 'DNS', err: error },
    { matcher: 'NFT mint', err: error },
  ])
})
