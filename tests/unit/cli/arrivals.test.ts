import { expect, test } from 'bun:test'
import { arrivals } from '../../../src/cli/arrivals.ts'
import { fakeControl } from '../../support/fake-control.ts'

const ADDRESS = { workchain: 0, hash: Buffer.alloc(32, 0x51) }

test('those who read an account at the same time have it taken in once', async () => {
  const { control, calls } = fakeControl()
  const arrive = arrivals(control)
  expect(await Promise.all([arrive(ADDRESS), arrive(ADDRESS)])).toEqual([13, 13])
  expect(calls).toEqual([['arrive', `0:${'51'.repeat(32)}`]])
})

test('what failed is tried again', async () => {
  let asked = 0
  const arrive = arrivals({
    arrive: async () => {
      asked++
      if (asked === 1) throw new Error('the network is being replaced')
      return { seqno: 7, utime: 1 }
    },
  })
  await expect(arrive(ADDRESS)).rejects.toThrow('replaced')
  expect(await arrive(ADDRESS)).toBe(7)
})
