import { describe, expect, test } from 'bun:test'
import { readToncoOtherWallet, readToncoTarget } from '../../../../src/contracts/tonco-messages.ts'
import type { KnownAccount } from '../../../../src/model/known-account.ts'
import { tryParseAddress } from '../../../../src/ton/address.ts'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { factsOf, onlyAction, query, storeAccount } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'
import { madeTransfer } from '../../../support/made-transfer.ts'

const [USER, ROUTER, POOL, ACCOUNT, POSITION] = [1, 2, 3, 4, 5] as const
/** Wallets of two jettons, of the router and of the user. */
const [ROUTER_A, ROUTER_B, USER_A, USER_B, ROUTER_TON] = [10, 11, 12, 13, 14] as const
const [A, B] = [20, 21] as const

const wallet = (owner: number, jetton: number): KnownAccount => ({
  jetton_wallet: { owner: accountNo(owner), jetton: accountNo(jetton) },
})
const PTON = tryParseAddress('0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C')!
const FACTS = factsOf({
  [ROUTER_A]: wallet(ROUTER, A),
  [ROUTER_B]: wallet(ROUTER, B),
  [USER_A]: wallet(USER, A),
  [USER_B]: wallet(USER, B),
  [ROUTER_TON]: { jetton_wallet: { owner: accountNo(ROUTER), jetton: PTON } },
})

const EMPTY = beginCell().endCell()
const payOut = (exit_code: number, amount0: bigint, amount1: bigint, sends: readonly MadeMessage[]): MadeMessage => {
  const coins = storeAccount(storeAccount(beginCell().coins(amount0), ROUTER_A).coins(amount1), ROUTER_B)
  const told = storeAccount(storeAccount(query(0xa1daa96d), USER), USER)
    .uint(exit_code, 32)
    .uint(0n, 64)
  return { to: ROUTER, body: told.bit(true).ref(coins.endCell()).bit(false).endCell(), sends }
}
const paidA = (amount: bigint): MadeMessage =>
  madeTransfer({ sender: ROUTER, senderWallet: ROUTER_A, receiverWallet: USER_A, receiver: USER, amount })
const paidB = (amount: bigint): MadeMessage =>
  madeTransfer({ sender: ROUTER, senderWallet: ROUTER_B, receiverWallet: USER_B, receiver: USER, amount })
const givenA = (amount: bigint, payload: Cell, sends: readonly MadeMessage[]) =>
  madeTrace({
    to: USER,
    sends: [
      madeTransfer({
        sender: USER,
        senderWallet: USER_A,
        receiverWallet: ROUTER_A,
        receiver: ROUTER,
        amount,
        payload,
        sends,
      }),
    ],
  })

const step = (target: number, min_out: bigint, next?: Cell): Cell => {
  const asked = storeAccount(storeAccount(beginCell().uint(0xa7fb58f8, 32), target).uint(0n, 160).coins(min_out), USER)
  return (next ? asked.bit(true).ref(next) : asked.bit(false)).endCell()
}

describe('a swap', () => {
  const swap = (sends: readonly MadeMessage[], payload = step(ROUTER_B, 9n)) => {
    const params = beginCell().coins(100n).uint(0n, 160).coins(9n).endCell()
    const payloads = storeAccount(beginCell(), USER).coins(0n).bit(false).coins(0n).bit(false).endCell()
    const asked = storeAccount(storeAccount(query(0xa7fb58f8), USER), ROUTER_A)
      .ref(params)
      .ref(payloads)
    return givenA(100n, payload, [{ to: POOL, body: asked.endCell(), sends }])
  }

  test('that gives back a rest', () => {
    const { success, content, columns, transactions } = onlyAction(
      swap([payOut(200, 30n, 7n, [paidA(30n), paidB(7n)])]),
      FACTS,
      'jetton_swap',
    )
    expect(success).toBe(true)
    expect(columns).toMatchObject({ asset: accountNo(A), asset2: accountNo(B) })
    expect(content.details).toMatchObject({
      asset_out: accountNo(B),
      dex_outgoing_transfer: { asset: accountNo(B), amount: 7n },
      min_out_amount: 7n,
      peer_swaps: [],
    })
    expect(transactions).toHaveLength(12)
  })

  test('that fails tells what was asked for', () => {
    const failed = onlyAction(swap([payOut(77, 100n, 0n, [paidA(100n)])]), FACTS, 'jetton_swap')
    expect(failed.success).toBe(false)
    expect(failed.content.details).toMatchObject({
      asset_in: accountNo(A),
      asset_out: accountNo(B),
      dex_outgoing_transfer: { asset: accountNo(A), amount: 100n },
      min_out_amount: 9n,
    })
    const further = swap([payOut(77, 100n, 0n, [paidA(100n)])], step(ROUTER_B, 9n, step(ROUTER_TON, 4n)))
    expect(onlyAction(further, FACTS, 'jetton_swap').content.details).toMatchObject({
      asset_out: null,
      min_out_amount: 4n,
    })
    const untold = swap([payOut(77, 100n, 0n, [paidA(100n)])], EMPTY)
    expect(onlyAction(untold, FACTS, 'jetton_swap').content.details).toMatchObject({ asset_out: accountNo(A) })
  })
})

