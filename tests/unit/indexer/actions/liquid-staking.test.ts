import { describe, expect, test } from 'bun:test'
import { factsOf, onlyAction, query, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'

const [USER, POOL, MINTER, WALLET, COLLECTION, ITEM] = [1, 2, 3, 4, 5, 6] as const
const TON = 1_000_000_000n

const NOTHING = factsOf({})
const WITH_ITEM = factsOf({
  [ITEM]: {
    nft_item: {
      index: 3n,
      collection_address: accountNo(COLLECTION),
      owner_address: accountNo(USER),
      content: { _: 'offchain', uri: '' },
    },
  },
})

const call = (to: number, opcode: number, sends: readonly MadeMessage[] = [], more: Partial<MadeMessage> = {}) => ({
  to,
  body: query(opcode).endCell(),
  sends,
  ...more,
})

describe('a deposit in a liquid pool', () => {
  const given = storeAccount(storeAccount(query(0x178d4519).coins(90n), MINTER), USER)
    .coins(0n)
    .bit(false)
    .endCell()
  const deposit = (sends: readonly MadeMessage[], value = 5n * TON) =>
    madeTrace({ to: USER, sends: [call(POOL, 0x47d54391, sends, { value })] })

  test('has jettons minted, for what is left of the fee', () => {
    const minted = call(MINTER, 0x1674b0a0, [{ to: WALLET, body: given, sends: [call(USER, 0xd53276db)] }])
    const { content, columns, success } = onlyAction(deposit([minted]), NOTHING, 'stake_deposit')
    expect(success).toBe(true)
    expect(content.details).toEqual({
      provider: 'liquid_staking',
      stake_holder: accountNo(USER),
      pool: accountNo(POOL),
      amount: 4n * TON,
      tokens_minted: 90n,
      asset: accountNo(MINTER),
      source_asset: null,
    })
    expect(columns).toEqual({
      source: accountNo(USER),
      destination: accountNo(POOL),
      asset: accountNo(MINTER),
      amount: 4n * TON,
    })
  })

  test('fails where none are minted', () => {
    const { content, success } = onlyAction(deposit([]), NOTHING, 'stake_deposit')
    expect(success).toBe(false)
    expect(content.details).toMatchObject({ amount: 4n * TON, tokens_minted: null, asset: null })
  })
})

describe('a withdrawal from a liquid pool', () => {
  const burn = storeAccount(query(0x595f07bc).coins(70n), USER).bit(false).endCell()
  const withdrawal = (answer: MadeMessage) => {
    const request = call(POOL, 0x319b0cdc, [answer], { value: 2n * TON })
    return madeTrace({
      to: USER,
      sends: [{ to: WALLET, body: burn, sends: [call(MINTER, 0x7bdd97de, [request])] }],
    })
  }

  test('is paid at once', () => {
    const trace = withdrawal(call(USER, 0x0a77535c, [], { value: 9n * TON }))
    expect(onlyAction(trace, NOTHING, 'stake_withdrawal').content.details).toEqual({
      provider: 'liquid_staking',
      stake_holder: accountNo(USER),
      pool: accountNo(POOL),
      amount: 7n * TON,
      payout_nft: null,
      tokens_burnt: 70n,
      asset: accountNo(MINTER),
    })
    expect(toldTypes(trace, NOTHING)).toEqual(['stake_withdrawal'])
  })

  test('is asked for, with an item for the payout to come', () => {
    const item = call(ITEM, 0x132f9a45, [], { deploys: true })
    const trace = withdrawal(call(COLLECTION, 0x1674b0a0, [item]))
    for (const facts of [WITH_ITEM, NOTHING])
      expect(onlyAction(trace, facts, 'stake_withdrawal_request').content.details).toMatchObject({
        payout_nft: accountNo(ITEM),
        tokens_burnt: 70n,
        asset: accountNo(MINTER),
      })
    expect(toldTypes(trace, WITH_ITEM)).toContain('nft_mint')
  })

  test('fails without that item', () => {
    expect(toldTypes(withdrawal(call(COLLECTION, 0x1674b0a0)), NOTHING)).toEqual(['stake_withdrawal_request failed'])
  })
})
