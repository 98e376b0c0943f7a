import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import type { PrevBlocks } from '../../../src/ton/prev-blocks.ts'
import {
  buildStack,
  openCellSlice,
  parseStack,
  STACK_NULL,
  type StackValue,
  stackInt,
  stackTuple,
} from '../../../src/ton/stack.ts'
import { configParam, configParams } from '../../../src/ton/tlb/config-params.ts'
import { extraCurrencies } from '../../../src/ton/tlb/currency.ts'
import { tvmConfig } from '../../../src/tvm/config.ts'
import { type GetMethodCall, runGetMethod } from '../../../src/tvm/get-method.ts'
import type { TvmPool, TvmTask } from '../../../src/tvm/pool.ts'
import { libraryCell } from '../../support/exotic-cells.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { startTvm } from '../../support/tvm.ts'
import { codeOf, recordedConfig, TVM } from '../../support/tvm-code.ts'

const workers = startTvm({ size: 1 })
afterAll(() => workers.stop())

const tasks: TvmTask[] = []
beforeEach(() => void tasks.splice(0))

/** Real Workers, and a note of what they were asked. */
const tvm: TvmPool = {
  ...workers,
  run: (task, signal) => {
    tasks.push(task)
    return workers.run(task, signal)
  },
}

const config = recordedConfig()
const CONFIG = tvmConfig(config)
const GAS_LIMIT = 1_000_000
const NOW = 1_795_821_100

const blockId = (seqno: number) => ({
  workchain: -1,
  shard: -(1n << 63n),
  seqno,
  root_hash: Buffer.alloc(32, seqno),
  file_hash: Buffer.alloc(32, seqno + 1),
})

const PREV_BLOCKS: PrevBlocks = {
  last_mc_blocks: [blockId(7), blockId(6)],
  prev_key_block: blockId(3),
  last_mc_blocks_100: [blockId(0)],
}

const callOf = (code: Cell, options: Partial<GetMethodCall> = {}): GetMethodCall => ({
  address: { workchain: 0, hash: Buffer.alloc(32, 0xcc) },
  code,
  data: null,
  balance: 5_000_000_000n,
  extra_currencies: [],
  now: NOW,
  config: CONFIG,
  method_id: 0,
  stack: buildStack([]),
  gas_limit: GAS_LIMIT,
  libraries: async () => [],
  prevBlocks: async () => PREV_BLOCKS,
  ...options,
})

/** Runs code that ignores its method id; gives the exit code and what stands above the id. */
const run = async (code: Cell, options: Partial<GetMethodCall> = {}): Promise<{ exit: number; top: StackValue }> => {
  const { exit_code, stack } = await runGetMethod(tvm, callOf(code, options))
  return { exit: exit_code, top: parseStack(stack).at(-1)! }
}

const formsUsed = (): string[] => tasks.map(({ config: { key } }) => (key === CONFIG.slim.key ? 'slim' : 'full'))

describe('a get-method', () => {
  test('sees its id, its arguments, the time and the gas limit', async () => {
    const stack = buildStack([stackInt(41)])
    const result = await runGetMethod(tvm, callOf(codeOf(TVM.now), { stack, method_id: 85143 }))
    expect(result.exit_code).toBe(0)
    expect(parseStack(result.stack)).toEqual([stackInt(41), stackInt(85143), stackInt(NOW)])
    expect(result.gas_used).toBeGreaterThan(0)
    expect(formsUsed()).toEqual(['slim'])
  })

  test('sees the time of each of its runs', async () => {
    for (const now of [NOW, NOW, NOW + 1, NOW]) expect((await run(codeOf(TVM.now), { now })).top).toEqual(stackInt(now))
  })

  test('that throws has a result all the same', async () => {
    expect(await run(codeOf(TVM.throwTypeCheck))).toEqual({ exit: 7, top: stackInt(0) })
  })

  test('that runs out of gas ends with -14 and what it used', async () => {
    const { exit_code, gas_used, stack } = await runGetMethod(
      tvm,
      callOf(codeOf(TVM.pushContinuation + TVM.again), { gas_limit: 20_000 }),
    )
    expect(exit_code).toBe(-14)
    expect(gas_used).toBeGreaterThan(20_000)
    expect(parseStack(stack)).toEqual([stackInt(gas_used)])
  })

  test('sees every extra currency', async () => {
    const extra_currencies = [
      { id: 239, amount: 666_665_666_666n },
      { id: -17, amount: 10n ** 60n },
      { id: 1, amount: 1n },
    ]
    const { top } = await run(codeOf(TVM.balance), { extra_currencies })
    if (top._ !== 'vm_stk_tuple' || top.data[1]?._ !== 'vm_stk_cell') throw new Error('no balance')
    expect(top.data[0]).toEqual(stackInt(5_000_000_000))
    const seen = extraCurrencies(top.data[1].cell).map(([id, amount]) => ({ id: id | 0, amount }))
    expect(seen.toSorted((a, b) => a.id - b.id)).toEqual(extra_currencies.toSorted((a, b) => a.id - b.id))
  })
})

