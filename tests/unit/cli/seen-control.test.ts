import { expect, test } from 'bun:test'
import { seenControl } from '../../../src/cli/seen-control.ts'
import { TonlithError } from '../../../src/common/errors.ts'
import { fakeControl } from '../../support/fake-control.ts'

test('what was done is answered once reads show it', async () => {
  const awaited: number[] = []
  const control = seenControl(fakeControl().control, { waitForHead: async (seqno) => void awaited.push(seqno) })
  await control.faucet('0:1', 1n)
  await control.mine(1)
  await control.resplit('split', '8000000000000000')
  await control.setConfig(1, Buffer.alloc(0))
  await control.load({ file: Buffer.alloc(0) })
  expect(awaited).toEqual([13, 13, 13, 13, 13])
  await control.snapshot('x')
  await control.status()
  expect(awaited.length).toBe(5)
})

test('it is answered all the same where reads do not get there', async () => {
  const late = () => Promise.reject(new TonlithError('timeout', 'no such head'))
  expect(await seenControl(fakeControl().control, { waitForHead: late }).mine(1)).toMatchObject({ seqno: 13 })
})
