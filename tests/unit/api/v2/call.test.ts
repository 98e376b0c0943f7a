import { expect, test } from 'bun:test'
import { createExchange } from '../../../../src/api/exchange.ts'
import { createCaller } from '../../../../src/api/v2/call.ts'
import { type CallContext, GET_POST, method } from '../../../../src/api/v2/method.ts'
import { systemClock } from '../../../../src/common/clock.ts'
import type { StopSignal } from '../../../../src/common/stop.ts'

interface Asked {
  answer(signal: StopSignal): Promise<bigint>
}

const slow = method({
  name: 'slow',
  group: 'utils',
  summary: 'For tests',
  verbs: GET_POST,
  params: {},
  result: {},
  cacheSeconds: () => 1,
  call: (_, { chain, signal }: CallContext<Asked>) => chain.answer(signal),
})

test('who joins a call has their own time, not what was left to the one who started it', async () => {
  const { promise, resolve } = Promise.withResolvers<bigint>()
  const signals: StopSignal[] = []
  const call = createCaller<Asked>(
    {
      clock: systemClock,
      requestMs: 60_000,
      cacheBytes: 1 << 20,
      maxCalls: 10,
      chain: {
        answer: (signal) => {
          signals.push(signal)
          return promise
        },
      },
    },
    'spec',
  )
  const ask = async (deadline?: number) => {
    const exchange = createExchange(new Request('http://localhost/'), 'route', systemClock.monotonic())
    const request = { name: slow.name, prepare: () => slow.prepare(() => undefined), extra: undefined }
    return (await call(exchange, deadline === undefined ? request : { ...request, deadline })).status
  }
  const [impatient, fresh] = [ask(systemClock.monotonic() + 1), ask()]
  expect(await impatient).toBe(504)
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  resolve(1n)
  expect(await fresh).toBe(200)
  expect(signals.length).toBe(1)
})
