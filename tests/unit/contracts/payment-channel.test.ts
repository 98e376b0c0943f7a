import { describe, expect, test } from 'bun:test'
import { readPaymentChannel } from '../../../src/contracts/payment-channel.ts'
import { type Builder, beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { failureOf } from '../../support/failure.ts'

const ALICE = Buffer.alloc(32, 0x11)
const BOB = Buffer.alloc(32, 0x22)
const INIT = 0
const CLOSE = 1
const PAYOUT = 2

const std = (hash: Buffer, workchain = 0): Cell =>
  beginCell().uint(2, 2).bit(false).int(workchain, 8).bytes(hash).endCell()

const config = (alice = std(ALICE), bob = std(BOB, -1), channel = 5n): Builder =>
  beginCell().uint(3, 32).int(-1, 32).bytes(ALICE).bytes(BOB).ref(alice).ref(bob).uint(channel, 64).coins(9n)

const open = (tag: number): Builder =>
  beginCell().uint(tag, 3).bit(true).bit(false).coins(1n).coins(2n).uint(0xffffffff, 32).coins(3n).coins(4n)
const payout = (): Builder => beginCell().uint(PAYOUT, 3).coins(5n).coins(6n)

const channel = (state = open(INIT).endCell(), terms = config().endCell()): Cell =>
  beginCell().ref(terms).ref(state).endCell()
const read = (data: Cell) => readPaymentChannel(beginParse(data))

describe('the terms', () => {
  test('are read from the configuration', () => {
    expect(read(channel()).config).toEqual({
      alice_public_key: 'PuYREREREREREREREREREREREREREREREREREREREREREQXt',
      alice_address: { workchain: 0, hash: ALICE },
      bob_public_key: 'PuYiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIn48',
      bob_address: { workchain: -1, hash: BOB },
      init_timeout: 3,
      close_timeout: -1,
      channel_id: 5n,
    })
  })

  test('show a channel id beyond int64 as negative', () => {
    const terms = config(undefined, undefined, (1n << 64n) - 2n).endCell()
    expect(read(channel(undefined, terms)).config.channel_id).toBe(-2n)
  })

  test('may name no account', () => {
    const none = beginCell().uint(0, 2).endCell()
    const extern = beginCell().uint(1, 2).uint(8, 9).uint(7, 8).endCell()
    const read_ = read(channel(undefined, config(none, extern).endCell())).config
    expect(read_.alice_address).toBeUndefined()
    expect(read_.bob_address).toBeUndefined()
  })
})

describe('the state', () => {
  const amounts = { signed_A: true, signed_B: false, min_A: 1n, min_B: 2n, expire_at: 0xffffffffn, A: 3n, B: 4n }

  test('of the first phase has every field in its place', () => {
    expect(read(channel()).state).toEqual({ _: 'pchan.stateInit', ...amounts })
  })

  test('of the closing phase has every field in its place', () => {
    expect(read(channel(open(CLOSE).endCell())).state).toEqual({ _: 'pchan.stateClose', ...amounts })
  })

  test('of the payout has two amounts', () => {
    expect(read(channel(payout().endCell())).state).toEqual({ _: 'pchan.statePayout', A: 5n, B: 6n })
  })
})

describe('malformed data', () => {
  const none = beginCell().endCell()
  const cases: Record<string, Cell> = {
    'no references': none,
    'one reference': beginCell().ref(config().endCell()).endCell(),
    'a third reference': beginCell().ref(config().endCell()).ref(payout().endCell()).ref(none).endCell(),
    'bits of its own': beginCell().bit(true).ref(config().endCell()).ref(payout().endCell()).endCell(),
    'an unknown state': channel(open(3).endCell()),
    'an empty state': channel(none),
    'a state with more behind': channel(payout().bit(false).endCell()),
    'a configuration with more behind': channel(undefined, config().bit(false).endCell()),
    'a configuration without addresses': channel(undefined, beginCell().uint(0, 660).endCell()),
    'an address cell without an address': channel(undefined, config(none).endCell()),
  }
  for (const [name, data] of Object.entries(cases))
    test(`${name}`, () => expect(failureOf(() => read(data))).toBe('malformed'))
})
