import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runMethod } from '../../../src/chain/run-method.ts'
import type { Address } from '../../../src/ton/address.ts'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { methodId } from '../../../src/ton/method-id.ts'
import { buildStack, parseStack, STACK_NULL, type StackValue, stackInt } from '../../../src/ton/stack.ts'
import { configParam } from '../../../src/ton/tlb/config-params.ts'
import { parseMcStateExtra } from '../../../src/ton/tlb/mc-state-extra.ts'
import { parseShardStateUnsplit } from '../../../src/ton/tlb/shard-state.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { recordedRuns, runResult } from '../../support/recorded-runs.ts'

let reader: ArchiveReader
beforeAll(async () => {
  reader = await startArchiveReader()
})
afterAll(() => reader.stop())

interface Options {
  seqno?: number
  args?: StackValue[]
}

const run = (address: Address, method: string | number, { seqno, args = [] }: Options = {}) =>
  runMethod(reader.chain, address, {
    method_id: typeof method === 'number' ? method : methodId(method),
    stack: buildStack(args),
    seqno,
    signal: AbortSignal.timeout(10_000),
  })

/** What running it asked the liteserver. */
const questionsOf = async (call: () => Promise<unknown>): Promise<Record<string, number>> => {
  const before = reader.asked()
  await call()
  const asked: Record<string, number> = {}
  for (const [method, count] of Object.entries(reader.asked())) {
    const more = count - (before[method] ?? 0)
    if (more > 0) asked[method] = more
  }
  return asked
}

const WALLET = {
  workchain: 0,
  hash: Buffer.from('c4f8b4a75bbda2c6e7d1436c92984d6d40cec483524f1c1330d91a23f4d74206', 'hex'),
}
/** Its method `conf` gives a parameter of the configuration. */
const TOOLBOX = {
  workchain: 0,
  hash: Buffer.from('05710757ef8212f1f1fc5bfdcd81b8242682a46b80274964401983ee78819184', 'hex'),
}
/** Its code is a library. */
const LIBRARY_WALLET = {
  workchain: 0,
  hash: Buffer.from('4da9d2be51a7cfecea57b405ee7e941d130e2e22cd5c85a7a1f848302c04d64f', 'hex'),
}
const UNUSED = { workchain: 0, hash: Buffer.alloc(32, 0xaa) }

/** A random number, and a method that ends with its gas, of which the node gives less. */
const INCOMPARABLE = ['toolbox t0 rnd', 'toolbox t0 inf']

describe('a get-method', () => {
  test('gives at any block what the recorded node gave there', async () => {
    let count = 0
    for (const recorded of recordedRuns()) {
      const want = runResult(recorded)
      const { id, account, method_id, params } = recorded.request
      if (!want?.result?.length || !recordedChain().block(id) || id.workchain !== -1) continue
      if (INCOMPARABLE.includes(recorded.note)) continue
      const args = params.length > 0 ? parseStack(parseBocRoot(params)) : []
      const address = { workchain: account.workchain, hash: account.id }
      const { exit_code, stack, block } = await run(address, Number(method_id), { seqno: id.seqno, args })
      expect([recorded.note, exit_code, block]).toEqual([recorded.note, want.exit_code, id])
      expect(buildStack(stack).hash()).toEqual(parseBocRoot(want.result).hash())
      count++
    }
    expect(count).toBeGreaterThan(200)
  }, 60_000)

  test('sees the configuration of its block', async () => {
    const hashes = new Set<string>()
    for (const [index, seqnos] of [
      [21, [43, 44, 102, 103]],
      [4, [29, 30]],
    ] as const)
      for (const seqno of seqnos) {
        const { custom } = parseShardStateUnsplit(recordedChain().masterchain(seqno)!.state)
        const value = configParam(parseMcStateExtra(custom!).config.config, index)
        const { stack } = await run(TOOLBOX, 'conf', { seqno, args: [stackInt(index)] })
        const expected: StackValue = value ? { _: 'vm_stk_cell', cell: value } : STACK_NULL
        expect(buildStack(stack).hash()).toEqual(buildStack([expected]).hash())
        hashes.add(value ? value.hash().toString('hex') : 'none')
      }
    expect(hashes.size).toBe(4)
  })

  test('asks for no more than it needs', async () => {
    const before = recordedChain().last - 1
    await run(WALLET, 'seqno')
    expect(await questionsOf(() => run(WALLET, 'no_such_method'))).toEqual({})
    await run(LIBRARY_WALLET, 'get_wallet_data')
    expect(await questionsOf(() => run(LIBRARY_WALLET, 'get_wallet_data'))).toEqual({})
    await run(WALLET, 'seqno', { seqno: before })
    expect(await questionsOf(() => run(LIBRARY_WALLET, 'get_wallet_data', { seqno: before }))).toEqual({
      getAccountState: 1,
    })
  })

  test('finds the library that is its code', async () => {
    const { exit_code, stack } = await run(LIBRARY_WALLET, 'get_wallet_data')
    expect(exit_code).toBe(0)
    expect(stack[0]).toEqual(stackInt(750_000_000))
  })

  test('of an account without code ends with -13 and gives the arguments back', async () => {
    const cell = beginCell().endCell()
    const args: StackValue[] = [stackInt(5), { _: 'vm_stk_cell', cell }]
    const result = await run(UNUSED, 'seqno', { args })
    expect(result).toMatchObject({ exit_code: -13, gas_used: 0, last_transaction: { lt: 0n } })
    expect(buildStack(result.stack).hash()).toEqual(buildStack([...args, stackInt(85143)]).hash())
    expect(result.block).toEqual(recordedChain().masterchain(recordedChain().last)!.id)
  })

  test('may use 4,000,000 gas', async () => {
    const { exit_code, gas_used } = await run(TOOLBOX, 'inf')
    expect(exit_code).toBe(-14)
    expect(gas_used).toBeGreaterThan(4_000_000)
    expect(gas_used).toBeLessThan(4_001_000)
  }, 30_000)
})
