import { describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import type { Head } from '../../../src/liteserver/head.ts'
import { createHeadKeeper, type VerifyHead } from '../../../src/liteserver/head-keeper.ts'
import type { Query } from '../../../src/liteserver/query.ts'
import { fakeBlock } from '../../support/fake-chain.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

const head = (seqno: number, network = 'a'): Head => ({
  id: fakeBlock(seqno, network),
  utime: seqno,
  state_root_hash: Buffer.alloc(32),
})
const query = (async () => {
  throw new TonlithError('internal', 'not asked')
}) as Query

const setup = (verify?: VerifyHead) => {
  const clock = createVirtualClock()
  const moves: number[] = []
  return { clock, moves, keeper: createHeadKeeper(clock, verify, ({ id }) => moves.push(id.seqno)) }
}

describe('without a check', () => {
  test('the newest counts, older ones change nothing', async () => {
    const { clock, keeper, moves } = setup()
    expect([keeper.head, keeper.movedAt]).toEqual([undefined, undefined])
    await keeper.accept(head(5), query)
    await clock.advance(100)
    await keeper.accept(head(7), query)
    await clock.advance(100)
    for (const seqno of [6, 7]) await keeper.accept(head(seqno), query)
    expect([keeper.head?.id.seqno, keeper.movedAt, moves]).toEqual([7, 100, [5, 7]])
  })
})

describe('with a check', () => {
  test('a head that fails it does not count', async () => {
    const { keeper, moves } = setup(async () => {
      throw new TonlithError('proof', 'forged')
    })
    await expect(keeper.accept(head(5), query)).rejects.toThrow('forged')
    expect(moves).toEqual([])
  })

  test('another block at the same height is checked and changes nothing; an older head is not checked', async () => {
    const checked: Head[] = []
    const { keeper, moves } = setup(async (_, each) => void checked.push(each))
    await keeper.accept(head(5), query)
    await keeper.accept(head(5), query)
    await keeper.accept(head(4, 'b'), query)
    await keeper.accept(head(5, 'b'), query)
    expect(checked).toEqual([head(5), head(5, 'b')])
    expect([keeper.head, moves]).toEqual([head(5), [5]])
  })

  test('a head that several servers name is checked once', async () => {
    let checks = 0
    const { clock, keeper, moves } = setup(async () => {
      checks++
      await clock.sleep(200)
    })
    const all = [1, 2, 3].map(() => keeper.accept(head(5), query))
    await clock.advance(200)
    await Promise.all(all)
    expect([checks, moves]).toEqual([1, [5]])
  })

  test('a server that stalls its check, or fails it, does not hold up the others', async () => {
    let checks = 0
    const { clock, keeper } = setup(async () => {
      checks++
      if (checks === 1) {
        await clock.sleep(10_000)
        throw new TonlithError('timeout', 'stalled')
      }
    })
    const stalled = keeper.accept(head(5), query).catch((error: TonlithError) => error.kind)
    const honest = keeper.accept(head(5), query)
    await clock.advance(999)
    expect(keeper.head).toBeUndefined()
    await clock.advance(1)
    await honest
    expect(keeper.head?.id.seqno).toBe(5)
    await clock.advance(10_000)
    expect(await stalled).toBe('timeout')
  })

  test('a newer head may overtake one that is under check', async () => {
    const { clock, keeper, moves } = setup(async (_, { id }) => void (await clock.sleep(id.seqno === 5 ? 300 : 100)))
    const both = [keeper.accept(head(5), query), keeper.accept(head(6), query)]
    await clock.advance(300)
    await Promise.all(both)
    expect([keeper.head?.id.seqno, moves]).toEqual([6, [6]])
  })
})
