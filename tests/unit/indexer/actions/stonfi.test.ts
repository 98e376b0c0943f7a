import { describe, expect, test } from 'bun:test'
import { classify } from '../../../../src/indexer/classify.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { factsOf, onlyAction, query, storeAccount } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'

const [USER, USER_A, ROUTER_A, ROUTER, POOL, ROUTER_B, USER_B, REFERRER, REFERRER_B] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const
const [ASSET_A, ASSET_B, ASSET_C] = [20, 21, 22] as const
const ROUTER_C = 10

const wallet = (owner: number, jetton: number) => ({
  jetton_wallet: { owner: accountNo(owner), jetton: accountNo(jetton) },
})
const FACTS = factsOf({
  [USER_A]: wallet(USER, ASSET_A),
  [ROUTER_A]: wallet(ROUTER, ASSET_A),
  [ROUTER_B]: wallet(ROUTER, ASSET_B),
  [USER_B]: wallet(USER, ASSET_B),
  [REFERRER_B]: wallet(REFERRER, ASSET_B),
  [ROUTER_C]: wallet(ROUTER, ASSET_C),
})

/** Jettons from one wallet to another, which tells its owner or not. */
const transfer = (
  from: number,
  to: number,
  owner: number,
  amount: bigint,
  payload?: Cell,
  told: readonly MadeMessage[] = [],
): MadeMessage => {
  const asked = storeAccount(storeAccount(query(0x0f8a7ea5).coins(amount), owner), USER)
    .bit(false)
    .coins(1n)
  const given = storeAccount(storeAccount(query(0x178d4519).coins(amount), USER), USER)
    .coins(1n)
    .bit(false)
  const notified = storeAccount(query(0x7362d09c).coins(amount), USER).bit(false)
  const notification = { to: owner, body: notified.endCell(), sends: told }
  return {
    to: from,
    body: (payload ? asked.bit(true).ref(payload) : asked.bit(false)).endCell(),
    sends: [{ to, body: given.endCell(), sends: told.length > 0 ? [notification] : [] }],
  }
}

describe('a swap on STON.fi', () => {
  const request = (owner: number, code: number, amount: bigint, paid: MadeMessage): MadeMessage => {
    const params = storeAccount(storeAccount(beginCell().coins(0n), ROUTER_A).coins(amount), ROUTER_B).endCell()
    return {
      to: ROUTER,
      body: storeAccount(query(0xf93bb43f), owner).uint(code, 32).ref(params).endCell(),
      sends: [paid],
    }
  }
  const swap = (requests: readonly MadeMessage[]) => {
    const addrs = storeAccount(beginCell(), USER).endCell()
    const asked = storeAccount(storeAccount(query(0x25938561), USER), ROUTER_A)
      .coins(100n)
      .coins(1n)
      .bit(false)
    const pool = { to: POOL, body: asked.ref(addrs).endCell(), sends: requests }
    const said = storeAccount(storeAccount(beginCell().uint(0x25938561, 32), ROUTER_B).coins(1n), USER).bit(false)
    return madeTrace({ to: USER, sends: [transfer(USER_A, ROUTER_A, ROUTER, 100n, said.endCell(), [pool])] })
  }
  const toUser = request(USER, 0xc64370e5, 80n, transfer(ROUTER_B, USER_B, USER, 80n))
  const toReferrer = (code: number) => request(REFERRER, code, 5n, transfer(ROUTER_B, REFERRER_B, REFERRER, 5n))

  test('leaves what a referrer is paid beside it', () => {
    const trace = swap([toReferrer(0x45078540), toUser])
    const { content, columns, success } = onlyAction(trace, FACTS, 'jetton_swap')
    expect(success).toBe(true)
    expect(content.details).toMatchObject({
      asset_in: accountNo(ASSET_A),
      asset_out: accountNo(ASSET_B),
      dex_outgoing_transfer: {
        amount: 80n,
        destination: accountNo(USER),
        destination_jetton_wallet: accountNo(USER_B),
      },
    })
    expect(columns.destination_secondary).toEqual(accountNo(ROUTER_B))
    expect(onlyAction(trace, FACTS, 'jetton_transfer').content.details).toMatchObject({ amount: 5n })
  })

  test('takes in all payments with its own code: the main one is that to whoever swaps', () => {
    for (const requests of [
      [toReferrer(0xc64370e5), toUser],
      [toUser, toReferrer(0xc64370e5)],
    ]) {
      const trace = swap(requests)
      expect(onlyAction(trace, FACTS, 'jetton_swap').content.details).toMatchObject({
        dex_outgoing_transfer: { amount: 80n, destination: accountNo(USER) },
      })
      expect(classify(trace, FACTS).actions).toHaveLength(1)
    }
  })

  test('that the pool refuses gives back what it was given', () => {
    const refused = request(USER, 0x38976e9b, 100n, transfer(ROUTER_A, USER_A, USER, 100n))
    const { content, success } = onlyAction(swap([refused]), FACTS, 'jetton_swap')
    expect(success).toBe(false)
    expect(content.details).toMatchObject({
      asset_out: accountNo(ASSET_B),
      dex_outgoing_transfer: { amount: 100n, asset: accountNo(ASSET_A) },
    })
  })
})

