import { describe, expect, test } from 'bun:test'
import type { KnownAccount } from '../../../../src/model/known-account.ts'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { factsOf, onlyAction, query, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'
import { madeTransfer } from '../../../support/made-transfer.ts'

const [USER, VAULT, FACTORY, DEPOSITORY, POOL, LP_WALLET, MEV] = [1, 2, 3, 4, 5, 6, 7] as const
const [VAULT_JETTON, VAULT_WALLET, USER_WALLET, JETTON, USER_LP] = [10, 11, 12, 20, 13] as const

const wallet = (owner: number, jetton: number): KnownAccount => ({
  jetton_wallet: { owner: accountNo(owner), jetton: accountNo(jetton) },
})
const FACTS = factsOf({
  [VAULT_WALLET]: wallet(VAULT_JETTON, JETTON),
  [USER_WALLET]: wallet(USER, JETTON),
  [USER_LP]: wallet(USER, POOL),
})

const EMPTY = beginCell().endCell()
const ton = (builder: Builder): Builder => builder.uint(0, 2)
const jetton = (builder: Builder): Builder => builder.uint(1, 2).int(0, 8).bytes(accountNo(JETTON).hash)

const payout = (vault: number, amount: bigint, sends: readonly MadeMessage[]): MadeMessage => ({
  to: vault,
  body: storeAccount(query(0xc0ffee21), USER).coins(amount).bit(false).bit(false).endCell(),
  sends,
})
const tonPaid = (value: bigint): MadeMessage => ({ to: USER, value, body: query(0xc0ffee32).endCell() })
const jettonsPaid = (amount: bigint): MadeMessage =>
  madeTransfer({
    sender: VAULT_JETTON,
    senderWallet: VAULT_WALLET,
    receiverWallet: USER_WALLET,
    receiver: USER,
    amount,
  })

test('a deposit of more than the pool takes gives back the rest', () => {
  const params = storeAccount(storeAccount(beginCell(), USER).bit(false), USER)
    .uint(0, 32)
    .uint(0, 2)
    .bit(false)
    .bit(false)
  const pool = jetton(ton(beginCell())).uint(0, 3).bit(false)
  const deposit = (builder: Builder): Builder => builder.ref(params.endCell()).ref(pool.endCell())
  const event: MadeMessage = {
    to: null,
    body: query(0xc0ffee33).coins(1n).coins(2n).coins(9n).coins(0n).coins(9n).coins(1n).coins(2n).endCell(),
  }
  const minted: MadeMessage = {
    to: LP_WALLET,
    body: storeAccount(storeAccount(query(0x178d4519).coins(9n), POOL), USER)
      .coins(0n)
      .bit(false)
      .endCell(),
  }
  const all: MadeMessage = {
    to: POOL,
    body: storeAccount(query(0xc0ffee29).coins(1n).coins(2n), USER).ref(params.endCell()).ref(EMPTY).endCell(),
    sends: [event, minted, payout(VAULT, 30n, [tonPaid(35n)])],
  }
  const trace = madeTrace({
    to: USER,
    sends: [
      {
        to: VAULT,
        value: 120n,
        body: deposit(query(0xc0ffee04).coins(100n)).endCell(),
        sends: [
          {
            to: FACTORY,
            body: storeAccount(deposit(query(0xc0ffee27).coins(100n)), USER)
              .ref(EMPTY)
              .endCell(),
            sends: [
              { to: DEPOSITORY, body: query(0xc0ffee22).ref(EMPTY).ref(EMPTY).bit(false).endCell(), sends: [all] },
            ],
          },
        ],
      },
    ],
  })
  const { success, content, transactions } = onlyAction(trace, FACTS, 'dex_deposit_liquidity')
  expect(success).toBe(true)
  expect(transactions).toHaveLength(8)
  expect(content.details).toMatchObject({
    asset_1: null,
    amount_1: 100n,
    target_asset_2: accountNo(JETTON),
    lp_tokens_minted: 9n,
    vault_excesses: [{ asset: null, amount: 35n }],
  })
})

describe('a withdrawal', () => {
  const withdrawn = (amounts: readonly [bigint, bigint] | undefined, sends: readonly MadeMessage[]) => {
    const told = (builder: Builder): Builder => storeAccount(builder.coins(9n), USER)
    const event: MadeMessage[] = amounts
      ? [
          {
            to: null,
            body: query(0xc0ffee35)
              .coins(amounts[0])
              .coins(amounts[1])
              .coins(9n)
              .coins(9n)
              .coins(0n)
              .coins(0n)
              .coins(0n)
              .endCell(),
          },
        ]
      : []
    const burnt = { to: POOL, body: storeAccount(told(query(0x7bdd97de)), USER).endCell(), sends: [...event, ...sends] }
    const burn = told(query(0x595f07bc)).bit(false)
    return madeTrace({ to: USER, sends: [{ to: USER_LP, body: burn.endCell(), sends: [burnt] }] })
  }

  test('has its payouts in the order of the pool, with the amounts that it tells', () => {
    const trace = withdrawn(
      [70n, 50n],
      [payout(VAULT, 70n, [tonPaid(75n)]), payout(VAULT_JETTON, 50n, [jettonsPaid(50n)])],
    )
    const { success, content, columns } = onlyAction(trace, FACTS, 'dex_withdraw_liquidity')
    expect(success).toBe(true)
    expect(columns).toMatchObject({ destination: accountNo(POOL), asset: accountNo(POOL) })
    expect(content.details).toMatchObject({
      asset_1: null,
      amount_1: 70n,
      user_jetton_wallet_1: accountNo(USER),
      asset_2: accountNo(JETTON),
      amount_2: 50n,
      user_jetton_wallet_2: accountNo(USER_WALLET),
      lp_tokens_burnt: 9n,
    })
  })

  test('that the pool did not tell of has failed', () => {
    const sends = [payout(VAULT_JETTON, 50n, [jettonsPaid(50n)]), payout(VAULT, 70n, [tonPaid(75n)])]
    expect(onlyAction(withdrawn(undefined, sends), FACTS, 'dex_withdraw_liquidity')).toMatchObject({ success: false })
    expect(toldTypes(withdrawn([1n, 2n], sends.slice(1)), FACTS)).toContain('jetton_burn')
  })
})

describe('funds held for a swap', () => {
  const held = query(0x6bc79e7e).endCell()

  test('with the fee that is paid beside', () => {
    const fee: MadeMessage = { to: 8, value: 1n, body: beginCell().uint(0xc0ffeea0, 32).endCell() }
    const trace = madeTrace({ to: USER, sends: [{ to: MEV, value: 90n, body: held }, fee] })
    const { content, transactions } = onlyAction(trace, FACTS, 'coffee_mev_protect_hold_funds')
    expect(content.details).toMatchObject({ source: accountNo(USER), asset: null, amount: 90n })
    expect(transactions).toHaveLength(3)
  })

  test('in jettons', () => {
    const of = { sender: VAULT_JETTON, senderWallet: VAULT_WALLET, receiverWallet: USER_WALLET, receiver: USER }
    const trace = madeTrace({ to: VAULT_JETTON, sends: [madeTransfer({ ...of, amount: 5n, payload: held })] })
    expect(onlyAction(trace, FACTS, 'coffee_mev_protect_hold_funds').content.details).toEqual({
      source: accountNo(VAULT_JETTON),
      source_jetton_wallet: accountNo(VAULT_WALLET),
      mev_contract: accountNo(USER),
      mev_contract_jetton_wallet: accountNo(USER_WALLET),
      asset: accountNo(JETTON),
      amount: 5n,
    })
  })

  test('are for whom the failure names', () => {
    const failed = storeAccount(query(0xee51ce51), USER).endCell()
    const trace = madeTrace({ to: MEV, sends: [{ to: VAULT, body: failed }] })
    expect(onlyAction(trace, FACTS, 'coffee_mev_protect_failed_swap').columns).toMatchObject({
      source: accountNo(MEV),
      destination: accountNo(USER),
    })
    const odd = madeTrace({ to: MEV, sends: [{ to: VAULT, body: query(0xee51ce51).endCell() }] })
    expect(onlyAction(odd, FACTS, 'coffee_mev_protect_failed_swap').columns).toMatchObject({
      destination: accountNo(VAULT),
    })
  })
})