describe('a deposit', () => {
  const fund = (builder: Builder, amount0: bigint, amount1: bigint): Builder =>
    builder.coins(amount0).coins(amount1).coins(50n).coins(60n).uint(8n, 128).int(-5n, 24).int(5n, 24)
  const payload = (other: number) => storeAccount(beginCell().uint(0x4468de77, 32), other).coins(0n).coins(0n).endCell()
  const deposit = (amount0: bigint, amount1: bigint, sends: readonly MadeMessage[], other: number = ROUTER_B) =>
    givenA(100n, payload(other), [
      {
        to: POOL,
        body: fund(storeAccount(query(0x4468de77), USER), amount0, amount1).endCell(),
        sends: [{ to: ACCOUNT, body: fund(query(0x3ebe5431), amount0, amount1).endCell(), sends }],
      },
    ])
  const mint = (sends: readonly MadeMessage[]): MadeMessage => {
    const told = storeAccount(query(0x81702ef8).coins(1n).coins(2n), USER).uint(8n, 128).int(-5n, 24).int(5n, 24)
    return { to: POOL, body: told.endCell(), sends }
  }
  const init: MadeMessage = {
    to: POSITION,
    body: storeAccount(query(0xd5ecca2a), USER)
      .uint(7n, 128)
      .int(-5n, 24)
      .int(5n, 24)
      .uint(108n, 64)
      .ref(beginCell().uint(0n, 256).uint(0n, 256).uint(33n, 64).endCell())
      .endCell(),
  }

  test('of the second asset stands first, its wallet and the targets in the order of the pool', () => {
    const { content, columns } = onlyAction(deposit(0n, 100n, []), FACTS, 'dex_deposit_liquidity')
    expect(columns).toMatchObject({ source_secondary: accountNo(USER_A), destination_secondary: accountNo(ACCOUNT) })
    expect(content.details).toMatchObject({
      asset_1: accountNo(A),
      amount_1: 100n,
      asset_2: null,
      amount_2: null,
      user_jetton_wallet_1: null,
      user_jetton_wallet_2: accountNo(USER_A),
      target_asset_1: accountNo(B),
      target_asset_2: accountNo(A),
      target_amount_1: 50n,
      target_amount_2: 60n,
      lp_tokens_minted: null,
    })
  })

  test('with TON as the other asset', () => {
    const { content } = onlyAction(deposit(100n, 0n, [], ROUTER_TON), FACTS, 'dex_deposit_liquidity')
    expect(content.details).toMatchObject({
      user_jetton_wallet_1: accountNo(USER_A),
      target_asset_1: accountNo(A),
      target_asset_2: null,
    })
  })

  test('makes a position, or gives back what it was given', () => {
    const made = onlyAction(deposit(100n, 0n, [mint([init])]), FACTS, 'dex_deposit_liquidity')
    expect(made.content.details).toMatchObject({
      lp_tokens_minted: 7n,
      nft_index: 33n,
      nft_address: accountNo(POSITION),
    })
    const refund = payOut(0, 100n, 40n, [paidA(100n), paidB(40n)])
    const { content, transactions } = onlyAction(deposit(100n, 0n, [mint([refund])]), FACTS, 'dex_deposit_liquidity')
    expect(content.details).toMatchObject({
      lp_tokens_minted: null,
      nft_index: null,
      vault_excesses: [
        { asset: accountNo(A), amount: 100n },
        { asset: accountNo(B), amount: 40n },
      ],
    })
    expect(transactions).toHaveLength(14)
  })
})

test('a withdrawal of a position that holds one asset only', () => {
  const burn = (opcode: number) => storeAccount(query(opcode), USER)
  const growth = beginCell().uint(0n, 256).uint(0n, 256).endCell()
  const told = burn(0xd73ac09d)
    .uint(33n, 64)
    .uint(8n, 128)
    .int(-5n, 24)
    .int(5n, 24)
    .uint(6n, 128)
    .ref(growth)
    .ref(growth)
  const item = burn(0x46ca335a).uint(8n, 128).int(-5n, 24).int(5n, 24).ref(growth)
  const asked = query(0x530b5f2c).uint(33n, 64).uint(6n, 128).int(-5n, 24).int(5n, 24)
  const payout = payOut(201, 0n, 44n, [paidB(44n)])
  const pool: MadeMessage = { to: POOL, body: told.endCell(), sends: [payout] }
  const trace = madeTrace({
    to: USER,
    sends: [{ to: POOL, body: asked.endCell(), sends: [{ to: POSITION, body: item.endCell(), sends: [pool] }] }],
  })
  const { success, content } = onlyAction(trace, FACTS, 'dex_withdraw_liquidity')
  expect(success).toBe(true)
  expect(content.details).toMatchObject({
    asset_1: accountNo(A),
    amount_1: 0n,
    user_jetton_wallet_1: null,
    asset_2: accountNo(B),
    amount_2: 44n,
    user_jetton_wallet_2: accountNo(USER_B),
    lp_tokens_burnt: 6n,
  })
})

test('payloads of other kinds name nothing', () => {
  expect(readToncoTarget(EMPTY)).toBeUndefined()
  expect(readToncoOtherWallet(step(ROUTER_A, 1n))).toBeUndefined()
  expect(readToncoTarget(step(ROUTER_A, 1n, EMPTY))).toEqual({ wallet: accountNo(ROUTER_A), min_out_amount: 1n })
  let nested = step(ROUTER_A, 1n)
  for (let depth = 0; depth < 1000; depth++) nested = step(ROUTER_B, 2n, nested)
  expect(readToncoTarget(nested)).toEqual({ wallet: accountNo(ROUTER_B), min_out_amount: 2n })
})
