import { describe, expect, test } from 'bun:test'
import { beginCell } from '../../../src/ton/builder.ts'
import { buildStack, type StackValue, stackInt } from '../../../src/ton/stack.ts'
import { tvmConfig } from '../../../src/tvm/config.ts'
import type { EmulatorAnswer } from '../../../src/tvm/emulator-answer.ts'
import { base64 } from '../../../src/tvm/encode.ts'
import type { OwnTvmPool, TvmTask } from '../../../src/tvm/pool.ts'
import { createShortRuns } from '../../../src/tvm/short-runs.ts'
import { codeOf, recordedConfig, TVM } from '../../support/tvm-code.ts'

/** What the pool says, which no emulator would. */
const SHORT = { success: true, stack: 'of the pool', gas_used: '100', vm_exit_code: 0, missing_library: null, ms: 0.1 }
const CONFIG = tvmConfig(recordedConfig()).slim

const emptyCell = base64(beginCell().endCell())

const task = (code: string, stack: readonly StackValue[] = [], gas_limit = 1_000_000): TvmTask => ({
  method: { contract: code, method_id: 0, stack: base64(buildStack(stack)), now: 1, balance: '0', gas_limit },
  texts: () => ({
    code: base64(codeOf(code)),
    data: emptyCell,
    address: `0:${'cc'.repeat(32)}`,
    libraries: '',
    extra_currencies: '',
    prev_blocks: '',
  }),
  config: CONFIG,
})

/** Short runs over a pool that always says the same, and what it was asked. */
const start = (answer: object = SHORT) => {
  const asked: TvmTask[] = []
  const pool: OwnTvmPool = {
    run: async (asking) => {
      asked.push(asking)
      return answer as EmulatorAnswer
    },
    emulate: () => Promise.reject(new Error('no transaction is asked for')),
    figures: () => ({
      workers: 1,
      busy: 0,
      waiting: 0,
      runs: { answered: asked.length, broken: 0, late: 0, refused: 0 },
      seconds: 0,
    }),
    stop: () => {},
  }
  return { runs: createShortRuns(pool), asked }
}

const { now, pushContinuation, again } = TVM
const ENDLESS = pushContinuation + again

describe('a method that was short in a Worker', () => {
  test('is run in this thread from then on, and counted', async () => {
    const { runs, asked } = start()
    expect(await runs.run(task(now))).toMatchObject(SHORT)
    expect(await runs.run(task(now))).toMatchObject({ success: true, vm_exit_code: 0, gas_used: expect.any(String) })
    expect(asked.length).toBe(1)
    expect(runs.figures()).toMatchObject({ workers: 1, runs: { answered: 2, late: 0 }, seconds: expect.any(Number) })
    expect(runs.figures().seconds).toBeGreaterThan(0)
  })

  test('is run by a Worker with all of its gas where that of a short run is not enough', async () => {
    const { runs, asked } = start()
    for (let i = 0; i < 2; i++) expect(await runs.run(task(ENDLESS))).toMatchObject(SHORT)
    expect(asked.map(({ method }) => method.gas_limit)).toEqual([1_000_000, 1_000_000])
    expect(runs.figures().runs.answered).toBe(2)
  })

  test('cannot give itself more gas here', async () => {
    const { runs, asked } = start()
    const accepting = task(TVM.accept + ENDLESS)
    for (let i = 0; i < 2; i++) expect(await runs.run(accepting)).toMatchObject(SHORT)
    expect(asked.length).toBe(2)
  })

  test('has the answer of this thread where it has used up the gas that it was given', async () => {
    const { runs, asked } = start()
    for (let i = 0; i < 2; i++) await runs.run(task(ENDLESS, [], 1_000))
    expect(asked.length).toBe(1)
  })

  test('is run by a Worker where it cannot be run here', async () => {
    const { runs, asked } = start()
    await runs.run(task(now))
    const texts = (): never => {
      throw new Error('the emulator broke')
    }
    const broken = { ...task(now), texts: () => (asked.length === 1 ? texts() : task(now).texts()) }
    expect(await runs.run(broken)).toMatchObject(SHORT)
    expect(asked.length).toBe(2)
  })

  test('is run by a Worker where one that waited for the emulator with it broke it', async () => {
    const { runs, asked } = start()
    const many = Array.from({ length: 20 }, (_, i) => task(TVM.pushInt(i)))
    for (const each of many) await runs.run(each)
    let isBroken = false
    const texts = (each: TvmTask) => {
      if (isBroken) return each.texts()
      isBroken = true
      throw new Error('the emulator broke')
    }
    await Promise.all(many.map((each) => runs.run({ ...each, texts: () => texts(each) })))
    expect(asked.length).toBe(40)
  })

  test('is run by a Worker where its arguments are many', async () => {
    const { runs, asked } = start()
    const many = Array.from({ length: 300 }, () => stackInt(1n << 200n))
    for (let i = 0; i < 2; i++) await runs.run(task(now, many))
    expect(asked.length).toBe(2)
  })
})

describe('a method is run by Workers', () => {
  const cases: Record<string, object> = {
    'that took much gas': { ...SHORT, gas_used: '10001' },
    'that took long': { ...SHORT, ms: 2.5 },
    'that failed': { success: false, error: 'refused' },
  }
  for (const [name, answer] of Object.entries(cases))
    test(name, async () => {
      const { runs, asked } = start(answer)
      for (let i = 0; i < 2; i++) expect(await runs.run(task(now))).toMatchObject(answer)
      expect(asked.length).toBe(2)
    })

  test('whose contract is large', async () => {
    const { runs, asked } = start()
    let written = 0
    const texts = () => {
      written++
      return { ...task(now).texts(), data: 'A'.repeat(70_000) }
    }
    const { method, ...rest } = { ...task(now), texts }
    for (let method_id = 0; method_id < 3; method_id++)
      for (let i = 0; i < 2; i++) await runs.run({ ...rest, method: { ...method, method_id } })
    expect(asked.length).toBe(6)
    expect(written).toBe(1)
  })
})
