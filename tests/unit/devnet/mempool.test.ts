import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createMempool, MEMPOOL_LIMITS, type MempoolLimits, type PooledMessage } from '../../../src/devnet/mempool.ts'
import { SHARD_ALL } from '../../../src/ton/block-id.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'

const NOW = 1_000_000
const BASE = { workchain: 0, shard: SHARD_ALL }
const LEFT = { workchain: 0, shard: 1n << 62n }
const RIGHT = { workchain: 0, shard: -(1n << 62n) }

interface Sketch {
  id: number
  /** First byte of the destination. */
  to?: number
  workchain?: number
  turn?: PooledMessage['turn']
  bytes?: number
}

const message = ({ id, to = 1, workchain = 0, turn, bytes = 100 }: Sketch): PooledMessage => ({
  cell: beginCell().uint(id, 32).endCell(),
  dest: { workchain, hash: Buffer.alloc(32, to) },
  bytes,
  turn,
  sent: String(id),
})

const idOf = (cell: Cell): number => Buffer.from(cell.bytes.subarray(cell.start)).readUInt32BE(0)

const filled = (sketches: readonly Sketch[], limits: Partial<MempoolLimits> = {}) => {
  const mempool = createMempool({ ...MEMPOOL_LIMITS, ...limits })
  const messages = sketches.map(message)
  for (const each of messages) mempool.add(each, NOW)
  return { mempool, messages }
}

const refusedOf = (messages: readonly PooledMessage[]) => messages.map(({ cell }) => ({ message: cell, reason: 'so' }))

describe('a batch', () => {
  test('is in the order of arrival, as long as asked, and for one shard', () => {
    const { mempool } = filled([{ id: 1 }, { id: 2, to: 0x90 }, { id: 3, workchain: -1 }, { id: 4 }, { id: 5 }])
    expect(mempool.batch(BASE, 9).map(idOf)).toEqual([1, 2, 4, 5])
    expect(mempool.batch(LEFT, 2).map(idOf)).toEqual([1, 4])
    expect(mempool.batch(RIGHT, 9).map(idOf)).toEqual([2])
    expect(mempool.batch({ workchain: -1, shard: SHARD_ALL }, 9).map(idOf)).toEqual([3])
  })

  test('has the messages to a wallet in their turn', () => {
    const turn = (seqno: number) => ({ seqno, valid_until: NOW + 60 })
    const { mempool } = filled([
      { id: 1, to: 5, turn: turn(8) },
      { id: 2, to: 6, turn: turn(1) },
      { id: 3, to: 5, turn: turn(7) },
      { id: 4 },
      { id: 5, to: 5, turn: turn(6) },
    ])
    expect(mempool.batch(BASE, 9).map(idOf)).toEqual([5, 2, 3, 4, 1])
    expect(mempool.isWaiting({ workchain: 0, hash: Buffer.alloc(32, 5) }, 7)).toBe(true)
    expect(mempool.isWaiting({ workchain: 0, hash: Buffer.alloc(32, 6) }, 7)).toBe(false)
  })
})

describe('a message', () => {
  test('is taken once, and again when it was refused', () => {
    const { mempool, messages } = filled([{ id: 1 }, { id: 2 }])
    expect(mempool.add(message({ id: 1 }), NOW)).toBe(false)
    expect(mempool.messages).toBe(2)
    expect(mempool.settle({ taken: [], refused: refusedOf(messages) })).toEqual(messages)
    expect(mempool.messages).toBe(0)
    expect(mempool.add(message({ id: 1 }), NOW)).toBe(true)
  })

  test('stays when it was neither taken nor refused, or was refused too early', () => {
    const { mempool, messages } = filled([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }])
    const refused = refusedOf(messages.slice(2))
    const gone = mempool.settle({ taken: [messages[0]!.cell], refused }, ({ sent }) => sent === '4')
    expect(gone).toEqual([messages[2]!])
    expect(mempool.batch(BASE, 9).map(idOf)).toEqual([2, 4])
  })

  test('that waits on behind a refusal does not keep others from their places', () => {
    const early = Array.from({ length: 12 }, (_, i) => ({ id: i, to: i + 1 }))
    const { mempool, messages } = filled(early)
    const stays = () => true
    mempool.settle({ taken: [], refused: refusedOf(messages) }, stays)
    expect(mempool.batch(BASE, 8).map(idOf)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    for (let id = 20; id < 29; id++) mempool.add(message({ id }), NOW)
    expect(mempool.batch(BASE, 8).map(idOf)).toEqual([20, 21, 22, 23, 24, 25, 0, 1])
    mempool.settle({ taken: [], refused: refusedOf(messages.slice(0, 2)) }, stays)
    expect(mempool.batch(BASE, 8).map(idOf)).toEqual([20, 21, 22, 23, 24, 25, 2, 3])
    expect(mempool.messages).toBe(21)
    expect(mempool.add(message({ id: 3 }), NOW)).toBe(false)
  })

  test('is dropped when it has waited for too long or is no longer valid', () => {
    const turn = { seqno: 1, valid_until: NOW + 60 }
    const { mempool } = filled([{ id: 1 }, { id: 2, turn }])
    const gone = (now: number) => mempool.expire(now).map(({ sent }) => sent)
    expect(gone(NOW + 59)).toEqual([])
    expect(gone(NOW + 60)).toEqual(['2'])
    expect(gone(NOW + MEMPOOL_LIMITS.seconds)).toEqual(['1'])
    expect(mempool.bytes).toBe(0)
  })

  test('is refused when there is no room for it', () => {
    const full = 'mempool is full'
    expect(() => filled([{ id: 1 }, { id: 2 }], { messages: 1 })).toThrow(full)
    expect(() => filled([{ id: 1 }, { id: 2 }], { bytes: 199 })).toThrow(full)
    expect(() => filled([{ id: 1 }, { id: 2, to: 3 }, { id: 3 }], { perAddress: 1 })).toThrow(
      'per address limit reached (limit=1)',
    )
  })
})

test('counts what it has, whatever comes and goes', () => {
  const sketch = fc.record({ id: fc.nat(30), to: fc.nat(3), bytes: fc.integer({ min: 1, max: 9 }) })
  const step = fc.record({ add: fc.array(sketch), take: fc.nat(9), refuse: fc.nat(9) })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const mempool = createMempool()
      const expected = new Map<number, number>()
      for (const { add, take, refuse } of steps) {
        for (const each of add) if (mempool.add(message(each), NOW)) expected.set(each.id, each.bytes)
        const batch = mempool.batch(BASE, take + refuse)
        const refused = batch.slice(take).map((cell) => ({ message: cell, reason: 'so' }))
        mempool.settle({ taken: batch.slice(0, take), refused })
        for (const cell of batch) expected.delete(idOf(cell))
        expect(mempool.messages).toBe(expected.size)
        expect(mempool.bytes).toBe([...expected.values()].reduce((sum, bytes) => sum + bytes, 0))
      }
    }),
  )
})
