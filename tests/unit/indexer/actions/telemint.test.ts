import { describe, expect, test } from 'bun:test'
import { beginCell } from '../../../../src/ton/builder.ts'
import { factsOf, onlyAction, query, storeAccount, toldTypes } from '../../../support/made-facts.ts'
import { accountNo, type MadeMessage, madeTrace } from '../../../support/made-trace.ts'

const [BIDDER, ITEM, FEES, SELLER, COLLECTION] = [1, 2, 3, 4, 5] as const
const FACTS = factsOf({
  [ITEM]: {
    nft_item: {
      index: 9n,
      collection_address: accountNo(COLLECTION),
      owner_address: accountNo(BIDDER),
      content: { _: 'offchain', uri: 'https://nft.fragment.com/username/abc.json' },
    },
  },
})

const paidTo = (to: number, value: bigint): MadeMessage => ({ to, value, body: query(0x370fec51).endCell() })
const bidInfo = beginCell().uint(0x38127de1, 32).coins(500n).uint(0, 32).endCell()
const assigned = (payload = bidInfo): MadeMessage => ({
  to: BIDDER,
  body: storeAccount(query(0x05138d91), SELLER).bit(true).ref(payload).endCell(),
})

describe('a username that tells its new owner of it', () => {
  const bid = (sends: readonly MadeMessage[]) => madeTrace({ to: BIDDER, sends: [{ to: ITEM, value: 500n, sends }] })

  test('was bought: of two payments the first is the fee', () => {
    const { content, success } = onlyAction(
      bid([paidTo(FEES, 25n), paidTo(SELLER, 475n), assigned()]),
      FACTS,
      'nft_transfer',
    )
    expect(success).toBe(true)
    expect(content.details).toMatchObject({
      old_owner: accountNo(SELLER),
      new_owner: accountNo(BIDDER),
      is_purchase: true,
      price: 500n,
      marketplace: 'fragment',
      payout_amount: 475n,
      payout_address: accountNo(SELLER),
      royalty_amount: 25n,
      royalty_address: accountNo(FEES),
    })
    expect(onlyAction(bid([paidTo(SELLER, 475n), assigned()]), FACTS, 'nft_transfer').content.details).toMatchObject({
      payout_amount: 475n,
      royalty_amount: null,
    })
  })

  test('was bought when its auction ended by a message from outside', () => {
    const ended = madeTrace({ to: ITEM, sends: [paidTo(FEES, 25n), paidTo(SELLER, 475n), assigned()] })
    expect(toldTypes(ended, FACTS)).toEqual(['nft_transfer'])
  })

  test('was given where it tells of no bid', () => {
    const trace = bid([assigned(beginCell().endCell())])
    expect(onlyAction(trace, FACTS, 'nft_transfer').content.details).toMatchObject({
      is_purchase: false,
      price: null,
      marketplace: null,
    })
    expect(toldTypes(trace, factsOf({}))).toEqual(['ton_transfer', 'call_contract'])
  })
})
