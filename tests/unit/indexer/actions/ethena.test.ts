import { describe, expect, test } from 'bun:test'
import { type Address, tryParseAddress } from '../../../../src/ton/address.ts'
import { factsOf, onlyAction, query, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'

const USDE = tryParseAddress('0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC')!
const TSUSDE = tryParseAddress('0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D')!
const USER = 1
const VAULT = 4

const transfer = storeAccount(storeAccount(query(0x0f8a7ea5).coins(100n), VAULT), USER)
  .bit(false)
  .coins(1n)
  .bit(false)
  .endCell()
const internal = (opcode: number, amount: bigint) =>
  storeAccount(storeAccount(query(opcode).coins(amount), USER), USER)
    .coins(1n)
    .bit(false)
    .endCell()
const notification = storeAccount(query(0x7362d09c).coins(100n), USER).bit(false).endCell()
const mint = (body: MadeMessage['body'], to: number): MadeMessage => ({
  to: 5,
  body: storeAccount(query(0x642b7d07), USER).coins(1n).ref(body!).endCell(),
  sends: [{ to, body: body! }],
})
const wallet = (owner: number, jetton: Address) => ({ jetton_wallet: { owner: accountNo(owner), jetton } })

describe('a deposit at Ethena', () => {
  const trace = madeTrace({
    to: USER,
    sends: [
      {
        to: 2,
        body: transfer,
        sends: [
          {
            to: 3,
            body: internal(0x178d4519, 100n),
            sends: [{ to: VAULT, body: notification, sends: [mint(internal(0x178d4519, 80n), 6)] }],
          },
        ],
      },
    ],
  })
  const factsWith = (given: Address, taken: Address) =>
    factsOf({ 2: wallet(USER, given), 3: wallet(VAULT, given), 6: wallet(USER, taken) })

  test('is USDe for tsUSDe', () => {
    const { content, columns, success } = onlyAction(trace, factsWith(USDE, TSUSDE), 'stake_deposit')
    expect(success).toBe(true)
    expect(content.details).toEqual({
      provider: 'ethena',
      stake_holder: accountNo(USER),
      pool: accountNo(VAULT),
      amount: 100n,
      tokens_minted: 80n,
      asset: TSUSDE,
      source_asset: USDE,
    })
    expect(columns).toMatchObject({ source_secondary: accountNo(2), asset2: USDE })
    expect(toldTypes(trace, factsWith(USDE, TSUSDE))).toEqual(['stake_deposit'])
  })

  test('is of no other jettons', () => {
    for (const facts of [factsWith(USDE, USDE), factsWith(TSUSDE, TSUSDE)])
      expect(toldTypes(trace, facts)).toEqual(['jetton_transfer', 'jetton_mint'])
  })
})

describe('a withdrawal from Ethena', () => {
  const trace = madeTrace({
    to: USER,
    sends: [
      {
        to: 2,
        body: transfer,
        sends: [
          {
            to: 7,
            body: internal(0x178d4519, 100n),
            sends: [{ to: VAULT, body: notification, sends: [mint(internal(0xb2583ed5, 90n), 6)] }],
          },
        ],
      },
    ],
  })
  const known = { 2: wallet(USER, accountNo(7)), 6: wallet(USER, accountNo(5)) }

  test('is asked for', () => {
    const { content, columns } = onlyAction(trace, factsOf(known), 'stake_withdrawal_request')
    expect(content.details).toEqual({
      provider: 'ethena',
      stake_holder: accountNo(USER),
      pool: accountNo(VAULT),
      payout_nft: null,
      asset: accountNo(7),
      tokens_burnt: 100n,
      tokens_minted: 90n,
    })
    expect(columns).toMatchObject({ source_secondary: accountNo(2), amount: 100n })
  })

  test('is one only between wallets of the asker, of the minters that spoke', () => {
    for (const other of [
      { 2: wallet(9, accountNo(7)) },
      { 6: wallet(9, accountNo(5)) },
      { 2: wallet(USER, accountNo(9)) },
      { 6: wallet(USER, accountNo(9)) },
      { 2: {} },
      { 6: {} },
    ])
      expect(toldTypes(trace, factsOf({ ...known, ...other }))).not.toContain('stake_withdrawal_request')
  })
})
