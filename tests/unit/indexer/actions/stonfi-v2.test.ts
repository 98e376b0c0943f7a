import { describe, expect, test } from 'bun:test'
import { factsOf, onlyAction, query, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'

const NOTHING = factsOf({})
const [WALLET, PROXY, ROUTER, POOL, ACCOUNT, LP_WALLET] = [1, 2, 3, 4, 5, 6] as const

/** TON on its way to the account in which a pool collects what it is given. */
const leg = (amount: bigint, sends: readonly MadeMessage[] = []): MadeMessage => ({
  to: PROXY,
  body: storeAccount(query(0x01f3835d).coins(amount), WALLET).bit(false).endCell(),
  sends: [
    {
      to: ROUTER,
      body: storeAccount(query(0x7362d09c).coins(amount), PROXY).bit(false).endCell(),
      sends: [
        {
          to: POOL,
          body: query(0x37c096df).endCell(),
          sends: [{ to: ACCOUNT, body: query(0x50c6a654).endCell(), sends }],
        },
      ],
    },
  ],
})

const answered = (answer: MadeMessage): MadeMessage => ({
  to: POOL,
  body: query(0x06ecd527).endCell(),
  sends: [answer],
})
const minted: MadeMessage = {
  to: LP_WALLET,
  body: storeAccount(storeAccount(query(0x178d4519).coins(33n), POOL), WALLET)
    .coins(0n)
    .bit(false)
    .endCell(),
}
const refused: MadeMessage = { to: ACCOUNT, body: query(0x50c6a654).endCell() }

describe('liquidity for STON.fi v2', () => {
  test('waits for the other asset', () => {
    const { content, columns } = onlyAction(
      madeTrace({ to: WALLET, sends: [leg(5n)] }),
      NOTHING,
      'dex_deposit_liquidity',
    )
    expect(columns).toMatchObject({ source: accountNo(WALLET), destination_secondary: accountNo(ACCOUNT) })
    expect(content.details).toMatchObject({ amount_1: 5n, asset_1: null, amount_2: null, lp_tokens_minted: null })
  })
  test('takes in the other leg', () => {
    const trace = madeTrace({ to: WALLET, sends: [leg(5n), leg(6n, [answered(minted)])] })
    expect(toldTypes(trace, NOTHING)).toEqual(['dex_deposit_liquidity'])
    expect(onlyAction(trace, NOTHING, 'dex_deposit_liquidity').content.details).toMatchObject({
      amount_1: 5n,
      amount_2: 6n,
      lp_tokens_minted: 33n,
      pool: accountNo(POOL),
    })
  })
  test('is refused by the pool', () => {
    const trace = madeTrace({ to: WALLET, sends: [leg(5n, [answered(refused)])] })
    expect(toldTypes(trace, NOTHING)).toEqual(['dex_deposit_liquidity failed'])
  })
})
