import { describe, expect, test } from 'bun:test'
import type { KnownAccount } from '../../../../src/model/known-account.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import { factsOf, onlyAction, query, saying, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'
import { madeTransfer } from '../../../support/made-transfer.ts'

const [OWNER, POOL, STAKE, REFERRER, OWNER_WALLET, LOCK, JETTON, MINTER, REWARD_WALLET] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const

const EMPTY = beginCell().endCell()
const addresses = (builder: ReturnType<typeof beginCell>, ...numbers: number[]) => numbers.reduce(storeAccount, builder)
const stakeData = addresses(beginCell(), POOL, MINTER, OWNER).ref(EMPTY).endCell()
const poolData = addresses(beginCell().bit(true).uint(51, 32), OWNER, OWNER, LOCK)
  .bit(false)
  .ref(EMPTY)
  .ref(EMPTY)
  .endCell()

const wallet = (owner: number, jetton: number): KnownAccount => ({
  jetton_wallet: { owner: accountNo(owner), jetton: accountNo(jetton) },
})
const FACTS = factsOf({
  [STAKE]: { ...wallet(OWNER, MINTER), data: stakeData },
  [POOL]: { data: poolData },
  [LOCK]: wallet(POOL, JETTON),
  [OWNER_WALLET]: wallet(OWNER, JETTON),
})

const excess: MadeMessage = { to: OWNER, body: query(0xd53276db).endCell() }
const updated: MadeMessage = { to: STAKE, body: query(0xae9307ce).endCell(), sends: [excess] }
const referral: MadeMessage = {
  to: REFERRER,
  body: query(0x55c35b40).endCell(),
  sends: [
    {
      to: POOL,
      body: query(0x55c35b40).endCell(),
      sends: [{ to: REFERRER, body: query(0x076ee4e0).endCell(), sends: [excess] }],
    },
  ],
}
const request = (sends: readonly MadeMessage[]): MadeMessage => ({ to: POOL, body: query(0xf5c5baa3).endCell(), sends })
const paid = (amount: bigint, senderWallet: number = LOCK): MadeMessage =>
  madeTransfer({ sender: POOL, senderWallet, receiverWallet: OWNER_WALLET, receiver: OWNER, amount })
const toStake = (body: ReturnType<typeof beginCell>, sends: readonly MadeMessage[], aborted = false) =>
  madeTrace({ to: OWNER, sends: [{ to: STAKE, body: body.endCell(), sends, aborted }] })

describe('a stake', () => {
  const received = query(0xd68a4ac1).coins(1n).coins(9n).uint(5, 16).coins(2n).bit(false).coins(95n).coins(5n)
  const staked = (sends: readonly MadeMessage[], payload = beginCell().uint(0xe3a06989, 32).uint(86400, 32)) =>
    madeTrace({
      to: OWNER,
      sends: [
        madeTransfer({
          sender: OWNER,
          senderWallet: OWNER_WALLET,
          receiverWallet: LOCK,
          receiver: POOL,
          amount: 100n,
          payload: payload.endCell(),
          sends: [
            { to: REFERRER, body: query(0x383411ea).uint(51, 32).endCell(), sends: [excess] },
            { to: STAKE, body: received.endCell(), sends },
          ],
        }),
      ],
    })

  test('is counted in, and those who invited its owner are told', () => {
    const { success, content, columns, transactions } = onlyAction(
      staked([request([referral, updated])]),
      FACTS,
      'jvault_stake',
    )
    expect(success).toBe(true)
    expect(transactions).toHaveLength(14)
    expect(columns).toMatchObject({ source: accountNo(OWNER), destination: accountNo(POOL), amount: 100n })
    expect(content.details).toEqual({
      period: 86400,
      minted_stake_jettons: 95n,
      stake_wallet: accountNo(STAKE),
      source: accountNo(OWNER),
      source_jetton_wallet: accountNo(OWNER_WALLET),
      asset: accountNo(JETTON),
      pool: accountNo(POOL),
      amount: 100n,
    })
  })

  test('is refused', () => {
    const cancelled = { to: POOL, body: query(0x9eada1d9).endCell(), sends: [paid(100n)] }
    const { success, content } = onlyAction(staked([cancelled]), FACTS, 'jvault_stake')
    expect(success).toBe(false)
    expect(content.details).toMatchObject({ minted_stake_jettons: null, amount: 100n })
  })

  test('with a payload of another kind tells no period', () => {
    const { content } = onlyAction(staked([request([updated])], beginCell().uint(9, 32)), FACTS, 'jvault_stake')
    expect(content.details).toMatchObject({ period: null })
  })

  test('that nobody answered is a transfer', () => {
    expect(toldTypes(staked([request([])]), FACTS)).not.toContain('jvault_stake')
    expect(toldTypes(staked([]), FACTS)).toContain('jetton_transfer')
  })
})

