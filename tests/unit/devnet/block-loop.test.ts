import { afterEach, describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import { silentLogger } from '../../../src/common/logger.ts'
import { type BlockLoopOptions, startBlockLoop } from '../../../src/devnet/block-loop.ts'
import { createDevClock } from '../../../src/devnet/dev-clock.ts'
import type { MadeStep, Producer, StepOrder } from '../../../src/devnet/producer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { createVirtualClock, settled, type VirtualClock } from '../../support/virtual-clock.ts'

/** As much of a step as a loop looks at. */
const madeStep = (seqno: number, gen_utime: number): MadeStep =>
  ({ shardBlocks: [], masterchainBlock: { id: { seqno }, info: { gen_utime } } }) as unknown as MadeStep

const seqnoOf = ({ masterchainBlock: { id } }: MadeStep): number => id.seqno

const endings: AbortController[] = []
afterEach(() => {
  for (const ending of endings.splice(0)) ending.abort()
})

interface Trial {
  clock: VirtualClock
  orders: StepOrder[]
  lines: string[]
  ending: AbortController
  /** Most steps that were under way at once. */
  most(): number
}

const start = (options: Partial<BlockLoopOptions> = {}, stepMs = 0, fail: (step: number) => boolean = () => false) => {
  const clock = createVirtualClock()
  const ending = new AbortController()
  endings.push(ending)
  const orders: StepOrder[] = []
  const lines: string[] = []
  let underWay = 0
  let most = 0
  const producer: Producer = {
    step: async (order) => {
      orders.push(order)
      const seqno = orders.length
      most = Math.max(most, ++underWay)
      if (stepMs > 0) await clock.sleep(stepMs)
      underWay--
      if (fail(seqno)) throw new Error('the disk is full')
      return madeStep(seqno, order.now)
    },
  }
  const loop = startBlockLoop({
    producer,
    folder: '/srv/data/dev/chain',
    clock,
    devClock: createDevClock({ last: 100, start: 100, blockMs: 1000, unixMs: clock.now }),
    interval: 400,
    wishes: () => undefined,
    made: () => {},
    signal: ending.signal,
    logger: { ...silentLogger, error: (_, line) => lines.push(line) },
    ...options,
  })
  const trial: Trial = { clock, orders, lines, ending, most: () => most }
  return { loop, ...trial }
}

describe('blocks every so often', () => {
  test('come at their times, whatever each takes', async () => {
    const { clock, orders } = start({}, 150)
    await clock.advance(400 * 5 + 10)
    expect(orders.length).toBe(6)
  })

  test('come one behind the other where they take longer', async () => {
    const { clock, orders, loop, most } = start({}, 1_000)
    const mined = loop.step()
    await clock.advance(4_500)
    expect((await mined).masterchainBlock.id.seqno).toBeLessThan(4)
    expect([orders.length, most()]).toEqual([5, 1])
  })

  test('are tried again after a failure, which is told once', async () => {
    const { clock, orders, lines } = start({}, 0, (step) => step < 4)
    await clock.advance(10_000)
    expect(orders.length).toBeGreaterThan(10)
    expect(lines).toEqual(['no block could be made; it is tried again'])
  })

  test('end at once', async () => {
    const { clock, orders, loop, ending } = start()
    await clock.advance(500)
    ending.abort()
    await loop.ended()
    await clock.advance(5_000)
    expect(orders.length).toBe(2)
    await expect(loop.step()).rejects.toThrow('the network is stopping')
  })
})

describe('waiting for a step', () => {
  test('gives what the first one has', async () => {
    const { clock, loop } = start()
    const found = loop.until((made) => (seqnoOf(made) === 3 ? 'three' : undefined), 'never')
    await clock.advance(2_000)
    expect(await found).toBe('three')
  })

  test('is over when it takes too long, or never comes, or the network ends', async () => {
    const { clock, loop, ending } = start()
    const late = loop.until(() => undefined, 'it may still come').catch(String)
    const refused = loop
      .until(() => {
        throw new Error('refused')
      }, 'late')
      .catch(String)
    await clock.advance(60_000)
    expect([await late, await refused]).toEqual(['TonlithError: it may still come', 'Error: refused'])
    const ended = loop.until(() => undefined, 'late').catch(String)
    await settled()
    ending.abort()
    expect(await ended).toBe('TonlithError: the network is stopping')
  })
})

describe('a full disk', () => {
  const full = () => new TonlithError('unavailable', 'the disk is full: /srv/data/dev/chain cannot grow')
  const shown = { kind: 'unavailable', code: 503, message: 'the disk is full: its folder cannot grow' }

  test('is told at once to those who wait for a block, until blocks are made again', async () => {
    let room = false
    const told: (string | undefined)[] = []
    const step = async ({ now }: StepOrder) => {
      if (!room) throw full()
      return madeStep(1, now)
    }
    const { clock, loop, lines } = start({ producer: { step }, halted: (reason) => told.push(reason) })
    const waited = loop.until((made) => made, 'it may still come').catch((error) => error)
    await clock.advance(1_500)
    expect(await waited).toMatchObject(shown)
    expect(await loop.step().catch((error) => error)).toMatchObject(shown)
    expect([told, lines]).toEqual([[shown.message], ['no block could be made; it is tried again']])
    room = true
    const found = loop.until(seqnoOf, 'it may still come')
    await clock.advance(1_500)
    expect(await found).toBe(1)
    expect(told).toEqual([shown.message, undefined])
  })

  test('is told to those who have blocks made', async () => {
    const { loop } = start({ interval: 'manual', producer: { step: () => Promise.reject(full()) } })
    await expect(loop.until((made) => made, 'it may still come')).rejects.toMatchObject(shown)
    await expect(loop.load(() => [])).rejects.toMatchObject(shown)
  })

  test('other failures keep their words in the log', async () => {
    const { clock, loop } = start({}, 0, () => true)
    const waited = loop.until((made) => made, 'it may still come').catch((error) => error)
    await clock.advance(1_500)
    expect(await waited).toMatchObject({ code: 503, message: 'no block can be made: the log tells why' })
  })
})

describe('blocks on demand', () => {
  test('are made when they are asked for, of every shard', async () => {
    const { clock, orders, loop } = start({ interval: 'manual' })
    await clock.advance(60_000)
    expect(orders.length).toBe(0)
    await loop.step()
    expect(orders.map(({ now, everyShard }) => [now, everyShard])).toEqual([[100, true]])
  })

  test('are made for those who wait for something, as many as it takes', async () => {
    const { orders, loop } = start({ interval: 'manual' })
    expect(await loop.until((made) => (seqnoOf(made) === 4 ? made : undefined), 'late').then(seqnoOf)).toBe(4)
    expect(orders.map(({ now }) => now)).toEqual([100, 101, 102, 103])
    await expect(loop.until(() => undefined, 'never came')).rejects.toThrow('never came')
  })

  test('have accounts put in', async () => {
    const { orders, loop } = start({ interval: 'manual' })
    const address = { workchain: 0, hash: Buffer.alloc(32, 1) }
    const accounts: StepOrder['imports'] = [{ address, account: beginCell().endCell() }]
    await loop.load(() => accounts)
    expect(orders[0]!.imports).toEqual(accounts)
  })
})