describe('a contract that ran before', () => {
  const data = codeOf('abcd')

  test('is as it was, whatever it did to its data', async () => {
    const code = codeOf(TVM.data + TVM.emptyCell + TVM.setData)
    for (let i = 0; i < 3; i++) {
      const { top } = await run(code, { data })
      expect(top._ === 'vm_stk_cell' && top.cell.hash()).toEqual(data.hash())
    }
  })

  test('has no more gas than its limit, whatever it asks for', async () => {
    const endless = TVM.pushContinuation + TVM.again
    for (const more of [TVM.accept, TVM.pushInt(30_000) + TVM.setGasLimit]) {
      const { exit_code, gas_used } = await runGetMethod(tvm, callOf(codeOf(more + endless), { gas_limit: 20_000 }))
      expect(exit_code).toBe(-14)
      expect(gas_used).toBeLessThan(20_100)
    }
  })

  test('sees the time, the balance, the arguments and the gas of each run', async () => {
    const code = codeOf(TVM.now + TVM.balance + TVM.pair)
    for (const i of [1, 2, 3]) {
      const stack = buildStack([stackInt(i)])
      const call = callOf(code, { stack, now: NOW + i, balance: BigInt(i), method_id: i })
      expect(parseStack((await runGetMethod(tvm, call)).stack)).toEqual([
        stackInt(i),
        stackInt(i),
        stackTuple([stackInt(NOW + i), stackTuple([stackInt(i), STACK_NULL])]),
      ])
    }
    expect((await run(code, { gas_limit: 30 })).exit).toBe(-14)
    expect((await run(code)).exit).toBe(0)
  })

  test('is told apart from one with another address, data, currencies, libraries or blocks', async () => {
    const library = codeOf(TVM.pushInt(7))
    const code = codeOf(TVM.pushRef + TVM.ctos + TVM.drop + TVM.balance, libraryCell(library.hash()))
    const variants: [Partial<GetMethodCall>, number][] = [
      [{}, 9],
      [{ libraries: async () => [library] }, 0],
      [{}, 9],
      [{ libraries: async () => [library], data }, 0],
    ]
    for (const [options, exit] of variants) expect((await run(code, options)).exit).toBe(exit)
    const amounts = async (amount: bigint): Promise<StackValue> =>
      (await run(codeOf(TVM.balance), { extra_currencies: [{ id: 1, amount }] })).top
    expect(await amounts(1n)).not.toEqual(await amounts(2n))
    expect(await amounts(1n)).toEqual(await amounts(1n))
    for (const seqno of [3, 4, 3]) {
      const prevBlocks = async (): Promise<PrevBlocks> => ({ ...PREV_BLOCKS, prev_key_block: blockId(seqno) })
      const { top } = await run(codeOf(TVM.prevKeyBlock), { prevBlocks })
      expect(top._ === 'vm_stk_tuple' && top.data[2]).toEqual(stackInt(seqno))
    }
    for (const hash of [1, 2, 1].map((byte) => Buffer.alloc(32, byte))) {
      const { top } = await run(codeOf(TVM.myAddress), { address: { workchain: 0, hash } })
      expect(top._ === 'vm_stk_slice' && openCellSlice(top).skip(11).bytes(32)).toEqual(hash)
    }
  })

  test('is read again when many others ran in between', async () => {
    const large = (i: number): Cell => beginCell().uint(i, 32).bytes(Buffer.alloc(100, i)).endCell()
    const seen: Buffer[] = []
    for (let i = 0; i < 1_500; i++) {
      const data = large(i % 750)
      const { top } = await run(codeOf(TVM.data), { data })
      seen.push(top._ === 'vm_stk_cell' ? top.cell.hash() : Buffer.alloc(0))
    }
    expect(seen).toEqual(Array.from({ length: 1_500 }, (_, i) => large(i % 750).hash()))
  })
})