describe('an unstake', () => {
  const asked = query(0x499a9262).coins(70n).bit(true)
  const fee = { to: 10, value: 3n, body: saying('Unstake fee') }

  test('pays, with a fee or without', () => {
    const paying = request([referral, fee, paid(60n), updated])
    const { success, content, columns, transactions } = onlyAction(toStake(asked, [paying]), FACTS, 'jvault_unstake')
    expect(success).toBe(true)
    expect(transactions).toHaveLength(13)
    expect(columns).toMatchObject({ source_secondary: accountNo(STAKE), opcode: null })
    expect(content.details).toEqual({
      source: accountNo(OWNER),
      stake_wallet: accountNo(STAKE),
      pool: accountNo(POOL),
      amount: 70n,
      exit_code: null,
      asset: accountNo(JETTON),
      staking_asset: accountNo(MINTER),
    })
    expect(onlyAction(toStake(asked, [request([paid(70n), updated])]), FACTS, 'jvault_unstake').success).toBe(true)
  })

  test('that fails tells why, and of what by the data of its wallet', () => {
    const failed = toStake(asked, [{ to: OWNER, body: beginCell().uint(0xffffffff, 32).endCell() }], true)
    failed.transactions.find(({ aborted }) => aborted)!.exit_code = 56
    const action = onlyAction(failed, FACTS, 'jvault_unstake')
    expect(action.success).toBe(false)
    expect(action.columns).toMatchObject({ destination: accountNo(POOL), asset2: accountNo(MINTER), opcode: 56 })
    expect(action.content.details).toMatchObject({ exit_code: 56, asset: accountNo(JETTON), amount: 70n })
    expect(toldTypes(failed, factsOf({}))).not.toContain('jvault_unstake failed')
    const inPool = toStake(asked, [request([updated])])
    expect(onlyAction(inPool, FACTS, 'jvault_unstake')).toMatchObject({ success: false, columns: { opcode: 0 } })
  })

  test('of which no data is known', () => {
    const facts = factsOf({ [OWNER_WALLET]: wallet(OWNER, JETTON), [STAKE]: wallet(OWNER, MINTER) })
    const { content } = onlyAction(toStake(asked, [request([paid(70n), updated])]), facts, 'jvault_unstake')
    expect(content.details).toMatchObject({ asset: accountNo(JETTON), staking_asset: accountNo(MINTER) })
  })

  test('of a wallet with other data', () => {
    const odd = factsOf({ [STAKE]: { data: EMPTY } })
    expect(toldTypes(toStake(asked, [], true), odd)).toEqual(['call_contract failed'])
    const poolless = factsOf({ [STAKE]: { data: stakeData }, [POOL]: { data: EMPTY } })
    expect(onlyAction(toStake(asked, [], true), poolless, 'jvault_unstake').content.details).toMatchObject({
      pool: accountNo(POOL),
      asset: null,
    })
  })
})

test('a request to unstake', () => {
  const asked = query(0x0168d4b7).coins(70n)
  const bounced = {
    ...referral,
    aborted: true,
    sends: [{ to: POOL, body: beginCell().uint(0xffffffff, 32).endCell() }],
  }
  const { success, content, transactions } = onlyAction(
    toStake(asked, [request([bounced, updated])]),
    FACTS,
    'jvault_unstake_request',
  )
  expect(success).toBe(true)
  expect(transactions).toHaveLength(7)
  expect(content.details).toMatchObject({ amount: 70n, exit_code: null, asset: accountNo(JETTON) })
  const failed = toStake(asked, [], true)
  failed.transactions.find(({ aborted }) => aborted)!.exit_code = null
  expect(onlyAction(failed, FACTS, 'jvault_unstake_request')).toMatchObject({
    success: false,
    columns: { destination: accountNo(POOL), opcode: null },
  })
  expect(toldTypes(toStake(query(0x0168d4b7), [request([updated])]), FACTS)).not.toContain('jvault_unstake_request')
})

describe('a claim', () => {
  const asked = query(0x78d9f109).bit(true).ref(EMPTY)
  const sent = (sends: readonly MadeMessage[]): MadeMessage => ({ to: POOL, body: query(0x44bc1fe3).endCell(), sends })
  const rewards = factsOf({ [OWNER_WALLET]: wallet(OWNER, JETTON), [REWARD_WALLET]: wallet(POOL, JETTON) })

  test('is paid in one jetton or in several', () => {
    const both = toStake(asked, [sent([paid(5n), paid(6n, REWARD_WALLET), updated])])
    const { success, content, columns } = onlyAction(both, rewards, 'jvault_claim')
    expect(success).toBe(true)
    expect(columns).toEqual({
      source: accountNo(OWNER),
      source_secondary: accountNo(STAKE),
      destination: accountNo(POOL),
    })
    expect(content.details).toEqual({
      claimed_rewards: [
        { jetton: accountNo(LOCK), amount: 5n },
        { jetton: accountNo(REWARD_WALLET), amount: 6n },
      ],
      source: accountNo(OWNER),
      stake_wallet: accountNo(STAKE),
      pool: accountNo(POOL),
    })
  })

  test('is none where nothing is paid', () => {
    expect(toldTypes(toStake(asked, [sent([updated])]), rewards)).not.toContain('jvault_claim')
    expect(toldTypes(toStake(asked, [{ ...sent([]), aborted: true }]), rewards)).not.toContain('jvault_claim')
  })
})
