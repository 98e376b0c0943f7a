import { describe, expect, test } from 'bun:test'
import { evaaAsset } from '../../../../src/indexer/actions/evaa-assets.ts'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { factsOf, onlyAction, query, saying, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'
import { madeTransfer } from '../../../support/made-transfer.ts'

const [OWNER, MASTER, USER, OTHER, OWNER_WALLET, MASTER_WALLET, JETTON] = [1, 2, 3, 4, 5, 6, 7] as const
const TON_ID = 0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8an
const USDT_ID = 0xca9006bd3fb03d355daeeff93b24be90afaa6e3ca0073ff5720f8a852c933278n

const FACTS = factsOf({
  [MASTER_WALLET]: { jetton_wallet: { owner: accountNo(MASTER), jetton: accountNo(JETTON) } },
  [OWNER_WALLET]: { jetton_wallet: { owner: accountNo(OWNER), jetton: accountNo(JETTON) } },
})

const EMPTY = beginCell().endCell()

/** A command to the contract of a user, with code or without. */
const command = (opcode: number, withCode = false): Builder => {
  const header = beginCell().coins(6n)
  return (withCode ? header.bit(true).ref(EMPTY) : header.bit(false)).uint(3, 2).uint(opcode, 32).uint(7n, 64)
}
const user = (opcode: number, sends: readonly MadeMessage[] = [], body = command(opcode)): MadeMessage => ({
  to: USER,
  body: body.endCell(),
  sends,
})
const word = (comment: string): MadeMessage => ({ to: OWNER, value: 3n, body: saying(comment) })
const toMaster = (body: Cell, sends: readonly MadeMessage[] = []): MadeMessage => ({ to: MASTER, body, sends })
const began = (message: MadeMessage) => madeTrace({ to: OWNER, sends: [message] })
const refund = (payload?: Cell): MadeMessage =>
  madeTransfer({
    sender: MASTER,
    senderWallet: MASTER_WALLET,
    receiverWallet: OWNER_WALLET,
    receiver: OWNER,
    amount: 40n,
    ...(payload ? { payload } : {}),
  })

describe('a supply', () => {
  const supplied = (amount: bigint) =>
    storeAccount(query(0x11a), OWNER).uint(TON_ID, 256).uint(amount, 64).uint(0, 48).endCell()
  const asked = storeAccount(query(1).uint(3, 2).uint(100n, 64), OTHER).uint(0n, 64).ref(EMPTY).endCell()
  const taken = command(0x11, true).uint(TON_ID, 256).uint(100n, 64)

  test('of TON for another', () => {
    const done = toMaster(asked, [user(0x11, [toMaster(supplied(99n), [word('EVAA supply.')])], taken)])
    const { success, content, columns, transactions } = onlyAction(began(done), FACTS, 'evaa_supply')
    expect(success).toBe(true)
    expect(transactions).toHaveLength(5)
    expect(columns).toMatchObject({ source: accountNo(OWNER), destination: accountNo(OTHER), amount: 99n })
    expect(content.details).toEqual({
      sender_jetton_wallet: null,
      recipient_jetton_wallet: null,
      master_jetton_wallet: null,
      master: accountNo(MASTER),
      asset_id: `0x${TON_ID.toString(16)}`,
      is_ton: true,
      source: accountNo(OWNER),
      source_wallet: null,
      recipient: accountNo(OTHER),
      recipient_contract: accountNo(USER),
      asset: null,
      amount: 99n,
    })
  })

  test('that is refused', () => {
    const refused = toMaster(asked, [user(0x11, [toMaster(query(0x11f).endCell())], taken)])
    expect(onlyAction(began(refused), FACTS, 'evaa_supply')).toMatchObject({
      success: false,
      columns: { amount: 100n },
    })
    const crashed = { ...toMaster(supplied(99n)), aborted: true }
    const ended = began(toMaster(asked, [user(0x11, [crashed], taken)]))
    expect(onlyAction(ended, FACTS, 'evaa_supply').success).toBe(false)
  })

  test('that has no end yet is what its messages are', () => {
    expect(toldTypes(began(toMaster(asked, [user(0x11, [], taken)])), FACTS)).toEqual([
      'call_contract',
      'call_contract',
    ])
    expect(toldTypes(began({ to: 9, body: asked }), FACTS)).toEqual(['call_contract'])
    expect(toldTypes(began(toMaster(beginCell().uint(1, 32).endCell(), [user(0x12)])), FACTS)).toHaveLength(2)
  })

  test('of jettons, for oneself and for another', () => {
    const of = (recipient: number) =>
      began(
        madeTransfer({
          sender: OWNER,
          senderWallet: OWNER_WALLET,
          receiverWallet: MASTER_WALLET,
          receiver: MASTER,
          amount: 40n,
          payload: storeAccount(beginCell().uint(1, 32).uint(3, 2), recipient).endCell(),
          sends: [user(0x11, [toMaster(supplied(40n))], command(0x11).uint(USDT_ID, 256).uint(40n, 64))],
        }),
      )
    const own = onlyAction(of(OWNER), FACTS, 'evaa_supply')
    expect(own.columns).toMatchObject({
      source_secondary: accountNo(OWNER_WALLET),
      destination_secondary: accountNo(USER),
      asset: accountNo(JETTON),
    })
    expect(own.content.details).toMatchObject({
      sender_jetton_wallet: accountNo(OWNER_WALLET),
      recipient_jetton_wallet: accountNo(OWNER_WALLET),
      master_jetton_wallet: accountNo(MASTER_WALLET),
      asset_id: `0x${USDT_ID.toString(16)}`,
      is_ton: false,
    })
    expect(onlyAction(of(OTHER), FACTS, 'evaa_supply').content.details).toMatchObject({
      recipient: accountNo(OTHER),
      recipient_jetton_wallet: null,
    })
  })
})

describe('a withdrawal', () => {
  const asking = (asset_id: bigint, sends: readonly MadeMessage[]) => {
    const body = storeAccount(query(2).uint(asset_id, 256).uint(100n, 64), OTHER).uint(3, 2).ref(EMPTY).endCell()
    return began(toMaster(body, [user(0x21, sends)]))
  }
  const collateralized = (sends: readonly MadeMessage[]) =>
    toMaster(storeAccount(query(0x211), OWNER).uint(TON_ID, 256).uint(98n, 64).endCell(), sends)
  const done = user(0x211a, [word('EVAA withdraw.')])
  const paidTon: MadeMessage = { to: OTHER, value: 98n, body: query(0x211a).ref(EMPTY).endCell() }

  test('of TON and of jettons', () => {
    const ton = onlyAction(asking(TON_ID, [collateralized([paidTon, done])]), FACTS, 'evaa_withdraw')
    expect(ton).toMatchObject({ success: true, columns: { amount: 98n, asset: null } })
    const jettons = onlyAction(asking(USDT_ID, [collateralized([done, refund()])]), FACTS, 'evaa_withdraw')
    expect(jettons.content.details).toEqual({
      recipient_jetton_wallet: accountNo(OWNER_WALLET),
      master_jetton_wallet: accountNo(MASTER_WALLET),
      master: accountNo(MASTER),
      fail_reason: null,
      asset_id: `0x${USDT_ID.toString(16)}`,
      source: accountNo(OWNER),
      recipient: accountNo(OTHER),
      owner_contract: accountNo(USER),
      asset: accountNo(JETTON),
      amount: 98n,
    })
  })

  test('is none where something else is paid, or nothing yet', () => {
    expect(toldTypes(asking(TON_ID, [collateralized([done, refund()])]), FACTS)).not.toContain('evaa_withdraw')
    expect(toldTypes(asking(USDT_ID, [collateralized([paidTon, done])]), FACTS)).not.toContain('evaa_withdraw')
    expect(toldTypes(asking(USDT_ID, [collateralized([])]), FACTS)).not.toContain('evaa_withdraw')
  })

  test.each([
    [0x21e6, 'withdraw_locked_excess'],
    [0x21e7, 'withdraw_not_collateralized_excess'],
    [0x21e8, 'withdraw_missing_prices_excess'],
    [0x21ec, 'withdraw_execution_crashed'],
  ])('that the contract of the user refuses with %p', (opcode, fail_reason) => {
    const refused = asking(USDT_ID, [{ to: OWNER, body: query(opcode).endCell() }])
    const { success, content } = onlyAction(refused, FACTS, 'evaa_withdraw')
    expect(success).toBe(false)
    expect(content.details).toMatchObject({ fail_reason, amount: 100n, asset: null, recipient_jetton_wallet: null })
  })

  test('that the master cannot pay', () => {
    const undone = user(0x211f, [{ to: OWNER, body: query(0x211fe8).endCell() }])
    const { success, content } = onlyAction(asking(TON_ID, [collateralized([undone])]), FACTS, 'evaa_withdraw')
    expect(success).toBe(false)
    expect(content.details).toMatchObject({ fail_reason: 'withdraw_no_funds_excess', amount: 100n })
  })
})

describe('a liquidation', () => {
  const BORROWER = 8
  const terms = (builder: Builder): Cell =>
    storeAccount(storeAccount(builder, BORROWER), OWNER)
      .uint(USDT_ID, 256)
      .uint(5n, 64)
      .uint(3, 2)
      .uint(70n, 64)
      .ref(EMPTY)
      .ref(EMPTY)
      .endCell()
  const withTon = (sends: readonly MadeMessage[]) => began(toMaster(terms(query(3)), sends))
  const withJettons = (sends: readonly MadeMessage[]) =>
    began(
      madeTransfer({
        sender: OWNER,
        senderWallet: OWNER_WALLET,
        receiverWallet: MASTER_WALLET,
        receiver: MASTER,
        amount: 70n,
        payload: terms(beginCell().uint(3, 32)),
        sends,
      }),
    )
  const answer = (opcode: number, rest: Cell, sends: readonly MadeMessage[] = []) =>
    toMaster(
      storeAccount(storeAccount(query(opcode), BORROWER), OWNER)
        .uint(TON_ID, 256)
        .ref(rest)
        .endCell(),
      sends,
    )
  const satisfied = (sends: readonly MadeMessage[]) => {
    const amounts = beginCell().int(-1n, 64).uint(60n, 64).uint(10n, 64).int(-2n, 64)
    return answer(0x311, amounts.uint(USDT_ID, 256).int(3n, 64).uint(33n, 64).endCell(), sends)
  }
  const unsatisfied = (code: number, sends: readonly MadeMessage[] = []) => {
    const given = beginCell().uint(70n, 64).uint(USDT_ID, 256).uint(5n, 64).uint(0n, 64).ref(EMPTY)
    return answer(0x31f, given.uint(code, 32).endCell(), sends)
  }
  const failure = (trace: ReturnType<typeof began>) => {
    const { success, content, columns } = onlyAction(trace, FACTS, 'evaa_liquidate')
    expect(success).toBe(false)
    expect(columns).toMatchObject({ source: accountNo(OWNER), destination: accountNo(BORROWER), amount: 0n })
    return content.details
  }

  test('pays the collateral', () => {
    const paid = satisfied([user(0x311a, [word('EVAA liquidation.')]), refund()])
    const { success, content, columns } = onlyAction(withTon([user(0x31, [paid])]), FACTS, 'evaa_liquidate')
    expect(success).toBe(true)
    expect(columns).toMatchObject({ destination_secondary: accountNo(USER), amount: 33n })
    expect(content.details).toEqual({
      fail_reason: null,
      debt_amount: 60n,
      source: accountNo(OWNER),
      borrower: accountNo(BORROWER),
      borrower_contract: accountNo(USER),
      collateral: String(USDT_ID),
      asset_id: `0x${USDT_ID.toString(16)}`,
      asset: accountNo(JETTON),
      is_known_asset: true,
      amount: 33n,
    })
    const reported = satisfied([user(0x311a), { to: OWNER, body: query(0x311d).endCell() }])
    const inJettons = onlyAction(withJettons([user(0x31, [reported])]), FACTS, 'evaa_liquidate')
    expect(inJettons).toMatchObject({ success: true, columns: { amount: 33n } })
    expect(inJettons.transactions).toHaveLength(8)
    expect(inJettons.content.details).toMatchObject({ is_known_asset: true })
  })

  test('is rejected at once', () => {
    expect(failure(withJettons([refund()]))).toMatchObject({
      fail_reason: 'immediate_rejection',
      debt_amount: 70n,
      borrower_contract: null,
    })
    const bounced = withTon([{ to: OWNER, body: beginCell().uint(0xffffffff, 32).uint(3, 32).endCell() }])
    for (const { in_msg, out_msgs } of bounced.transactions)
      for (const message of [in_msg, ...out_msgs]) if (message?.opcode === 0xffffffff) message.bounced = true
    expect(failure(bounced)).toMatchObject({ fail_reason: 'immediate_rejection' })
  })

  test('is undone where the master has too little', () => {
    const undone = satisfied([user(0x311f), { to: OWNER, body: beginCell().uint(0x31f6, 32).endCell() }])
    expect(failure(withTon([user(0x31, [undone])]))).toMatchObject({
      fail_reason: 'master_not_enough_liquidity',
      borrower_contract: accountNo(USER),
    })
  })

  test.each([
    [0xe001, 'master_liquidating_too_much'],
    [0xe002, 'user_withdraw_in_progress'],
    [0xe003, 'not_liquidatable'],
    [0xe004, 'execution_crashed'],
    [0xe005, 'min_collateral_not_satisfied'],
    [0xe006, 'user_not_enough_collateral'],
    [0xe007, 'user_liquidating_too_much'],
    [0xe008, 'master_not_enough_liquidity'],
    [0xe009, 'liquidation_prices_missing'],
    [0x31f2, 'not_liquidatable'],
    [0x31f7, 'liquidation_prices_missing'],
    [0x1234, 'liquidation_error'],
  ])('is refused with %p', (code, fail_reason) => {
    expect(failure(withTon([user(0x31, [unsatisfied(code)])]))).toMatchObject({ fail_reason, debt_amount: 70n })
    expect(failure(withJettons([user(0x31, [unsatisfied(code, [refund()])])]))).toMatchObject({ fail_reason })
  })

  test('is refused with what cannot be read', () => {
    const cut = answer(0x31f, EMPTY)
    expect(failure(withTon([user(0x31, [cut])]))).toMatchObject({ fail_reason: 'liquidation_error' })
  })

  test('is none of other messages with its opcode', () => {
    const cancelled = { to: 9, body: query(3).endCell(), sends: [refund()] }
    expect(toldTypes(began(cancelled), FACTS)).not.toContain('evaa_liquidate failed')
  })
})

test('assets have ids', () => {
  const nothing = factsOf({})
  const master = (id: bigint, facts = nothing) => evaaAsset(id, facts)?.hash.toString('hex').slice(0, 8)
  expect(evaaAsset(TON_ID, nothing)).toBeNull()
  expect(evaaAsset(5n, nothing)).toBeUndefined()
  expect(master(USDT_ID)).toBe('b113a994')
  const jusdt = 0xb387968236197958ca4ac55e9b5be38e688c7631af84c86756431f49a878ef33n
  expect(master(jusdt)).toBe('729c13b6')
  expect(master(jusdt, factsOf({ 94: { jetton_master: { admin_address: null } } }))).toBe('5ee20b52')
})