describe('the configuration', () => {
  const param = (index: number, then = '') => codeOf(TVM.pushInt(index) + TVM.configParam + TVM.drop + then)

  test('that the TVM needs is at hand', async () => {
    const { top } = await run(param(20))
    expect(top._ === 'vm_stk_cell' && top.cell.hash()).toEqual(configParam(config, 20)!.hash())
    expect(formsUsed()).toEqual(['slim'])
  })

  test('is given whole to a method that reads more', async () => {
    let whole = 0
    for (const [index, value] of configParams(config)) {
      tasks.splice(0)
      const { top } = await run(param(index, TVM.hashCell))
      expect(top).toEqual(stackInt(BigInt(`0x${value.hash().toString('hex')}`)))
      if (formsUsed().at(-1) === 'full') whole++
    }
    expect(whole).toBeGreaterThan(10)
  })

  test('is given whole to a method that hands it out unread', async () => {
    const { top } = await run(codeOf(TVM.configRoot))
    expect(top._ === 'vm_stk_cell' && top.cell.hash()).toEqual(config.hash())
    expect(formsUsed()).toEqual(['slim', 'full'])
  })

  test('says of a parameter that is missing that it is', async () => {
    const { exit, top } = await run(codeOf(TVM.pushInt(43) + TVM.configParam))
    expect({ exit, top }).toEqual({ exit: 0, top: stackInt(0) })
  })
})

describe('libraries', () => {
  const library = codeOf(TVM.pushInt(77))
  const inner = codeOf(TVM.pushInt(78))
  const known = new Map([library, inner].map((cell) => [cell.hash().toString('hex'), cell]))
  const asked: string[] = []
  const libraries = async (hashes: readonly Buffer[]): Promise<Cell[]> => {
    const names = hashes.map((hash) => hash.toString('hex'))
    asked.push(...names)
    return names.flatMap((name) => known.get(name) ?? [])
  }
  beforeEach(() => void asked.splice(0))

  test('that stand for the code are there from the start', async () => {
    expect((await run(libraryCell(library.hash()), { libraries })).top).toEqual(stackInt(77))
    expect(asked.length).toBe(1)
    expect(tasks.length).toBe(1)
  })

  test('that a method opens are found when they are missed, and remembered', async () => {
    const reference = libraryCell(inner.hash())
    const code = codeOf(TVM.pushRef + TVM.ctos + TVM.pushInt(5), reference)
    for (const runs of [2, 1]) {
      tasks.splice(0)
      expect(await run(code, { libraries })).toEqual({ exit: 0, top: stackInt(5) })
      expect(tasks.length).toBe(runs)
    }
  })

  test('that do not exist are an exception in the contract', async () => {
    const code = codeOf(TVM.pushRef + TVM.ctos, libraryCell(Buffer.alloc(32, 9)))
    expect((await run(code, { libraries })).exit).toBe(9)
    expect(asked.length).toBe(1)
  })

  test('are looked for a few times only', async () => {
    const chain = [beginCell().uint(1, 8).endCell()]
    for (let i = 0; i < 10; i++) chain.push(beginCell().uint(i, 8).endCell())
    const found = new Map(chain.map((cell) => [cell.hash().toString('hex'), cell]))
    const open = (rest: readonly Cell[]): Cell =>
      codeOf((TVM.pushRef + TVM.ctos + TVM.drop).repeat(Math.min(rest.length, 3)), ...next(rest))
    const next = (rest: readonly Cell[]): Cell[] => {
      const here = rest.slice(0, 3).map((cell) => libraryCell(cell.hash()))
      return rest.length > 3 ? [...here, open(rest.slice(3))] : here
    }
    const call = callOf(open(chain), {
      libraries: async (hashes) => hashes.flatMap((hash) => found.get(hash.toString('hex')) ?? []),
    })
    const error = await rejectionOf(runGetMethod(tvm, call))
    expect(error).toMatchObject({ kind: 'unsupported', message: 'Too many missing libraries' })
  })
})

