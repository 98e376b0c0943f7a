import { expect, test } from 'bun:test'
import { MAX_OF_ADDRESS } from '../../../../src/api/merchant/keyless-share.ts'
import { createSharedKeylessShare } from '../../../../src/api/merchant/shared-keyless-share.ts'
import { emptyTable } from '../../../support/shared-memory.ts'

test('transfers that an address makes at all processes count together, for one lifetime', () => {
  let now = 3_000_000
  const table = emptyTable()
  const [one, other] = [1, 2].map(() => createSharedKeylessShare(table, 3_600, () => now))
  for (let i = 0; i < MAX_OF_ADDRESS; i++) {
    const share = i % 2 ? one! : other!
    expect(share.wait('192.0.2.1')).toBe(0)
    share.count('192.0.2.1')
  }
  now += 600_000
  expect([one!.wait('192.0.2.1'), other!.wait('192.0.2.1'), one!.wait('192.0.2.2')]).toEqual([3_000, 3_000, 0])
  now += 3_000_000
  expect(other!.wait('192.0.2.1')).toBe(0)
})