describe('a swap on STON.fi v2', () => {
  const SWAP = 0x6664de2a
  /** What a pool is asked for, and what is to be done with it. */
  const crossSwap = (next?: Cell): Cell => {
    const body = storeAccount(beginCell().coins(1n), USER).coins(0n)
    const custom = next ? body.bit(true).ref(next) : body.bit(false)
    return custom.coins(0n).bit(false).uint(0, 16).uint(0, 2).endCell()
  }
  const order = (wallet: number, next?: Cell): Cell =>
    storeAccount(storeAccount(storeAccount(beginCell().uint(SWAP, 32), wallet), USER), USER)
      .uint(9, 64)
      .ref(crossSwap(next))
      .endCell()
  const hop = (wallet: number, next: Cell | undefined, code: number, paid: bigint, sends: readonly MadeMessage[]) => {
    const swap = storeAccount(query(SWAP), USER).coins(100n).coins(0n).ref(order(wallet, next)).endCell()
    const info = storeAccount(beginCell().coins(0n).coins(paid), ROUTER_B).coins(0n)
    const told = storeAccount(storeAccount(storeAccount(query(0x657b54f5), USER), USER), USER).uint(code, 32)
    const pay = told.bit(false).ref(storeAccount(info, ROUTER_A).endCell()).endCell()
    return { to: POOL, body: swap, sends: [{ to: ROUTER, body: pay, sends }] }
  }
  const OK = 0xc64370e5
  const REFUSED = 0x5ffe1295
  const trace = (first: MadeMessage) =>
    madeTrace({
      to: USER,
      sends: [transfer(USER_A, ROUTER_A, ROUTER, 100n, order(ROUTER_B, order(ROUTER_C)), [first])],
    })

  test('that fails in the first of two pools was to give what the last one gives', () => {
    const back = transfer(ROUTER_A, USER_A, USER, 100n)
    const { content, columns, success } = onlyAction(
      trace(hop(ROUTER_B, order(ROUTER_C), REFUSED, 100n, [back])),
      FACTS,
      'jetton_swap',
    )
    expect(success).toBe(false)
    expect(content.details).toMatchObject({
      asset_in: accountNo(ASSET_A),
      asset_out: accountNo(ASSET_C),
      dex_outgoing_transfer: { asset: accountNo(ASSET_A), amount: 100n },
      peer_swaps: [],
    })
    expect(columns.destination_secondary).toEqual(accountNo(USER_A))
  })

  test('that fails in the second pool gives what the first one gave', () => {
    const back = transfer(ROUTER_B, USER_B, USER, 50n)
    const second = hop(ROUTER_C, undefined, REFUSED, 50n, [back])
    const { content, success } = onlyAction(
      trace(hop(ROUTER_B, order(ROUTER_C), OK, 50n, [second])),
      FACTS,
      'jetton_swap',
    )
    expect(success).toBe(false)
    expect(content.details).toMatchObject({
      asset_out: accountNo(ASSET_C),
      dex_outgoing_transfer: { asset: accountNo(ASSET_B), amount: 50n },
      peer_swaps: [],
    })
  })

  test('through two pools tells of both', () => {
    const paid = transfer(ROUTER_B, USER_B, USER, 40n)
    const second = hop(ROUTER_B, undefined, OK, 40n, [paid])
    const asked = hop(ROUTER_C, order(ROUTER_B), OK, 60n, [second])
    const { content, success } = onlyAction(trace(asked), FACTS, 'jetton_swap')
    expect(success).toBe(true)
    expect(content.details).toMatchObject({
      asset_out: accountNo(ASSET_B),
      peer_swaps: [
        { asset_in: accountNo(ASSET_A), amount_in: 100n, asset_out: accountNo(ASSET_C), amount_out: 60n },
        { asset_in: accountNo(ASSET_C), amount_in: 60n, asset_out: accountNo(ASSET_B), amount_out: 40n },
      ],
    })
  })
})