describe('the earlier blocks', () => {
  let asked = 0
  const prevBlocks = async (): Promise<PrevBlocks> => {
    asked++
    return PREV_BLOCKS
  }
  beforeEach(() => {
    asked = 0
  })

  test('are not asked for without need', async () => {
    await run(codeOf(TVM.now), { prevBlocks })
    expect(asked).toBe(0)
  })

  test('are there for a method that reads them', async () => {
    const { top } = await run(codeOf(TVM.prevKeyBlock), { prevBlocks })
    expect(top._ === 'vm_stk_tuple' && top.data[2]).toEqual(stackInt(3))
    const { top: blocks } = await run(codeOf(TVM.prevBlocks), { prevBlocks })
    expect(blocks._ === 'vm_stk_tuple' && blocks.data.length).toBe(2)
    expect(tasks.length).toBe(2)
    expect(asked).toBe(2)
  })

  test('are there for a method in a library', async () => {
    const library = codeOf(TVM.prevKeyBlock)
    const { exit } = await run(libraryCell(library.hash()), { prevBlocks, libraries: async () => [library] })
    expect(exit).toBe(0)
    expect(asked).toBe(1)
  })

  test('cannot be told apart from their absence by a failure', async () => {
    expect((await run(codeOf(TVM.throwTypeCheck), { prevBlocks })).exit).toBe(7)
    expect(asked).toBe(1)
  })
})

describe('deep values', () => {
  test('of a stack, a list, a tuple and data come out as they are', async () => {
    const { stack } = await runGetMethod(tvm, callOf(codeOf(TVM.repeat(1_000, TVM.pushNull))))
    expect(parseStack(stack).length).toBe(1_001)

    let { top } = await run(codeOf(TVM.pushNull + TVM.repeat(1_000, `70${'01'}${TVM.pair}`)))
    let items = 0
    for (; top._ === 'vm_stk_tuple'; top = top.data[1]!) items++
    expect([items, top._]).toEqual([1_000, 'vm_stk_null'])

    let nested = (await run(codeOf(TVM.pushNull + TVM.repeat(1_000, TVM.single)))).top
    let depth = 0
    for (; nested._ === 'vm_stk_tuple'; nested = nested.data[0]!) depth++
    expect([depth, nested._]).toEqual([1_000, 'vm_stk_null'])

    let data = codeOf('')
    for (let i = 0; i < 500; i++) data = codeOf('', data)
    const { top: seen } = await run(codeOf(TVM.data), { data })
    expect(seen._ === 'vm_stk_cell' && seen.cell.hash()).toEqual(data.hash())
  })

  test('that do not fit into cells are refused, also where they exhaust the call stack', async () => {
    for (const depth of [1_100, 5_000, 32_000]) {
      const call = run(codeOf(TVM.pushNull + TVM.repeat(depth, TVM.single)), { gas_limit: 4_000_000 })
      const error = await rejectionOf(call)
      expect(error).toMatchObject({ kind: 'unsupported', code: 500, message: 'TVM stack size exceeds limit' })
    }
    expect((await run(codeOf(TVM.now))).top).toEqual(stackInt(NOW))
  })
})

describe('what cannot be run', () => {
  test('is told in the words of the emulator', async () => {
    const error = await rejectionOf(runGetMethod(tvm, callOf(codeOf(''), { balance: 1n << 70n })))
    expect(error).toBeInstanceOf(TonlithError)
    expect(error).toMatchObject({ kind: 'unsupported', code: 500, message: "TVM: Can't decode params" })
  })

  test('may take no longer than it is given', async () => {
    const hurried = startTvm({ size: 1, runMs: 1_500 })
    const endless = callOf(codeOf(TVM.pushContinuation + TVM.again), { gas_limit: 1_000_000_000 })
    expect(await rejectionOf(runGetMethod(hurried, endless))).toMatchObject({ kind: 'timeout' })
    expect((await runGetMethod(hurried, callOf(codeOf(TVM.now)))).exit_code).toBe(0)
    hurried.stop()
  })
})
