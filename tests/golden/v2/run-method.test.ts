import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Address, Cell, type TupleItem } from '@ton/core'
import { TonClient } from '@ton/ton'
import { render } from '../../../src/api/v2/dialect.ts'
import { legacyStackEntries } from '../../../src/api/v2/stack-output.ts'
import { stringifyJson } from '../../../src/common/lossless-json.ts'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import { beginCell, sliceToCell } from '../../../src/ton/builder.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { openCellSlice, parseStack, STACK_NULL, type StackValue, stackTuple } from '../../../src/ton/stack.ts'
import { type ArchiveGateway, startArchiveGateway } from '../../support/archive-gateway.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { type RecordedRun, recordedRuns, runResult } from '../../support/recorded-runs.ts'
import { toTonCore } from '../../support/ton-core.ts'

/**
 * Runs the recorded get-methods through API v2 with @ton/ton, unmodified, and compares what it makes of the answers with
 * what the real node left on the stack: no shape of a stack may be unreadable for it.
 */

type Seen = null | bigint | string | readonly Seen[]

const hashOf = (cell: Cell): string => cell.hash().toString('hex')

/** What @ton/ton is to see of a value: it has no NaN, no continuations, and reads slices as cells. */
const expected = (value: StackValue, isTop: boolean): Seen => {
  switch (value._) {
    case 'vm_stk_int':
      return value.value
    case 'vm_stk_cell':
    case 'vm_stk_builder':
      return value.cell.hash().toString('hex')
    case 'vm_stk_slice':
      return sliceToCell(openCellSlice(value)).hash().toString('hex')
    case 'vm_stk_tuple': {
      const items = listOf(value) ?? value.data
      return isTop && items.length === 0 ? null : items.map((item) => expected(item, false))
    }
    case 'vm_stk_null':
    case 'vm_stk_nan':
    case 'vm_stk_cont':
      return isTop ? null : []
  }
}

const listOf = (value: StackValue): StackValue[] | undefined => {
  const items: StackValue[] = []
  let rest = value
  for (; rest._ === 'vm_stk_tuple' && rest.data.length === 2; rest = rest.data[1]!) items.push(rest.data[0]!)
  return rest._ === 'vm_stk_null' ? items : undefined
}

/** Inside of tuples @ton/ton gives bare values. */
const seen = (item: unknown): Seen => {
  if (item instanceof Cell) return hashOf(item)
  if (Array.isArray(item)) return item.map(seen)
  if (typeof item === 'bigint') return item
  throw new Error(`@ton/ton gave ${String(item)}`)
}

const seenAtTop = (item: TupleItem): Seen => {
  switch (item.type) {
    case 'int':
      return item.value
    case 'cell':
    case 'slice':
    case 'builder':
      return hashOf(item.cell)
    case 'tuple':
      return item.items.map(seen)
    default:
      return null
  }
}

const argument = (value: StackValue): TupleItem | undefined => {
  if (value._ === 'vm_stk_int') return { type: 'int', value: value.value }
  if (value._ === 'vm_stk_cell') return { type: 'cell', cell: toTonCore(value.cell) }
  if (value._ === 'vm_stk_slice') return { type: 'slice', cell: toTonCore(sliceToCell(openCellSlice(value))) }
  return undefined
}

/** What differs by its nature: a random number, and a method that ends with its gas, of which we give more. */
const INCOMPARABLE = ['toolbox t0 rnd', 'toolbox t0 inf']

const comparable = recordedRuns().filter((run) => {
  const result = runResult(run)?.result
  return result && result.length > 0 && recordedChain().block(run.request.id) && !INCOMPARABLE.includes(run.note)
})
const seqnoOf = ({ request }: RecordedRun): number => request.id.seqno
/** The client cannot name a block, so the gateway stands at the one that was asked about; it only moves on. */
const byBlock = [...Map.groupBy(comparable, seqnoOf)].toSorted(([a], [b]) => a - b)

let gateway: ArchiveGateway
let server: ReturnType<typeof Bun.serve>
let client: TonClient

beforeAll(async () => {
  gateway = await startArchiveGateway({ head: byBlock[0]![0] })
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: gateway.fetch })
  client = new TonClient({ endpoint: `http://127.0.0.1:${server.port}/ton/api/v2/jsonRPC` })
})

afterAll(async () => {
  await server.stop(true)
  await gateway.stop()
})

const standAt = async (seqno: number): Promise<void> => {
  gateway.setHead(seqno)
  while (gateway.chain.pool.head()?.id.seqno !== seqno) await Bun.sleep(5)
}

const ask = async ({ request, note }: RecordedRun) => {
  const args = request.params.length === 0 ? [] : parseStack(parseBocRoot(request.params)).map(argument)
  if (args.includes(undefined)) return undefined
  const address = new Address(request.account.workchain, request.account.id)
  const got = await client.runMethodWithError(address, String(request.method_id), args as TupleItem[])
  const items: Seen[] = []
  while (got.stack.remaining > 0) items.push(seenAtTop(got.stack.pop()))
  return { note, exit_code: got.exit_code, items }
}

const recordedAnswer = (run: RecordedRun) => {
  const { exit_code, result } = runResult(run)!
  return { note: run.note, exit_code, items: parseStack(parseBocRoot(result!)).map((value) => expected(value, true)) }
}

describe('get-methods through @ton/ton', () => {
  for (const [seqno, runs] of byBlock)
    test(`${runs.length} of masterchain block ${seqno}`, async () => {
      await standAt(seqno)
      let asked = 0
      for (const run of runs) {
        const got = await ask(run)
        if (!got) continue
        asked++
        expect(got).toEqual(recordedAnswer(run))
      }
      expect(asked).toBeGreaterThan(0)
    }, 30_000)
})

describe('shapes that the recorded network has none of', () => {
  const cell = beginCell().uint(5, 3).endCell()
  const odd: StackValue[] = [
    { _: 'vm_stk_nan' },
    { _: 'vm_stk_cont', cont: beginParse(cell) },
    { _: 'vm_stk_builder', cell },
    { _: 'vm_stk_int', value: -(2n ** 256n) },
    stackTuple([]),
    STACK_NULL,
  ]
  const stack = [...odd, stackTuple(odd), stackTuple([stackTuple(odd), STACK_NULL])]

  test('are read by @ton/ton all the same', async () => {
    const result = { gas_used: 1, exit_code: 0, stack: render(legacyStackEntries(stack), 'toncenter') }
    const canned = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(stringifyJson({ ok: true, result })),
    })
    const reader = new TonClient({ endpoint: `http://127.0.0.1:${canned.port}` })
    const got = await reader.runMethod(new Address(0, Buffer.alloc(32)), 'any')
    const items: Seen[] = []
    while (got.stack.remaining > 0) items.push(seenAtTop(got.stack.pop()))
    expect(items).toEqual(stack.map((value) => expected(value, true)))
    await canned.stop(true)
  })
})
