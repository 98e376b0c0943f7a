import { describe, expect, test } from 'bun:test'
import { createStopStack, exitOnSignals } from '../../../src/common/shutdown.ts'

describe('stop stack', () => {
  test('ends the parts in the reverse order of their start, each once', async () => {
    const ended: string[] = []
    const stack = createStopStack()
    stack.add(() => {
      ended.push('first')
    })
    stack.add(async () => {
      await Bun.sleep(1)
      ended.push('second')
    })
    await Promise.all([stack.stop(), stack.stop()])
    await stack.stop()
    expect(ended).toEqual(['second', 'first'])
  })

  test('goes on when a part fails, and tells', async () => {
    const ended: string[] = []
    const errors: unknown[] = []
    const stack = createStopStack((error) => errors.push(error))
    stack.add(() => {
      ended.push('first')
    })
    stack.add(() => Promise.reject(new Error('broken')))
    await stack.stop()
    expect(ended).toEqual(['first'])
    expect(errors).toEqual([new Error('broken')])
  })
})

/** A process whose signals are sent by hand. */
const fakeProcess = () => {
  const listeners = new Map<string, () => void>()
  const codes: number[] = []
  return {
    codes,
    hears: (signal: NodeJS.Signals) => listeners.has(signal),
    send: (signal: NodeJS.Signals) => listeners.get(signal)?.(),
    on: (signal: NodeJS.Signals, listener: () => void) => listeners.set(signal, listener),
    exit: (code: number) => {
      codes.push(code)
    },
  }
}

describe('exit on signals', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s drains and ends with 0', async (signal) => {
    const process = fakeProcess()
    let stopped = 0
    exitOnSignals(async () => void stopped++, 1_000, process)
    process.send(signal)
    await Bun.sleep(1)
    expect([stopped, process.codes]).toEqual([1, [0]])
  })

  test('a drain that takes too long ends with 1', async () => {
    const process = fakeProcess()
    exitOnSignals(() => new Promise(() => {}), 5, process)
    process.send('SIGTERM')
    await Bun.sleep(30)
    expect(process.codes).toEqual([1])
  })

  test('a drain that fails ends with 1', async () => {
    const process = fakeProcess()
    exitOnSignals(() => Promise.reject(new Error('broken')), 1_000, process)
    process.send('SIGTERM')
    await Bun.sleep(1)
    expect(process.codes).toEqual([1])
  })

  test.each([
    ['SIGTERM', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
    ['SIGINT', 'SIGTERM'],
  ] as const)('after %s, %s waits for nothing', (first, second) => {
    const process = fakeProcess()
    exitOnSignals(() => new Promise(() => {}), 1_000, process)
    process.send(first)
    expect(process.codes).toEqual([])
    process.send(second)
    expect(process.codes).toEqual([1])
  })

  test('SIGHUP is heard and changes nothing', async () => {
    const process = fakeProcess()
    let stopped = 0
    exitOnSignals(async () => void stopped++, 1_000, process)
    expect(process.hears('SIGHUP')).toBe(true)
    process.send('SIGHUP')
    await Bun.sleep(1)
    expect([stopped, process.codes]).toEqual([0, []])
  })
})
