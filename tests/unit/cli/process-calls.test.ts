import { expect, test } from 'bun:test'
import { createProcessCalls, type ProcessCalls, type ProcessMessage } from '../../../src/cli/process-calls.ts'
import { TonlithError } from '../../../src/common/errors.ts'
import { rejectionOf } from '../../support/rejection.ts'

type Functions = {
  sum(a: bigint, b: bigint): Promise<bigint>
  refuse(): Promise<void>
  never(): Promise<void>
}

/** Two ends; what goes between them is copied, as between processes. */
const twoEnds = () => {
  const ends: ProcessCalls<Functions>[] = []
  const functions: Functions = {
    sum: async (a, b) => a + b,
    refuse: async () => {
      throw new TonlithError('conflict', 'not now', { code: 409 })
    },
    never: () => new Promise(() => {}),
  }
  const to = (end: number) => (message: ProcessMessage) =>
    queueMicrotask(() => ends[end]!.heed(structuredClone(message)))
  ends.push(createProcessCalls(functions, to(1)), createProcessCalls(functions, to(0)))
  return ends as [ProcessCalls<Functions>, ProcessCalls<Functions>]
}

test('each end asks the other, at the same time', async () => {
  const [one, other] = twoEnds()
  const sums = [one, other, one].map((end, i) => end.ask('sum', [BigInt(i), 2n ** 64n], 1_000))
  expect(await Promise.all(sums)).toEqual([2n ** 64n, 2n ** 64n + 1n, 2n ** 64n + 2n])
})

test('a refusal comes with its kind and code', async () => {
  const [one] = twoEnds()
  expect(await rejectionOf(one.ask('refuse', [], 1_000))).toMatchObject({
    kind: 'conflict',
    message: 'not now',
    code: 409,
  })
})

test('what is not answered in time, or by a process that ended, is given up', async () => {
  const [one] = twoEnds()
  expect(await rejectionOf(one.ask('never', [], 10))).toMatchObject({ kind: 'timeout' })
  const asked = rejectionOf(one.ask('never', [], 60_000))
  one.close()
  expect(await asked).toMatchObject({ kind: 'unavailable' })
  expect(await rejectionOf(one.ask('sum', [1n, 2n], 1_000))).toMatchObject({ kind: 'unavailable' })
})

test('a function that is not there is refused', async () => {
  const [one] = twoEnds()
  const odd = one as unknown as ProcessCalls<{ toString(): Promise<void> }>
  expect(await rejectionOf(odd.ask('toString', [], 1_000))).toMatchObject({ kind: 'internal' })
})
